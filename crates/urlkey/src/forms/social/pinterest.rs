//! Pinterest: pins, and the boards of people. Countries have hosts, not pins.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, digits, encoded, name, word};

const ME: &str = "pinterest";
const HOME: &str = "https://www.pinterest.com";

/// Pages of somebody behind the first. Those with an underscore no board can be called.
const TABS: [&str; 9] = ["boards", "pins", "followers", "following", "_created", "_saved", "_shop", "_pins", "_boards"];

pub(super) fn read(link: &Link, platform: &Platform) -> Option<SocialId> {
    let segments = link.segments();
    if link.host.ends_with("pin.it") {
        return match *segments {
            [id] => word(id, "", 3, 20).then(|| SocialId::new(ME, "short", id, format!("https://pin.it/{id}"))),
            _ => None,
        };
    }
    match *segments {
        ["pin", id, ..] => pin(id),
        ["amp", "pin", id, ..] => pin(id),
        [who] => profile(who, platform),
        [who, tab] if TABS.contains(&tab) => profile(who, platform).map(|found| found.part_if(true)),
        [who, board] => board_of(who, board, platform),
        [who, board, section] => section_of(who, board, section, platform),
        _ => None,
    }
}

/// `1234`, or `words-of-it--1234`.
fn pin(text: &str) -> Option<SocialId> {
    let id = text.rsplit_once("--").map_or(text, |(_, id)| id);
    digits(id).then(|| SocialId::new(ME, "pin", id, format!("{HOME}/pin/{id}/")))
}

fn owner(who: &str, platform: &Platform) -> Option<String> {
    (word(who, "_", 1, 30) && !platform.reserves(who)).then(|| who.to_ascii_lowercase())
}

fn profile(who: &str, platform: &Platform) -> Option<SocialId> {
    let who = owner(who, platform)?;
    let canonical = format!("{HOME}/{who}/");
    Some(SocialId::new(ME, "profile", who, canonical))
}

fn part(text: &str) -> Option<String> {
    (name(text, "-.", 100) && !text.starts_with('_')).then(|| text.to_lowercase())
}

fn board_of(who: &str, board: &str, platform: &Platform) -> Option<SocialId> {
    let (who, board) = (owner(who, platform)?, part(board)?);
    let canonical = format!("{HOME}/{who}/{}/", encoded(&board));
    Some(SocialId::new(ME, "board", format!("{who}/{board}"), canonical))
}

fn section_of(who: &str, board: &str, section: &str, platform: &Platform) -> Option<SocialId> {
    let (who, board, section) = (owner(who, platform)?, part(board)?, part(section)?);
    let canonical = format!("{HOME}/{who}/{}/{}/", encoded(&board), encoded(&section));
    Some(SocialId::new(ME, "section", format!("{who}/{board}/{section}"), canonical))
}
