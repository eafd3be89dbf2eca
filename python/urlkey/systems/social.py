"""Social media management: what a link to a platform points at.

>>> from urlkey.systems.social import social_id
>>> found = social_id("https://www.youtube.com/shorts/xnh-JKqktAU?feature=share")
>>> found.platform, found.kind, found.id
('youtube', 'short', 'xnh-JKqktAU')

Works on the text alone: no request is made, so a share link that hides its target stays one.
The policy `social` makes the same canonical URLs the keys of pages.
"""

from urlkey._native import SocialId, social_id, social_ids

__all__ = ["SocialId", "social_id", "social_ids"]
