//! Wings: two cells, one of which has a digit whatever a third cell, or a strong link, comes to.

use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{CELLS, DIGITS, HOUSES, PEERS, bits, cells, common_peers, house};
use super::technique::Technique;
use super::words;

/// A cell of X and Y that sees one of X and Z and one of Y and Z: one of these two is Z.
pub(super) fn xy(position: &Position, found: &mut Found) {
    let pairs = position.cells_with(2);
    for pivot in cells(pairs) {
        with_pincers(position, pivot, 0, Technique::XyWing, found);
    }
}

/// A cell of X, Y and Z that sees one of X and Z and one of Y and Z: one of the three is Z.
pub(super) fn xyz(position: &Position, found: &mut Found) {
    for pivot in cells(position.cells_with(3)) {
        with_pincers(position, pivot, 1 << pivot, Technique::XyzWing, found);
    }
}

/// The wings of a pivot; `body` has the pivot if it may be Z as well.
fn with_pincers(position: &Position, pivot: usize, body: u128, technique: Technique, found: &mut Found) {
    let pairs = position.cells_with(2) & PEERS[pivot];
    let hub = position.mask(pivot);
    for first in cells(pairs) {
        for second in cells(pairs & (!0 << first)).skip(1) {
            let (one, other) = (position.mask(first), position.mask(second));
            let shared = one & other;
            let fits = if body == 0 { hub == one ^ other } else { hub == one | other };
            if shared.count_ones() != 1 || !fits {
                continue;
            }
            let digit = shared.trailing_zeros() as usize;
            let ends = 1 << first | 1 << second | body;
            let losses = Conclusion::Eliminate(position.of(digit, common_peers(ends)));
            let pattern = position.of_all(hub | shared, ends | 1 << pivot);
            let text = || {
                let hub = words::digit_list(hub);
                let ends = words::cell_list(ends);
                format!(
                    "whether {} is {}, one of {ends} is {}",
                    CELLS[pivot],
                    hub.replace(" and ", " or "),
                    DIGITS[digit]
                )
            };
            found.add((technique, 0), losses, pattern, text);
        }
    }
}

/// Two cells of X and Y, and a house in which X has two places, each seeing one of them: one of the cells is Y.
pub(super) fn w(position: &Position, found: &mut Found) {
    let pairs = position.cells_with(2);
    for first in cells(pairs) {
        let mask = position.mask(first);
        for second in cells(pairs & !PEERS[first] & (!0 << first)).skip(1) {
            if position.mask(second) == mask {
                bits(mask).for_each(|link| w_of(position, [first, second], link, found));
            }
        }
    }
}

/// The W-wings of two cells that are linked by a digit.
fn w_of(position: &Position, ends: [usize; 2], link: usize, found: &mut Found) {
    let set = 1 << ends[0] | 1 << ends[1];
    let mask = position.mask(ends[0]);
    let digit = (mask & !(1 << link)).trailing_zeros() as usize;
    for (number, house_cells) in HOUSES.iter().enumerate() {
        let places = position.at(link, number);
        if places.count_ones() != 2 {
            continue;
        }
        let [one, other] = [places.trailing_zeros(), 15 - places.leading_zeros()]
            .map(|place| usize::from(house_cells[place as usize]));
        let sees = |from: usize, to: usize| PEERS[from] & 1 << to != 0;
        if !(sees(one, ends[0]) && sees(other, ends[1]) || sees(one, ends[1]) && sees(other, ends[0])) {
            continue;
        }
        let mut pattern = position.of_all(mask, set);
        pattern.extend([one, other].map(|cell| Candidate::new(cell, link)));
        let losses = Conclusion::Eliminate(position.of(digit, common_peers(set)));
        let text = || {
            let (link, ends, links) =
                (DIGITS[link], words::cell_list(set), words::cell_list(1 << one | 1 << other));
            let digit = DIGITS[digit];
            format!(
                "{link} of {} is in {links}, so that one of {ends} is not {link} but {digit}",
                house(number)
            )
        };
        found.add((Technique::WWing, 0), losses, pattern, text);
    }
}
