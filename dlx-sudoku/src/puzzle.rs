//! A puzzle: a grid, and what else it asks for or is known by.

use core::str::FromStr;
use std::sync::Arc;

use crate::parse::{self, ParseError};
use crate::variant::{Breach, Rules};
use crate::{Alphabet, Cell, Digit, Geometry, Grid, is_valid, validate, why};

/// A puzzle: the givens, and, where it has them, the candidates that its cells are restricted to, and what is known of
/// its origin.
///
/// What restricts its solutions is in fields of its own beside the [`Grid`]: so any further kind of restriction is one
/// more field here, one more condition of [`restricts`](Self::restricts), and its items in
/// [`encode`](crate::encode::restricted).
///
/// ```
/// use dlx_sudoku::{Puzzle, Solved, SudokuSolver, records};
///
/// let marks = "12 12 3 4\n34 34 1 12\n1234 1234 1234 1234\n1234 1234 1234 1234";
/// let puzzle: Puzzle = marks.parse()?;
/// assert!(puzzle.restricts());
/// let first = puzzle.grid.geometry().cell(0, 0);
/// assert_eq!(first.map(|cell| puzzle.allows(cell).map(|digit| digit.get()).collect()), Some(vec![1, 2]));
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Puzzle {
    /// The givens.
    pub grid: Grid,
    /// What the cells are restricted to beyond what the givens exclude; `None` if they are not.
    pub candidates: Option<Candidates>,
    /// What else is asked for, of this grid's geometry; `None` if rows, columns and boxes are all.
    pub rules: Option<Arc<Rules>>,
    /// What is known of its origin.
    pub notes: Option<Box<Notes>>,
    /// How its digits were written.
    pub alphabet: Alphabet,
}

impl Puzzle {
    /// Whether there are restrictions beside the givens, without which the solutions may be others.
    pub fn restricts(&self) -> bool {
        self.candidates.is_some() || self.rules.is_some()
    }

    /// Whether a cell of the grid is one of the puzzle's: all are, but where there are several grids.
    pub fn is_cell(&self, cell: Cell) -> bool {
        self.rules.as_ref().is_none_or(|rules| rules.is_cell(cell))
    }

    /// Whether a grid of this puzzle's has a digit in each cell.
    pub fn is_filled_by(&self, grid: &Grid) -> bool {
        grid.geometry().cells().all(|cell| grid.get(cell).is_some() || !self.is_cell(cell))
    }

    /// All that the givens break: houses, rules, candidates. None if they are valid.
    ///
    /// ```
    /// use dlx_sudoku::Puzzle;
    ///
    /// let puzzle: Puzzle = "rules: x\ngrid:\n1...\n....\n....\n...1\n".parse()?;
    /// let breaches: Vec<_> = puzzle.breaches().iter().map(ToString::to_string).collect();
    /// assert_eq!(breaches, ["diagonal 1 has 1 twice, in r1c1 and r4c4"]);
    /// # Ok::<(), dlx_sudoku::ParseError>(())
    /// ```
    pub fn breaches(&self) -> Vec<Breach> {
        if !self.restricts() {
            return validate(&self.grid).into_iter().map(Breach::from).collect();
        }
        let plain = Rules::new(self.grid.geometry());
        self.rules.as_deref().unwrap_or(&plain).breaches(self.into())
    }

    /// The digits that a cell may have: its given, or those that its houses have not and that its candidates, if there
    /// are any, allow. The cell must be one of the grid's.
    pub fn allows(&self, cell: Cell) -> impl Iterator<Item = Digit> + use<> {
        let allowed = Task::from(self).candidates()[self.grid.geometry().index(cell)];
        self.grid.geometry().digits().filter(move |&digit| allowed & why::bit(digit) != 0)
    }
}

/// A puzzle of givens alone.
impl From<Grid> for Puzzle {
    fn from(grid: Grid) -> Self {
        Self { grid, ..Self::default() }
    }
}

/// Reads exactly one puzzle, in any of the forms that [`records`](crate::records) knows.
impl FromStr for Puzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse::only(text.as_bytes()).map(|record| record.puzzle)
    }
}

/// For each cell the digits that it may have.
#[derive(Clone, PartialEq, Eq)]
pub struct Candidates {
    geometry: Geometry,
    sets: Box<[u64]>,
}

impl core::fmt::Debug for Candidates {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Candidates").field(&self.sets).finish()
    }
}

