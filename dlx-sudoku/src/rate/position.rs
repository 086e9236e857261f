//! A position on the way to the solution: the digits so far and the candidates that are left.

use super::step::{Candidate, Step};
use super::table::{CELLS, Cells, DIGITS, HOUSES, HOUSES_OF, PEERS, PLACES_OF, bits, cells};
use crate::{Cell, Digit, Geometry, Grid, Task};

/// The digits of a 9x9 grid so far, and the candidates (pencil marks) of its blank cells.
///
/// ```
/// use dlx_sudoku::Grid;
/// use dlx_sudoku::rate::{Position, next_step};
///
/// let grid: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut position = Position::new(&grid);
/// let step = next_step(&grid)?.expect("blank cells");
/// position.apply(&step);
/// let placed = step.places()[0];
/// assert_eq!(position.digit(placed.cell()), Some(placed.digit()));
/// assert_eq!(position.candidates(placed.cell()).count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    digits: [Option<Digit>; 81],
    masks: [u16; 81],   // the candidates of each cell; none where there is a digit
    at: [[u16; 27]; 9], // the places of each digit as a candidate in each house
    spread: [Cells; 9], // the cells of each digit as a candidate
}

impl Position {
    /// The position of a 9x9 grid or puzzle in which the candidates of a cell are the digits that none of its peers has and that
    /// the puzzle's own candidates, if it has any, allow. A grid of another shape counts as blank.
    pub fn new<'a>(puzzle: impl Into<Task<'a>>) -> Self {
        let Task { grid, candidates, .. } = puzzle.into();
        let mut position = Self::full();
        if grid.geometry() != Geometry::CLASSIC {
            return position;
        }
        for (number, &cell) in CELLS.iter().enumerate() {
            let excluded = |digit: &Digit| candidates.is_some_and(|all| !all.contains(cell, *digit));
            for digit in DIGITS.into_iter().filter(excluded) {
                position.remove(Candidate::new(number, digit.index()));
            }
            if let Some(digit) = grid.get(cell) {
                position.place(Candidate::new(number, digit.index()));
            }
        }
        position
    }

    /// All cells blank, with all candidates.
    pub(super) fn full() -> Self {
        Self { digits: [None; 81], masks: [0x1ff; 81], at: [[0x1ff; 27]; 9], spread: [(1 << 81) - 1; 9] }
    }

    /// The digit of a cell.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.digits.get(Geometry::CLASSIC.index(cell)).copied().flatten()
    }

    /// The candidates of a cell, ascending; none where there is a digit.
    pub fn candidates(&self, cell: Cell) -> impl Iterator<Item = Digit> {
        bits(self.masks.get(Geometry::CLASSIC.index(cell)).copied().unwrap_or(0)).map(|digit| DIGITS[digit])
    }

    /// The digits so far as a grid.
    pub fn grid(&self) -> Grid {
        Grid::classic(self.digits)
    }

    /// Does what a step says.
    pub fn apply(&mut self, step: &Step) {
        step.eliminates().iter().for_each(|&candidate| self.remove(candidate));
        step.places().iter().for_each(|&candidate| self.place(candidate));
    }

    /// Whether every cell has its digit.
    pub(super) fn is_full(&self) -> bool {
        self.digits.iter().all(Option::is_some)
    }

    /// The candidates of a cell.
    pub(super) fn mask(&self, cell: usize) -> u16 {
        self.masks[cell]
    }

    /// The places that a digit can take in a house where it is not yet.
    pub(super) fn at(&self, digit: usize, house: usize) -> u16 {
        self.at[digit][house]
    }

    /// The cells that can take a digit.
    pub(super) fn spread(&self, digit: usize) -> Cells {
        self.spread[digit]
    }

    /// The blank cells that have exactly so many candidates.
    pub(super) fn cells_with(&self, count: u32) -> Cells {
        (0..81).filter(|&cell| self.masks[cell].count_ones() == count).fold(0, |set, cell| set | 1 << cell)
    }

    /// Whether this is still a candidate.
    pub(super) fn has(&self, candidate: Candidate) -> bool {
        self.masks[candidate.at()] & candidate.bit() != 0
    }

    /// All candidates, cell by cell.
    pub(super) fn all(&self) -> impl Iterator<Item = Candidate> {
        (0..81).flat_map(|cell| bits(self.masks[cell]).map(move |digit| Candidate::new(cell, digit)))
    }

    /// The candidates of a digit within a set of cells.
    pub(super) fn of(&self, digit: usize, within: Cells) -> Vec<Candidate> {
        cells(self.spread[digit] & within).map(|cell| Candidate::new(cell, digit)).collect()
    }

    /// The candidates of some digits within a set of cells.
    pub(super) fn of_all(&self, digits: u16, within: Cells) -> Vec<Candidate> {
        bits(digits).flat_map(|digit| self.of(digit, within)).collect()
    }

    /// The other place of a digit in a house where there are two.
    pub(super) fn partner(&self, digit: usize, house: usize, cell: usize) -> Option<usize> {
        let places = self.at[digit][house];
        if places.count_ones() != 2 {
            return None;
        }
        bits(places).map(|place| usize::from(HOUSES[house][place])).find(|&other| other != cell)
    }

    /// Writes a digit into its cell and removes what that rules out.
    pub(super) fn place(&mut self, candidate: Candidate) {
        let (cell, digit) = (candidate.at(), candidate.index());
        self.digits[cell] = Some(DIGITS[digit]);
        bits(self.masks[cell]).for_each(|other| self.remove(Candidate::new(cell, other)));
        cells(PEERS[cell] & self.spread[digit]).for_each(|peer| self.remove(Candidate::new(peer, digit)));
    }

    /// Removes a candidate, if it is one.
    pub(super) fn remove(&mut self, candidate: Candidate) {
        let (cell, digit) = (candidate.at(), candidate.index());
        self.masks[cell] &= !candidate.bit();
        self.spread[digit] &= !(1 << cell);
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
            self.at[digit][usize::from(house)] &= !(1 << place);
        }
    }
}
