//! A sudoku as an exact cover problem.
//!
//! There is one problem for each [`Geometry`], that of the empty grid; a puzzle is the same problem with its givens
//! assumed. For *n* digits it has 4*n*² items, all primary, in this order (324 in the usual sudoku):
//!
//! | items | what has to be covered | example |
//! |---|---|---|
//! | `p`*rc* | the cell in row *r* and column *c* has a digit | `p12`: row 1, column 2 |
//! | `r`*rd* | row *r* has digit *d* | `r15`: row 1 has a 5 |
//! | `c`*cd* | column *c* has digit *d* | `c25`: column 2 has a 5 |
//! | `b`*bd* | box *b* has digit *d* | `b15`: box 1 has a 5 |
//!
//! and *n*³ options (729), one for each cell and digit: cell by cell as one reads, the digits of a cell in ascending
//! order, so that [`option_id`] is arithmetic. Rows, columns and boxes above 9 are written like digits, as letters. The
//! items are those of Knuth's sudoku examples (*The Art of Computer Programming* 4B, section 7.2.2.1), who counts from 0.
//!
//! # Variants
//!
//! A puzzle with [rules](crate::variant) has a problem of its own ([`restricted`]), of what its givens leave open: an option
//! for each cell without a given and each digit that it may have, with the items of all that the cell is in.
//!
//! | items | | what is covered | example |
//! |---|---|---|---|
//! | cell | primary | the cell has a digit | `p12` |
//! | area and digit | primary | the row, column, box, region, diagonal, window, group has the digit | `r15`, `x15`; `2.r15`: row 1 of grid 2 |
//! | pair and digit | secondary | at most one of two cells a knight's or king's move apart has the digit | `n1_5`: the first pair |
//! | neighbours and digit | secondary | at most one of both has the digit or the next one | `v1_5`: 5 or 6 in the first pair |
//! | cage | primary | the cage has a set of digits | `k1` |
//! | cage and digit | primary | the digit is in a cell of the cage, or not in its set | `k1_5` |
//!
//! For each set of as many digits as a cage has cells, and with its sum, there is an option of the cage and of the digits
//! that are *not* in the set. So the cells of a cage have the digits of a set, each once, and no colors are needed. Cages
//! that follow from the others, as houses have known sums, have items like theirs. A solution has exactly one set for each
//! cage: there are as many solutions as the puzzle has.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use dlx_core::{BuildError, OptionId, Problem, ProblemBuilder};
use itertools::iproduct;

use crate::puzzle::Task;
use crate::{Cell, Digit, Geometry, Grid, variant, why};

/// The exact cover problem of the empty grid. It is compiled once for each geometry; what is returned is a reference.
///
/// ```
/// use dlx_sudoku::{Geometry, encode};
///
/// let problem = encode::problem(Geometry::CLASSIC);
/// assert_eq!((problem.item_count(), problem.option_count(), problem.entry_count()), (324, 729, 4 * 729));
///
/// let small = encode::problem(Geometry::new(2, 2)?);
/// let option = small.options().nth(6).map(|option| small.option(option).to_string());
/// assert_eq!(option.as_deref(), Some("p12 r13 c23 b13"));
/// # Ok::<(), dlx_sudoku::GeometryError>(())
/// ```
pub fn problem(geometry: Geometry) -> Problem {
    static COMPILED: Mutex<BTreeMap<Geometry, Problem>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    compiled.entry(geometry).or_insert_with(|| compile(geometry)).clone()
}

#[expect(clippy::expect_used, reason = "names that are distinct, and 64^3 options at the most")]
fn compile(geometry: Geometry) -> Problem {
    build(geometry).expect("the items of a grid are distinct and few enough")
}

fn build(geometry: Geometry) -> Result<Problem, BuildError> {
    Ok(build_of(geometry, |_, _| true)?.0)
}

/// The exact cover problem of one puzzle: the items of the empty grid, and those of its options that the givens and the
/// restrictions beside them leave. With, for each option, the one that it is in [`problem`]. Takes *O*(*n*³) for *n*
/// digits, and is compiled anew each time.
///
/// [Rules](variant) have items of their own: moves and neighbours secondary ones, all others primary ones. The problem is
/// then that of the cells without givens, and the sets of digits of cages are options as well, after those of cells; they
/// are none in [`problem`].
///
/// ```
/// use dlx_sudoku::{Grid, encode};
///
/// let grid: Grid = "1...............".parse()?;
/// let (problem, options) = encode::restricted(&grid);
/// assert_eq!((problem.item_count(), problem.option_count()), (64, 1 + 7 * 3 + 8 * 4));
/// assert_eq!(options[1].index(), 4 + 1); // a 2 in row 1, column 2
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
#[expect(clippy::expect_used, reason = "as the whole grid's")]
pub fn restricted<'a>(puzzle: impl Into<Task<'a>>) -> (Problem, Vec<OptionId>) {
    let task = puzzle.into();
    let (geometry, candidates) = (task.grid.geometry(), task.candidates());
    if let Some(rules) = task.rules {
        return variant::encode(rules, task).expect("the items of a puzzle are distinct and few enough");
    }
    build_of(geometry, |cell, digit| candidates[geometry.index(cell)] & why::bit(digit) != 0)
        .expect("the items of a grid are distinct and few enough")
}