impl Candidates {
    /// All digits for every cell.
    ///
    /// ```
    /// use dlx_sudoku::{Candidates, Grid, Puzzle, count};
    ///
    /// let grid: Grid = "1...............".parse()?;
    /// let geometry = grid.geometry();
    /// let mut candidates = Candidates::all(geometry);
    /// for (cell, digit) in geometry.cell(0, 1).into_iter().zip(geometry.digits().skip(1)) {
    ///     candidates.exclude(cell, digit);
    /// }
    /// let mut puzzle = Puzzle::from(grid.clone());
    /// puzzle.candidates = Some(candidates);
    /// assert_eq!((count(&grid, None).value, count(&puzzle, None).value), (72, 48));
    /// # Ok::<(), dlx_sudoku::ParseError>(())
    /// ```
    pub fn all(geometry: Geometry) -> Self {
        Self { geometry, sets: vec![all_digits(geometry); geometry.cell_count()].into() }
    }

    /// Those that are sets of digits, the digit 1 as the lowest bit, row by row: as many as the shape has cells.
    pub(crate) fn from_sets(geometry: Geometry, sets: Vec<u64>) -> Self {
        debug_assert_eq!(sets.len(), geometry.cell_count());
        Self { geometry, sets: sets.into() }
    }

    /// Forbids a digit in a cell. Both must be of this shape.
    pub fn exclude(&mut self, cell: Cell, digit: Digit) {
        self.sets[self.geometry.index(cell)] &= !why::bit(digit);
    }

    /// Whether a digit is allowed in a cell. Both must be of this shape.
    pub fn contains(&self, cell: Cell, digit: Digit) -> bool {
        self.allow(self.geometry.index(cell), digit)
    }

    /// The same for a cell by its place, row by row.
    pub(crate) fn allow(&self, place: usize, digit: Digit) -> bool {
        self.sets[place] & why::bit(digit) != 0
    }

    /// The sets, row by row, the digit 1 as the lowest bit.
    pub(crate) fn sets(&self) -> &[u64] {
        &self.sets
    }
}

/// All digits of a shape as a set.
pub(crate) fn all_digits(geometry: Geometry) -> u64 {
    u64::MAX >> (Geometry::MAX_SIZE - geometry.size())
}

/// What is known of a puzzle's origin, as `.sdk` and OpenSudoku files have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notes {
    /// Its name, from a heading or a field.
    pub title: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// What it is like.
    pub description: Option<String>,
    /// Whatever else is said.
    pub comment: Option<String>,
    /// When it was published.
    pub date: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// How hard it is said to be.
    pub level: Option<String>,
    /// Where it is to be found.
    pub url: Option<String>,
}

/// What there is to solve: a grid, and the restrictions beside it. Made from a reference to a [`Grid`] or a [`Puzzle`];
/// what solves one solves the other.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) candidates: Option<&'a Candidates>,
    pub(crate) rules: Option<&'a Arc<Rules>>,
}

impl<'a> From<&'a Grid> for Task<'a> {
    fn from(grid: &'a Grid) -> Self {
        Self { grid, candidates: None, rules: None }
    }
}

impl<'a> From<&'a Puzzle> for Task<'a> {
    fn from(puzzle: &'a Puzzle) -> Self {
        Self { grid: &puzzle.grid, candidates: puzzle.candidates.as_ref(), rules: puzzle.rules.as_ref() }
    }
}

impl Task<'_> {
    /// Whether there is more to it than the grid.
    pub(crate) fn restricts(self) -> bool {
        self.candidates.is_some() || self.rules.is_some()
    }

    /// Whether no house has a given twice, the rules hold, and every given is a candidate.
    pub(crate) fn is_valid(self) -> bool {
        if let Some(rules) = self.rules {
            return rules.breaches(self).is_empty();
        }
        let allowed =
            |(&cell, &set): (&Option<Digit>, &u64)| cell.is_none_or(|digit| set & why::bit(digit) != 0);
        is_valid(self.grid)
            && self.candidates.is_none_or(|all| self.grid.cells().iter().zip(all.sets()).all(allowed))
    }

    /// The digits that each cell may have, as sets: those that givens and restrictions leave.
    pub(crate) fn candidates(self) -> Vec<u64> {
        let mut sets = match self.rules {
            Some(rules) => rules.candidates(self),
            None => why::candidates(self.grid),
        };
        if let Some(restricted) = self.candidates {
            sets.iter_mut().zip(restricted.sets()).for_each(|(set, &allowed)| *set &= allowed);
        }
        sets
    }
}
