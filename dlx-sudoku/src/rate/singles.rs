//! Singles: the last blank cell of a house, the only cell for a digit, the only digit for a cell.

use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{CELLS, DIGITS, HOUSES, cells, house};
use super::technique::Technique;
use super::words;

/// The last blank cells of houses.
pub(super) fn full_houses(position: &Position, found: &mut Found) {
    for (number, house_cells) in HOUSES.iter().enumerate() {
        let mut blanks = house_cells.iter().filter(|&&cell| position.mask(cell.into()) != 0);
        if let (Some(&cell), None) = (blanks.next(), blanks.next())
            && position.mask(cell.into()).count_ones() == 1
        {
            let only = Candidate::new(cell.into(), position.mask(cell.into()).trailing_zeros() as usize);
            let text = || format!("{} is the last blank cell of {}", only.cell(), house(number));
            found.add((Technique::FullHouse, 0), Conclusion::Place(vec![only]), vec![only], text);
        }
    }
}

/// The only cells of boxes that can take a digit.
pub(super) fn hidden_in_boxes(position: &Position, found: &mut Found) {
    (18..27).for_each(|number| hidden(position, number, Technique::HiddenSingleBox, found));
}

/// The only cells of rows and columns that can take a digit.
pub(super) fn hidden_in_lines(position: &Position, found: &mut Found) {
    (0..18).for_each(|number| hidden(position, number, Technique::HiddenSingleLine, found));
}

fn hidden(position: &Position, number: usize, technique: Technique, found: &mut Found) {
    for (digit, name) in DIGITS.iter().enumerate() {
        let places = position.at(digit, number);
        if places.count_ones() == 1 {
            let cell = HOUSES[number][places.trailing_zeros() as usize];
            let only = Candidate::new(cell.into(), digit);
            let text = || format!("in {}, {} can only be in {}", house(number), name, only.cell());
            found.add((technique, 0), Conclusion::Place(vec![only]), vec![only], text);
        }
    }
}

/// The cells that can take only one digit.
pub(super) fn naked(position: &Position, found: &mut Found) {
    for cell in cells(position.cells_with(1)) {
        let only = Candidate::new(cell, position.mask(cell).trailing_zeros() as usize);
        let text = || format!("{} can only be {}", CELLS[cell], words::digit_list(position.mask(cell)));
        found.add((Technique::NakedSingle, 0), Conclusion::Place(vec![only]), vec![only], text);
    }
}
