//! A puzzle with rules as an exact cover problem: its items and options are told in [`encode`](crate::encode).

use dlx_core::{BuildError, ItemId, OptionId, Problem, ProblemBuilder};
use itertools::Itertools;

use super::layout::Layout;
use super::{Area, AreaKind, Rules, implied, sums};
use crate::puzzle::Task;
use crate::{Digit, HouseKind, encode, why};

/// The problem of what a puzzle's givens leave open, and for its first options what they are in the problem of the empty
/// grid; those after them are cages'. Givens have no options: neither have their items.
pub(crate) fn encode(rules: &Rules, task: Task<'_>) -> Result<(Problem, Vec<OptionId>), BuildError> {
    let mut builder = ProblemBuilder::new();
    if !task.is_valid() {
        builder.primary("clash")?; // no option: no solution
        return Ok((builder.build()?, Vec::new()));
    }
    let mut layout = Layout::of(rules);
    layout.cages.extend(implied::cages(&layout));
    let candidates = task.candidates();
    let open = Open { cells: task.grid.cells(), candidates: &candidates };
    let items = Items::declare(&mut builder, rules, &layout, open)?;
    let (mut options, mut entries) = (Vec::new(), Vec::new());
    for (place, &set) in candidates.iter().enumerate().filter(|(place, _)| open.cells[*place].is_none()) {
        for digit in rules.shape.digits().map(Digit::index).filter(|digit| set >> digit & 1 != 0) {
            items.collect(place, digit, &mut entries);
            builder.option(entries.iter().copied())?;
            options.push(encode::option_at(task.grid.geometry(), place, digit));
        }
    }
    for ((sum, cells), (cage, digits)) in layout.cages.iter().zip(&items.cages) {
        let given = open.given(cells);
        for set in sums::sets(open.possible(cells), cells.len(), *sum) {
            if set & given == given {
                let others = digits.iter().enumerate().filter(|(digit, _)| set >> digit & 1 == 0);
                builder.option([*cage].into_iter().chain(others.filter_map(|(_, &item)| item)))?;
            }
        }
    }
    Ok((builder.build()?, options))
}

/// What is given, and what is open.
#[derive(Clone, Copy)]
struct Open<'a> {
    cells: &'a [Option<Digit>],
    candidates: &'a [u64],
}

impl Open<'_> {
    /// The givens of some cells, as a set.
    fn given(self, cells: &[u16]) -> u64 {
        let digits = cells.iter().filter_map(|&cell| self.cells[usize::from(cell)]);
        digits.fold(0, |set, digit| set | why::bit(digit))
    }

    /// What one of some cells may have.
    fn possible(self, cells: &[u16]) -> u64 {
        cells.iter().fold(0, |set, &cell| set | self.candidates[usize::from(cell)])
    }

    /// What a cell without a given may have.
    fn of(self, cell: u16) -> u64 {
        let cell = usize::from(cell);
        if self.cells[cell].is_none() { self.candidates[cell] } else { 0 }
    }
}

/// The items, and which of them a cell takes. Items that nothing would take, or nothing could clash in, are left out.
struct Items {
    /// For each place its own item.
    cells: Vec<Option<ItemId>>,
    /// For each place the items by digit of all that it is in.
    by_digit: Vec<Vec<Option<ItemId>>>,
    /// For each place the items of its pairs of neighbours, one for each digit but the last.
    steps: Vec<Vec<Option<ItemId>>>,
    /// The items of each cage, and those of its digits.
    cages: Vec<(ItemId, Vec<Option<ItemId>>)>,
    size: usize,
}

impl Items {
    fn declare(
        builder: &mut ProblemBuilder,
        rules: &Rules,
        layout: &Layout,
        open: Open<'_>,
    ) -> Result<Self, BuildError> {
        let (size, places) = (layout.size, layout.is_cell.len());
        let mut items = Self {
            cells: Vec::with_capacity(places),
            by_digit: vec![Vec::new(); places],
            steps: vec![Vec::new(); places],
            cages: Vec::with_capacity(layout.cages.len()),
            size,
        };
        for (place, cell) in rules.canvas.cells().enumerate() {
            let [row, column] = [cell.row(), cell.column()].map(|index| symbol(index + 1));
            let is_open = layout.is_cell[place] && open.cells[place].is_none();
            items.cells.push(is_open.then(|| builder.primary(&format!("p{row}{column}"))).transpose()?);
        }
        for (area, cells) in &layout.areas {
            let of_area = by_digit(size, !open.given(cells), |digit| {
                builder.primary(&format!("{}{digit}", name(*area)))
            })?;
            give(&mut items.by_digit, cells, &of_area);
        }
        for (number, (_, cells)) in (1..).zip(&layout.cages) {
            let cage = builder.primary(&format!("k{number}"))?;
            let of_cage =
                by_digit(size, !open.given(cells), |digit| builder.primary(&format!("k{number}_{digit}")))?;
            give(&mut items.by_digit, cells, &of_cage);
            items.cages.push((cage, of_cage));
        }
        for (number, (_, pair)) in (1..).zip(&layout.moves) {
            let both = open.of(pair[0]) & open.of(pair[1]);
            let of_pair = by_digit(size, both, |digit| builder.secondary(&format!("n{number}_{digit}")))?;
            give(&mut items.by_digit, pair, &of_pair);
        }
        for (number, pair) in (1..).zip(&layout.neighbours) {
            let [one, other] = pair.map(|cell| open.of(cell));
            let steps = one & other >> 1 | one >> 1 & other;
            let of_pair =
                by_digit(size - 1, steps, |digit| builder.secondary(&format!("v{number}_{digit}")))?;
            give(&mut items.steps, pair, &of_pair);
        }
        Ok(items)
    }

    /// The items of an option.
    fn collect(&self, place: usize, digit: usize, entries: &mut Vec<ItemId>) {
        entries.clear();
        entries.extend(self.cells[place]);
        entries.extend(self.by_digit[place].chunks(self.size).filter_map(|items| items[digit]));
        // An item of two digits that follow one another is taken by either.
        let of_pair = self.steps[place].chunks((self.size - 1).max(1));
        let of_pair = of_pair.flat_map(|items| &items[digit.saturating_sub(1)..items.len().min(digit + 1)]);
        entries.extend(of_pair.flatten());
    }
}

/// Items for those of the first digits that are wanted, a set.
fn by_digit(
    count: usize,
    wanted: u64,
    mut declare: impl FnMut(char) -> Result<ItemId, BuildError>,
) -> Result<Vec<Option<ItemId>>, BuildError> {
    let item = |digit: usize| (wanted >> digit & 1 != 0).then(|| declare(symbol(digit + 1))).transpose();
    (0..count).map(item).collect()
}

/// Gives items to cells.
fn give(of_places: &mut [Vec<Option<ItemId>>], cells: &[u16], items: &[Option<ItemId>]) {
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
        AreaKind::Cage(number) => format!("k{number}_"), // cages are no areas of a layout
    };
    [area.grid.map(|grid| format!("{grid}.")), Some(name)].into_iter().flatten().join("")
}

/// A number from 1 as a digit is written.
fn symbol(number: usize) -> char {
    Digit::new(number as u8).map_or('?', Digit::symbol)
}