/// The problem of the options that are wanted, and what they are in that of all.
fn build_of(
    geometry: Geometry,
    wanted: impl Fn(Cell, Digit) -> bool,
) -> Result<(Problem, Vec<OptionId>), BuildError> {
    let mut options = Vec::new();
    let mut builder = ProblemBuilder::new();
    let mut items = Vec::with_capacity(4 * geometry.cell_count());
    for (kind, major, minor) in iproduct!(['p', 'r', 'c', 'b'], geometry.digits(), geometry.digits()) {
        items.push(builder.primary(&format!("{kind}{major}{minor}"))?);
    }
    let item = |kind: usize, major: usize, minor: usize| {
        items[(kind * geometry.size() + major) * geometry.size() + minor]
    };
    for (cell, digit) in
        iproduct!(geometry.cells(), geometry.digits()).filter(|&(cell, digit)| wanted(cell, digit))
    {
        options.push(option_id(geometry, cell, digit));
        let digit = digit.index();
        builder.option([
            item(0, cell.row(), cell.column()),
            item(1, cell.row(), digit),
            item(2, cell.column(), digit),
            item(3, geometry.box_of(cell), digit),
        ])?;
    }
    Ok((builder.build()?, options))
}

/// The option that puts a digit into a cell. Both must be of this geometry.
///
/// ```
/// use dlx_sudoku::{Geometry, encode};
///
/// let geometry = Geometry::CLASSIC;
/// let option = geometry.cell(0, 1).zip(geometry.digits().nth(4)).map(|(cell, digit)| encode::option_id(geometry, cell, digit));
/// assert_eq!(option.map(|option| option.index()), Some(9 + 4));
/// ```
pub fn option_id(geometry: Geometry, cell: Cell, digit: Digit) -> OptionId {
    option_at(geometry, geometry.index(cell), digit.index())
}

/// The same for a cell and a digit by their places, the cell's row by row.
#[expect(clippy::expect_used, reason = "less than 64^3")]
pub(crate) fn option_at(geometry: Geometry, place: usize, digit: usize) -> OptionId {
    OptionId::new((place * geometry.size() + digit) as u32).expect("a grid has few options")
}

/// The options that a grid's givens are, row by row.
pub fn assumptions(grid: &Grid) -> impl Iterator<Item = OptionId> {
    let geometry = grid.geometry();
    let cells = grid.cells().iter().enumerate();
    cells.filter_map(move |(place, &cell)| Some(option_at(geometry, place, cell?.index())))
}

/// The same in place of the first ones of `room`, which is for as many as there are cells; and only these. For batches: without a
/// branch at each cell, for no processor foresees where the givens are.
pub(crate) fn collect_assumptions<'a>(grid: &Grid, room: &'a mut [OptionId]) -> &'a [OptionId] {
    let size = grid.geometry().size() as u32;
    let (mut count, mut before) = (0, u32::MAX); // the option before the first one of a cell
    for &cell in grid.cells() {
        let digit = cell.map_or(0, Digit::get);
        // An empty cell leaves there what does not count.
        let option = OptionId::new(before.wrapping_add(digit.into()));
        if let (Some(place), Some(option)) = (room.get_mut(count), option) {
            *place = option;
        }
        count += usize::from(digit != 0);
        before = before.wrapping_add(size);
    }
    &room[..count]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_option_covers_its_cell_and_its_digit_in_three_houses() {
        let geometry = Geometry::CLASSIC;
        let problem = problem(geometry);
        for (cell, digit) in iproduct!(geometry.cells(), geometry.digits()) {
            let option = problem.option(option_id(geometry, cell, digit));
            let [row, column, in_box] = geometry.houses_of(cell).map(|house| house.number);
            let expected = format!("p{row}{column} r{row}{digit} c{column}{digit} b{in_box}{digit}");
            assert_eq!(option.to_string(), expected);
        }
        assert!(problem.items().all(|item| problem.is_primary(item)));
    }

    #[test]
    fn sizes_above_nine_have_letters_in_their_names() {
        let problem = problem(Geometry::new(4, 4).unwrap());
        assert_eq!(problem.item_count(), 4 * 256);
        assert_eq!(problem.option(problem.options().last().unwrap()).to_string(), "pGG rGG cGG bGG");
    }

    #[test]
    fn both_ways_to_the_assumptions_lead_to_the_same() {
        for (rows, columns) in [(3, 3), (8, 8), (1, 1), (2, 3)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            for step in [1, 2, 7, usize::MAX] {
                let mut grid = Grid::empty(geometry);
                for (place, cell) in geometry.cells().enumerate().skip(1).step_by(step) {
                    grid.set(cell, Digit::new((place % geometry.size() + 1) as u8));
                }
                let mut room = vec![option_at(geometry, 0, 0); geometry.cell_count()];
                let collected = collect_assumptions(&grid, &mut room);
                let options: Vec<_> = assumptions(&grid).collect();
                assert_eq!(collected, options);
                let named: Vec<_> =
                    grid.givens().map(|(cell, digit)| option_id(geometry, cell, digit)).collect();
                assert_eq!(options, named);
            }
        }
    }

    #[test]
    fn a_geometry_is_compiled_once() {
        // Equal names at equal addresses: both hold the same problem.
        let [one, two] = [problem(Geometry::CLASSIC), problem(Geometry::CLASSIC)];
        let item = one.items().next().unwrap();
        assert!(std::ptr::eq(one.item_name(item).unwrap(), two.item_name(item).unwrap()));
    }
}
