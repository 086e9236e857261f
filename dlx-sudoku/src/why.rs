//! Why a puzzle has no solution: a short reason, if there is one.

use core::fmt;

use itertools::Itertools;

use crate::puzzle::Task;
use crate::variant::{self, Area, Breach, Layout, Rules};
use crate::{Cell, Clash, Digit, Geometry, Grid, House, validate};

/// Why a puzzle has no solution: the first of these that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSolution {
    /// Givens clash: all clashes.
    Clash(Vec<Clash>),
    /// An empty cell whose houses have every digit already.
    NoCandidate(Cell),
    /// A digit that no cell of a house can take.
    NoPlace {
        /// The house.
        house: House,
        /// The digit.
        digit: Digit,
    },
    /// Givens break the rules of a variant: all breaches.
    Breach(Vec<Breach>),
    /// No digits that its cells can have add up to the sum of a cage.
    NoSum {
        /// Which cage, from 1.
        cage: u16,
        /// The sum.
        sum: u32,
    },
    /// A digit that no cell of an area of a variant can take.
    NoPlaceIn {
        /// The area.
        area: Area,
        /// The digit.
        digit: Digit,
    },
    /// None of these: only a search shows it.
    Search,
}

impl fmt::Display for NoSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clash(clashes) => write!(f, "{}", clashes.iter().format("; ")),
            Self::NoCandidate(cell) => write!(f, "no digit fits {cell}"),
            Self::NoPlace { house, digit } => write!(f, "no place for {digit} in {house}"),
            Self::Breach(breaches) => write!(f, "{}", breaches.iter().format("; ")),
            Self::NoSum { cage, sum } => write!(f, "no digits for cage {cage} add up to {sum}"),
            Self::NoPlaceIn { area, digit } => write!(f, "no place for {digit} in {area}"),
            Self::Search => f.write_str("no solution (found by search)"),
        }
    }
}

/// Why a puzzle that has no solution has none. Does not search: for a puzzle that has solutions the answer is
/// [`Search`](NoSolution::Search), which then says nothing.
///
/// ```
/// use dlx_sudoku::{Grid, why_none};
///
/// let puzzle: Grid = format!("12345678.{}9{}", ".".repeat(35), ".".repeat(36)).parse()?;
/// assert_eq!(why_none(&puzzle).to_string(), "no digit fits r1c9");
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub fn why_none<'a>(puzzle: impl Into<Task<'a>>) -> NoSolution {
    let task = puzzle.into();
    if let Some(rules) = task.rules {
        return why_none_by(rules, task);
    }
    let grid = task.grid;
    let clashes = validate(grid);
    if !clashes.is_empty() {
        return NoSolution::Clash(clashes);
    }
    let geometry = grid.geometry();
    let candidates = task.candidates();
    let of = |cell: Cell| candidates[geometry.index(cell)];
    if let Some(cell) = geometry.cells().find(|&cell| of(cell) == 0) {
        return NoSolution::NoCandidate(cell);
    }
    let missing = geometry.houses().find_map(|house| {
        let possible = geometry.cells_of(house).fold(0, |digits, cell| digits | of(cell));
        let digit = geometry.digits().find(|digit| possible & bit(*digit) == 0)?;
        Some(NoSolution::NoPlace { house, digit })
    });
    missing.unwrap_or(NoSolution::Search)
}

/// The same for a puzzle with rules.
fn why_none_by(rules: &Rules, task: Task<'_>) -> NoSolution {
    let breaches = rules.breaches(task);
    if !breaches.is_empty() {
        return NoSolution::Breach(breaches);
    }
    let layout = Layout::of(rules);
    let candidates = task.candidates();
    let possible = |cells: &[u16]| cells.iter().fold(0, |all, &cell| all | candidates[usize::from(cell)]);
    let impossible = (1..)
        .zip(&layout.cages)
        .find(|(_, (sum, cells))| !variant::has_sum(possible(cells), cells.len(), *sum));
    if let Some((cage, &(sum, _))) = impossible {
        return NoSolution::NoSum { cage, sum };
    }
    let none = |&(place, _): &(usize, Cell)| layout.is_cell[place] && candidates[place] == 0;
    if let Some((_, cell)) = rules.canvas().cells().enumerate().find(none) {
        return NoSolution::NoCandidate(cell);
    }
    let missing = layout.areas.iter().find_map(|(area, cells)| {
        let digit = rules.shape().digits().find(|digit| possible(cells) & bit(*digit) == 0)?;
        Some(NoSolution::NoPlaceIn { area: *area, digit })
    });
    missing.unwrap_or(NoSolution::Search)
}

/// A digit as a set.
pub(crate) fn bit(digit: Digit) -> u64 {
    1 << digit.index()
}

/// The digits that each cell can have: its own if it has one, else those that its houses have not.
pub(crate) fn candidates(grid: &Grid) -> Vec<u64> {
    let geometry = grid.geometry();
    let mut taken = [[0; Geometry::MAX_SIZE]; 3];
    for (cell, digit) in grid.givens() {
        for (kind, house) in [cell.row(), cell.column(), geometry.box_of(cell)].into_iter().enumerate() {
            taken[kind][house] |= bit(digit);
        }
    }
    let all = u64::MAX >> (Geometry::MAX_SIZE - geometry.size());
    let free = |cell: Cell| {
        all & !(taken[0][cell.row()] | taken[1][cell.column()] | taken[2][geometry.box_of(cell)])
    };
    geometry.cells().map(|cell| grid.get(cell).map_or_else(|| free(cell), bit)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Grid, Solved, solve};

    fn why(text: &str) -> String {
        match solve(&text.parse::<Grid>().unwrap()) {
            Solved::None(reason) => reason.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_shortest_reason_is_given() {
        assert_eq!(why(&format!("5.......5{}", ".".repeat(72))), "row 1 has 5 twice, in r1c1 and r1c9");
        // Boxes 2 and 3 have their 1 in other rows, columns 1 and 2 below, and r1c3 is filled.
        let rows =
            ["..2......", "...1.....", "......1..", "1........", ".........", ".........", ".1......."];
        assert_eq!(why(&format!("{}{}", rows.concat(), ".".repeat(18))), "no place for 1 in row 1");
        assert_eq!(why(&format!("12345678.{}9{}", ".".repeat(35), ".".repeat(36))), "no digit fits r1c9");
    }
}
