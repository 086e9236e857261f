//! Locked candidates: a digit of one house has places only where it meets another house, which so has it there too.

use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{Cells, DIGITS, HOUSE, HOUSES_OF, cells, house};
use super::technique::Technique;

/// A digit that can be in house `from` only where that meets house `to`.
#[derive(Clone, Copy)]
struct Locked {
    digit: usize,
    from: usize,
    to: usize,
}

impl Locked {
    /// Where the digit can be in `from`.
    fn cells(self, position: &Position) -> Cells {
        position.spread(self.digit) & HOUSE[self.from]
    }

    /// Where it cannot be in `to`.
    fn losses(self, position: &Position) -> Cells {
        position.spread(self.digit) & HOUSE[self.to] & !HOUSE[self.from]
    }

    fn text(self) -> String {
        format!("in {}, {} can only be in {}", house(self.from), DIGITS[self.digit], house(self.to))
    }
}

/// What is locked from boxes to lines if `pointing`, else from lines to boxes, and has consequences.
fn all(position: &Position, pointing: bool) -> impl Iterator<Item = Locked> {
    let houses = if pointing { 18..27 } else { 0..18 };
    houses.flat_map(move |from| (0..9).filter_map(move |digit| lock(position, from, digit))).flatten()
}

fn lock(position: &Position, from: usize, digit: usize) -> Option<impl Iterator<Item = Locked>> {
    let first = cells(position.spread(digit) & HOUSE[from]).next()?;
    let others = HOUSES_OF[first].into_iter().map(usize::from).filter(move |&to| (from < 18) == (to >= 18));
    let locks = others.map(move |to| Locked { digit, from, to });
    Some(locks.filter(move |lock| {
        position.spread(digit) & HOUSE[from] & !HOUSE[lock.to] == 0 && lock.losses(position) != 0
    }))
}

/// A digit of a box only in one line.
pub(super) fn pointing(position: &Position, found: &mut Found) {
    all(position, true).for_each(|lock| eliminate(position, lock, Technique::Pointing, found));
}

/// A digit of a line only in one box.
pub(super) fn claiming(position: &Position, found: &mut Found) {
    all(position, false).for_each(|lock| eliminate(position, lock, Technique::Claiming, found));
}

fn eliminate(position: &Position, lock: Locked, technique: Technique, found: &mut Found) {
    let losses = Conclusion::Eliminate(position.of(lock.digit, lock.losses(position)));
    let pattern = position.of(lock.digit, lock.cells(position));
    found.add((technique, 0), losses, pattern, || lock.text());
}

/// Pointing that leaves the digit one cell in another house.
pub(super) fn direct_pointing(position: &Position, found: &mut Found) {
    all(position, true).for_each(|lock| place(position, lock, Technique::DirectPointing, found));
}

/// Claiming that leaves the digit one cell in another house.
pub(super) fn direct_claiming(position: &Position, found: &mut Found) {
    all(position, false).for_each(|lock| place(position, lock, Technique::DirectClaiming, found));
}

fn place(position: &Position, lock: Locked, technique: Technique, found: &mut Found) {
    let (digit, losses) = (lock.digit, lock.losses(position));
    for number in (0..27).filter(|&number| HOUSE[number] & losses != 0) {
        let left = HOUSE[number] & position.spread(digit) & !losses;
        if left.count_ones() == 1 {
            let only = Candidate::new(left.trailing_zeros() as usize, digit);
            let pattern = position.of(digit, lock.cells(position) | left);
            let text = || {
                format!("{}, so that in {} only {} is left for it", lock.text(), house(number), only.cell())
            };
            found.add((technique, 0), Conclusion::Place(vec![only]), pattern, text);
        }
    }
}
