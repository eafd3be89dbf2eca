"""Sales intelligence: which company a website, a mail address or a profile belongs to.

>>> from urlkey.systems.company import company_key, profile_id
>>> company_key("jane@sub.acme.com").key
'acme.com'
>>> profile_id("https://www.linkedin.com/sales/company/1035").canonical
'https://www.linkedin.com/company/1035'

Reads the text alone: `acme.de` and `acme.com` are two keys, and only a table of your own joins them.
"""

from urlkey._native import NO_KEY_REASONS, CompanyKey, SocialId, company_key, company_keys, profile_id

ProfileId = SocialId
"""What `profile_id` gives: `platform`, `kind`, `id`, `canonical` and the rest of a SocialId."""

__all__ = ["NO_KEY_REASONS", "CompanyKey", "ProfileId", "company_key", "company_keys", "profile_id"]
