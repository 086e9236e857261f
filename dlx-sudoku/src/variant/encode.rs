//! A puzzle with rules as an exact cover problem.
//!
//! There is an option for each cell and each digit that it may have, of the cell's item (`p12`), one for each area that
//! the cell is in, and those of its moves, neighbours and cages:
//!
//! | items | | what is covered | example |
//! |---|---|---|---|
//! | area and digit | primary | the area has the digit | `r15`, `x15`: row 1, diagonal 1 has a 5; `2.r15`: row 1 of grid 2 |
//! | pair and digit | secondary | at most one of two cells a move apart has the digit | `n1_5`: the first pair |
//! | neighbours and digit | secondary | at most one of both has the digit or the next one | `v1_5`: 5 or 6, the first pair |
//! | cage | primary | the cage has a set of digits | `k1` |
//! | cage and digit | primary | the digit is in the cage, or not in its set | `k1_5` |
//!
//! For each set of as many digits as a cage has cells, and with its sum, there is an option of the cage and of the digits
//! that are *not* in the set. So each digit of a cage is covered by one of its cells or by the set: the cells have the
//! digits of a set, each once, and a cage needs no colors.

use dlx_core::{BuildError, ItemId, OptionId, Problem, ProblemBuilder};
use itertools::Itertools;

use super::layout::Layout;
use super::{Area, AreaKind, Rules, sums};
use crate::puzzle::Task;
use crate::{Digit, HouseKind, encode};

/// The problem of a puzzle, and for its first options what they are in the problem of the empty grid; those after them
/// are cages'.
pub(crate) fn encode(rules: &Rules, task: Task<'_>) -> Result<(Problem, Vec<OptionId>), BuildError> {
    let layout = Layout::of(rules);
    let candidates = task.candidates();
    let mut builder = ProblemBuilder::new();
    let items = Items::declare(&mut builder, rules, &layout)?;
    let (mut options, mut entries) = (Vec::new(), Vec::new());
    for (place, &set) in candidates.iter().enumerate() {
        for digit in rules.shape.digits().map(Digit::index).filter(|digit| set >> digit & 1 != 0) {
            items.collect(place, digit, &mut entries);
            builder.option(entries.iter().copied())?;
            options.push(encode::option_at(task.grid.geometry(), place, digit));
        }
    }
    for ((sum, cells), (cage, digits)) in layout.cages.iter().zip(&items.cages) {
        let allowed = cells.iter().fold(0, |all, &cell| all | candidates[usize::from(cell)]);
        for set in sums::sets(allowed, cells.len(), *sum) {
            let others = digits.iter().enumerate().filter(|(digit, _)| set >> digit & 1 == 0);
            builder.option([*cage].into_iter().chain(others.map(|(_, &item)| item)))?;
        }
    }
    Ok((builder.build()?, options))
}

/// The items, and which of them a cell takes.
struct Items {
    /// For each place its own item.
    cells: Vec<Option<ItemId>>,
    /// For each place the items by digit of all that it is in.
    by_digit: Vec<Vec<ItemId>>,
    /// For each place the items of its pairs of neighbours, one for each digit but the last.
    steps: Vec<Vec<ItemId>>,
    /// The items of each cage, and those of its digits.
    cages: Vec<(ItemId, Vec<ItemId>)>,
    size: usize,
}

impl Items {
    fn declare(builder: &mut ProblemBuilder, rules: &Rules, layout: &Layout) -> Result<Self, BuildError> {
        let places = layout.is_cell.len();
        let mut items = Self {
            cells: Vec::with_capacity(places),
            by_digit: vec![Vec::new(); places],
            steps: vec![Vec::new(); places],
            cages: Vec::with_capacity(layout.cages.len()),
            size: layout.size,
        };
        for (cell, &is_cell) in rules.canvas.cells().zip(&layout.is_cell) {
            let [row, column] = [cell.row(), cell.column()].map(|index| symbol(index + 1));
            let item = is_cell.then(|| builder.primary(&format!("p{row}{column}"))).transpose()?;
            items.cells.push(item);
        }
        let digits: Vec<_> = rules.shape.digits().collect();
        for (area, cells) in &layout.areas {
            let names = digits.iter().map(|digit| format!("{}{digit}", name(*area)));
            let of_area = names.map(|name| builder.primary(&name)).collect::<Result<Vec<_>, _>>()?;
            give(&mut items.by_digit, cells, &of_area);
        }
        for (number, (_, cells)) in layout.cages.iter().enumerate() {
            let cage = builder.primary(&format!("k{}", number + 1))?;
            let names = digits.iter().map(|digit| format!("k{}_{digit}", number + 1));
            let of_cage = names.map(|name| builder.primary(&name)).collect::<Result<Vec<_>, _>>()?;
            give(&mut items.by_digit, cells, &of_cage);
            items.cages.push((cage, of_cage));
        }
        for (number, (_, pair)) in layout.moves.iter().enumerate() {
            let names = digits.iter().map(|digit| format!("n{}_{digit}", number + 1));
            let of_pair = names.map(|name| builder.secondary(&name)).collect::<Result<Vec<_>, _>>()?;
            give(&mut items.by_digit, pair, &of_pair);
        }
        for (number, pair) in layout.neighbours.iter().enumerate() {
            let names =
                digits.iter().skip(1).map(|digit| format!("v{}_{}", number + 1, symbol(digit.index())));
            let of_pair = names.map(|name| builder.secondary(&name)).collect::<Result<Vec<_>, _>>()?;
            give(&mut items.steps, pair, &of_pair);
        }
        Ok(items)
    }

    /// The items of an option.
    fn collect(&self, place: usize, digit: usize, entries: &mut Vec<ItemId>) {
        entries.clear();
        entries.extend(self.cells[place]);
        entries.extend(self.by_digit[place].chunks(self.size).map(|items| items[digit]));
        // An item of two digits that follow one another is taken by either.
        let of_pair = self.steps[place].chunks((self.size - 1).max(1));
        let of_pair = of_pair.flat_map(|items| &items[digit.saturating_sub(1)..items.len().min(digit + 1)]);
        entries.extend(of_pair);
    }
}

/// Gives items to cells.
fn give(of_places: &mut [Vec<ItemId>], cells: &[u16], items: &[ItemId]) {
    for &cell in cells {
        of_places[usize::from(cell)].extend(items);
    }
}

/// How an area is called in the names of items.
fn name(area: Area) -> String {
    let numbered = |letter: char, number: u8| format!("{letter}{}", symbol(number.into()));
    let name = match area.kind {
        AreaKind::House(house) => {
            let letter = match house.kind {
                HouseKind::Row => 'r',
                HouseKind::Column => 'c',
                HouseKind::Box => 'b',
            };
            numbered(letter, house.number)
        }
        AreaKind::Region(letter) => format!("j{letter}"),
        AreaKind::Diagonal(number) => numbered('x', number),
        AreaKind::Window(number) => numbered('w', number),
        AreaKind::Group(number) => numbered('d', number),
        AreaKind::Cage(number) => format!("k{number}_"),
    };
    [area.grid.map(|grid| format!("{grid}.")), Some(name)].into_iter().flatten().join("")
}

/// A number from 1 as a digit is written.
fn symbol(number: usize) -> char {
    Digit::new(number as u8).map_or('?', Digit::symbol)
}
