//! Subsets of a house: as many cells as digits that go nowhere else, seen by the cells (naked) or by the digits (hidden).

use super::position::Position;
use super::step::{Candidate, Conclusion, Found};
use super::table::{HOUSES, at, bits, common_peers, house, subsets};
use super::technique::Technique;
use super::words;

/// `SIZE` cells of a house that have only `SIZE` candidates together: no other cell that sees them all has these.
pub(super) fn naked<const SIZE: usize>(position: &Position, found: &mut Found) {
    let technique = match SIZE {
        2 => Technique::NakedPair,
        3 => Technique::NakedTriple,
        _ => Technique::NakedQuad,
    };
    for (number, cells) in HOUSES.iter().enumerate() {
        let mask = |place: usize| position.mask(cells[place].into());
        let few = |place: &usize| (1..=SIZE as u32).contains(&mask(*place).count_ones());
        let eligible = (0..9).filter(few).fold(0, |places, place| places | 1 << place);
        for places in subsets(eligible, SIZE) {
            let digits = bits(places).fold(0, |digits, place| digits | mask(place));
            if digits.count_ones() as usize != SIZE {
                continue;
            }
            let set = at(number, places);
            let losses = position.of_all(digits, common_peers(set));
            let text = || {
                let (cells, digits) = (words::cell_list(set), words::digit_list(digits));
                format!("in {}, {cells} have only {digits}", house(number))
            };
            found.add((technique, 0), Conclusion::Eliminate(losses), position.of_all(digits, set), text);
        }
    }
}

/// The sets of `size` digits, and of as many places, that have only each other in a house.
fn hidden_sets(position: &Position, number: usize, size: usize) -> impl Iterator<Item = (u16, u16)> {
    let few = move |digit: &usize| (1..=size as u32).contains(&position.at(*digit, number).count_ones());
    let eligible = (0..9).filter(few).fold(0, |digits, digit| digits | 1 << digit);
    subsets(eligible, size).filter_map(move |digits| {
        let places = bits(digits).fold(0, |places, digit| places | position.at(digit, number));
        (places.count_ones() as usize == size).then_some((digits, places))
    })
}

fn hidden_text(number: usize, digits: u16, places: u16) -> String {
    let (cells, digits) = (words::cell_list(at(number, places)), words::digit_list(digits));
    format!("in {}, {digits} can only be in {cells}", house(number))
}

/// `SIZE` digits that can only be in `SIZE` cells of a house: these cells have no others.
pub(super) fn hidden<const SIZE: usize>(position: &Position, found: &mut Found) {
    let technique = match SIZE {
        2 => Technique::HiddenPair,
        3 => Technique::HiddenTriple,
        _ => Technique::HiddenQuad,
    };
    for number in 0..27 {
        for (digits, places) in hidden_sets(position, number, SIZE) {
            let set = at(number, places);
            let losses = Conclusion::Eliminate(position.of_all(!digits & 0x1ff, set));
            let text = || hidden_text(number, digits, places);
            found.add((technique, 0), losses, position.of_all(digits, set), text);
        }
    }
}

/// A hidden subset that leaves another digit of the house only one cell.
pub(super) fn direct_hidden<const SIZE: usize>(position: &Position, found: &mut Found) {
    let technique = if SIZE == 2 { Technique::DirectHiddenPair } else { Technique::DirectHiddenTriple };
    for (number, cells) in HOUSES.iter().enumerate() {
        for (digits, places) in hidden_sets(position, number, SIZE) {
            for digit in bits(!digits & 0x1ff) {
                let left = position.at(digit, number) & !places;
                if left == position.at(digit, number) || left.count_ones() != 1 {
                    continue;
                }
                let only = Candidate::new(cells[left.trailing_zeros() as usize].into(), digit);
                let text = || {
                    let set = hidden_text(number, digits, places);
                    format!("{set}, so that only {} is left for {}", only.cell(), only.digit())
                };
                let mut pattern = position.of_all(digits, at(number, places));
                pattern.push(only);
                found.add((technique, 0), Conclusion::Place(vec![only]), pattern, text);
            }
        }
    }
}
