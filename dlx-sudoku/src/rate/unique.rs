//! Techniques that take for granted that the puzzle has one solution: whatever could be turned into a second one is
//! not the case.

use itertools::Itertools as _;

use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{Cells, DIGITS, HOUSE, HOUSES_OF, at, bits, cells, common_peers, house, subsets};
use super::technique::Technique;
use super::words;

/// Four blank cells in two rows, two columns and two boxes that all can have the two digits.
struct Rectangle {
    pair: u16,
    floor: Cells, // those that can have no other
    roof: Cells,  // those that can
}

/// Unique rectangles: in the corners of two rows, two columns and two boxes two digits could change places, so that some
/// corner has another digit.
pub(super) fn rectangles(position: &Position, found: &mut Found) {
    let lines = || (0..9_usize).array_combinations();
    for ([top, bottom], [left, right]) in lines().cartesian_product(lines()) {
        // Either side by side in one band, or one above the other in one stack.
        if (top / 3 == bottom / 3) != (left / 3 == right / 3) {
            corners(position, [(top, left), (top, right), (bottom, left), (bottom, right)], found);
        }
    }
}

fn corners(position: &Position, corners: [(usize, usize); 4], found: &mut Found) {
    let corners = corners.map(|(row, column)| 9 * row + column);
    let common = corners.iter().fold(0x1ff, |common, &cell| common & position.mask(cell));
    for pair in subsets(common, 2) {
        let of = |is_floor: bool| {
            let chosen = corners.iter().filter(|&&cell| (position.mask(cell) == pair) == is_floor);
            chosen.fold(0, |set, &cell| set | 1 << cell)
        };
        let rectangle = Rectangle { pair, floor: of(true), roof: of(false) };
        match rectangle.roof.count_ones() {
            1 => rectangle.one_corner(position, found),
            2..=4 => {
                rectangle.one_digit(position, found);
                rectangle.two_corners(position, found);
            }
            _ => {}
        }
    }
}

impl Rectangle {
    fn add(&self, position: &Position, extra: u8, losses: Vec<Candidate>, text: &str, found: &mut Found) {
        let pattern = position.of_all(self.pair, self.floor | self.roof);
        found.add((Technique::UniqueRectangle, extra), Conclusion::Eliminate(losses), pattern, || {
            let (corners, pair) = (words::cell_list(self.floor | self.roof), words::digit_list(self.pair));
            format!("the solution is unique, so {corners} are not all {}; {text}", pair.replace("and", "or"))
        });
    }

    /// Only one corner can have another digit.
    fn one_corner(&self, position: &Position, found: &mut Found) {
        let losses = position.of_all(self.pair, self.roof);
        self.add(position, 0, losses, "only one of them can be another", found);
    }

    /// The corners that can have another digit all have the same one besides: one of them has it.
    fn one_digit(&self, position: &Position, found: &mut Found) {
        let extra = self.extra(position);
        let all_have_it = cells(self.roof).all(|cell| position.mask(cell) == self.pair | extra);
        if extra.count_ones() == 1 && all_have_it {
            let losses = position.of_all(extra, common_peers(self.roof));
            let text = format!("one of {} is {}", words::cell_list(self.roof), words::digit_list(extra));
            self.add(position, 1, losses, &text, found);
        }
    }

    /// Two corners of a line can have other digits: either one of the pair is locked in them, or the others make a
    /// naked subset with some cells of the house.
    fn two_corners(&self, position: &Position, found: &mut Found) {
        if self.roof.count_ones() != 2 {
            return;
        }
        for number in (0..27).filter(|&number| self.roof & !HOUSE[number] == 0) {
            for digit in bits(self.pair) {
                if position.spread(digit) & HOUSE[number] == self.roof {
                    let losses = position.of_all(self.pair & !(1 << digit), self.roof);
                    let text = format!(
                        "{} has {} in one of {}",
                        house(number),
                        DIGITS[digit],
                        words::cell_list(self.roof)
                    );
                    self.add(position, 2, losses, &text, found);
                }
            }
            self.subset(position, number, found);
        }
    }

    fn subset(&self, position: &Position, number: usize, found: &mut Found) {
        let extra = self.extra(position);
        let places = (0..9).filter(|&place| {
            let cell = at(number, 1 << place);
            self.roof & cell == 0 && position.mask(cell.trailing_zeros() as usize) != 0
        });
        let others = places.fold(0, |places, place| places | 1 << place);
        for size in 1..=3 {
            for chosen in subsets(others, size) {
                let with = at(number, chosen);
                let digits = cells(with).fold(extra, |digits, cell| digits | position.mask(cell));
                if digits.count_ones() as usize != size + 1 {
                    continue;
                }
                let losses = position.of_all(digits, HOUSE[number] & !self.roof & !with);
                let text = format!(
                    "one of {1} together with {2} has {3} of {0}",
                    house(number),
                    words::cell_list(self.roof),
                    words::cell_list(with),
                    words::digit_list(digits)
                );
                self.add(position, 2 + size as u8, losses, &text, found);
            }
        }
    }

    /// The digits besides the pair that the roof can have.
    fn extra(&self, position: &Position) -> u16 {
        cells(self.roof).fold(0, |extra, cell| extra | position.mask(cell)) & !self.pair
    }
}

/// BUG+1: but for one candidate of one cell, every blank cell would have two candidates and every digit two places in
/// every house, which no unique puzzle has. So it is that candidate.
pub(super) fn bug(position: &Position, found: &mut Found) {
    let odd = position.cells_with(3);
    let blank = (0..81).filter(|&cell| position.mask(cell) != 0).fold(0, |set, cell| set | 1 << cell);
    if odd.count_ones() != 1 || position.cells_with(2) | odd != blank {
        return;
    }
    let cell = odd.trailing_zeros() as usize;
    let houses = HOUSES_OF[cell].map(usize::from);
    let is_grave_but_for = |&digit: &usize| {
        (0..9).all(|other| {
            (0..27).all(|number| match position.at(other, number).count_ones() {
                0 => true,
                count => count == if other == digit && houses.contains(&number) { 3 } else { 2 },
            })
        })
    };
    if let Some(digit) = bits(position.mask(cell)).find(is_grave_but_for) {
        let only = Candidate::new(cell, digit);
        let text = || {
            let (cell, digit) = (only.cell(), only.digit());
            format!("the solution is unique, and if {cell} were not {digit}, all would have two candidates")
        };
        found.add((Technique::Bug, 0), Conclusion::Place(vec![only]), position.of_all(0x1ff, odd), text);
    }
}
