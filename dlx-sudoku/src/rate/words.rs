//! Words that the sentences of several techniques are made of.

use core::fmt::Display;

use super::step::Candidate;
use super::table::{CELLS, Cells, DIGITS, bits, cells, house};

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let mut items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

/// The cells of a set.
pub(super) fn cell_list(set: Cells) -> String {
    list(cells(set).map(|cell| CELLS[cell]))
}

/// The digits of a mask.
pub(super) fn digit_list(mask: u16) -> String {
    list(bits(mask).map(|digit| DIGITS[digit]))
}

/// Houses of one kind: `rows 2 and 7`.
pub(super) fn house_list(houses: &[usize]) -> String {
    let kind = houses.first().map_or_else(String::new, |&first| house(first).kind.to_string());
    let plural = if houses.len() > 1 { "s" } else { "" };
    format!("{kind}{plural} {}", list(houses.iter().map(|&number| house(number).number)))
}

/// An alternating chain that begins and ends with a strong link: `5r1c1=5r1c7-5r4c7=5r4c2`.
pub(super) fn chain(candidates: &[Candidate]) -> String {
    let mut text = String::new();
    for (place, candidate) in candidates.iter().enumerate() {
        if place > 0 {
            text.push(if place % 2 == 1 { '=' } else { '-' });
        }
        text += &candidate.to_string();
    }
    text
}
