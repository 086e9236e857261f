//! A grid: which cells hold which digit.

use core::fmt;
use core::str::FromStr;

use smallvec::SmallVec;

use crate::parse::{self, ParseError, ParseErrorKind, Record};
use crate::{Cell, Digit, Geometry};

/// The cells of a grid of up to nine digits are held in place, those of larger ones on the heap.
type Cells = SmallVec<[Option<Digit>; 81]>;

/// A grid, filled in part or in full. It need not be [valid](crate::validate).
///
/// It prints as a grid with box drawing; [`one_line`](Self::one_line) and [`json`](Self::json) are the other forms.
/// What it prints, it reads ([`FromStr`] takes exactly one puzzle, [`records`](crate::records) any number of them).
///
/// ```
/// use dlx_sudoku::Grid;
///
/// let grid: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(grid.given_count(), 30);
/// assert_eq!(grid.to_string().lines().nth(1), Some("│ 5 3 . │ . 7 . │ . . . │"));
/// assert_eq!(grid.to_string().parse(), Ok(grid));
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    geometry: Geometry,
    cells: Cells,
}

impl Grid {
    /// A grid without givens.
    pub fn empty(geometry: Geometry) -> Self {
        Self { geometry, cells: SmallVec::from_elem(None, geometry.cell_count()) }
    }

    /// A 9x9 grid of these cells, row by row.
    pub(crate) fn classic(cells: [Option<Digit>; 81]) -> Self {
        Self { geometry: Geometry::CLASSIC, cells: SmallVec::from_buf(cells) }
    }

    /// Its shape.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The digit of a cell, which must be one of this grid's.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        self.cells[self.geometry.index(cell)]
    }

    /// Fills a cell, or empties it. The cell must be one of this grid's, and the digit at most its size.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        debug_assert!(digit.is_none_or(|digit| digit.index() < self.geometry.size()));
        let index = self.geometry.index(cell);
        self.cells[index] = digit;
    }

    /// Empties all cells.
    pub fn clear(&mut self) {
        self.cells.fill(None);
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[Option<Digit>] {
        &self.cells
    }

    /// All cells, row by row, to be changed in place.
    pub(crate) fn cells_mut(&mut self) -> &mut [Option<Digit>] {
        &mut self.cells
    }

    /// The filled cells with their digits, row by row.
    pub fn givens(&self) -> impl Iterator<Item = (Cell, Digit)> {
        self.geometry.cells().zip(self.cells()).filter_map(|(cell, &digit)| Some((cell, digit?)))
    }

    /// The number of filled cells.
    pub fn given_count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    /// Whether every cell is filled.
    pub fn is_full(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }
}

/// The empty 9x9 grid.
impl Default for Grid {
    fn default() -> Self {
        Self::empty(Geometry::CLASSIC)
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({})", self.one_line())
    }
}

/// Reads exactly one puzzle, in any of the forms that [`records`](crate::records) knows. Candidates that say more than the
/// givens do are an error: a [`Puzzle`](crate::Puzzle) has them.
impl FromStr for Grid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let Record { line, puzzle } = parse::only(text.as_bytes())?;
        match puzzle.restricts() {
            false => Ok(puzzle.grid),
            true => Err(ParseError { line, column: 1, kind: ParseErrorKind::Restricted }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn cells_are_read_back_as_set() {
        let geometry = Geometry::new(4, 4).unwrap();
        let mut grid = Grid::empty(geometry);
        let cell = geometry.cell(15, 3).unwrap();
        grid.set(cell, Digit::new(16));
        assert_eq!(grid.get(cell), Digit::new(16));
        assert_eq!(grid.givens().collect::<Vec<_>>(), [(cell, Digit::new(16).unwrap())]);
        assert_eq!((grid.given_count(), grid.is_full()), (1, false));
        grid.clear();
        assert_eq!(grid, Grid::empty(geometry));
    }

    #[test]
    fn from_str_takes_one_puzzle_and_no_more() {
        let line = ".".repeat(81);
        assert_eq!(line.parse(), Ok(Grid::default()));
        assert_eq!("".parse::<Grid>().unwrap_err().to_string(), "1:1: no puzzle, expected 81 cells");
        let two = format!("{line}\n\n{line}\n").parse::<Grid>().unwrap_err();
        assert_eq!(two.to_string(), "3:1: a second puzzle, expected one only");
    }
}
