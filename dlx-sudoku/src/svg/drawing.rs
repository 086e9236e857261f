//! The drawing of one grid: its cells, lines, cages, digits and pencil marks, and what a step makes of them.

use core::fmt::{self, Write as _};

use itertools::iproduct;

use crate::rate::{Candidate, Step};
use crate::variant::{AreaKind, Layout, Rules};
use crate::{Cell, Digit, Grid, Puzzle, why};

/// The side of a cell, and what is left free around the grid.
pub(super) const CELL: usize = 48;
pub(super) const MARGIN: usize = 12;
/// How far the line of a cage stands off the cells' edges.
const INSET: isize = 4;

/// The colours of regions, and that of windows.
const REGIONS: [&str; 6] = ["#fdf3d8", "#e3f1e0", "#e2ecf8", "#f7e3e3", "#ece5f5", "#e4f3f4"];
const WINDOW: &str = "#d9e6f5";

/// What a candidate is to a step. Written as its class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Placed,
    Gone,
    Rests,
}

impl Role {
    fn of(step: &Step, cell: Cell, digit: Digit) -> Option<Self> {
        let is_in = |all: &[Candidate]| all.iter().any(|it| (it.cell(), it.digit()) == (cell, digit));
        let roles =
            [(Self::Placed, step.places()), (Self::Gone, step.eliminates()), (Self::Rests, step.pattern())];
        roles.into_iter().find(|(_, all)| is_in(all)).map(|(role, _)| role)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placed => "placed",
            Self::Gone => "gone",
            Self::Rests => "rests",
        })
    }
}

pub(super) struct Drawing<'a> {
    pub(super) puzzle: &'a Puzzle,
    pub(super) rules: &'a Rules,
    pub(super) layout: Layout,
    pub(super) step: Option<&'a Step>,
}

/// Where a cell's left or upper edge is.
fn edge(index: usize) -> usize {
    MARGIN + CELL * index
}

impl Drawing<'_> {
    /// Writes the elements: the givens, other digits, and in cells that have neither their candidates, if these are known.
    pub(super) fn write(&self, f: &mut String, digits: Option<&Grid>, candidates: &[u64]) -> fmt::Result {
        self.shade(f)?;
        self.shade_pattern(f)?;
        self.lines(f, "thin", |one, other| one.is_some() || other.is_some())?;
        for (number, (sum, cells)) in self.layout.cages.iter().enumerate() {
            self.cage(f, number, *sum, cells)?;
        }
        self.lines(f, "thick", |one, other| one != other)?;
        for (place, cell) in self.cells() {
            let placed = self.step.into_iter().flat_map(Step::places).find(|it| it.cell() == cell);
            match (self.puzzle.grid.get(cell), digits.and_then(|grid| grid.get(cell))) {
                (Some(digit), _) => self.digit(f, cell, digit, "given")?,
                (None, Some(digit)) => self.digit(f, cell, digit, "found")?,
                (None, None) => match (placed, candidates.get(place)) {
                    (Some(placed), _) => self.digit(f, cell, placed.digit(), "placed")?,
                    (None, Some(&set)) => self.marks(f, cell, set)?,
                    (None, None) => {}
                },
            }
        }
        Ok(())
    }

    /// Colours the cells that a step is about.
    fn shade_pattern(&self, f: &mut String) -> fmt::Result {
        let Some(step) = self.step else { return Ok(()) };
        for (_, cell) in self.cells() {
            let is_in = |all: &[Candidate]| all.iter().any(|it| it.cell() == cell);
            let class = match (is_in(step.places()), is_in(step.pattern())) {
                (true, _) => "on-placed",
                (false, true) => "in-pattern",
                (false, false) => continue,
            };
            let (x, y) = (edge(cell.column()), edge(cell.row()));
            writeln!(f, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>")?;
        }
        Ok(())
    }

    /// The cells, with their places.
    fn cells(&self) -> impl Iterator<Item = (usize, Cell)> {
        self.rules.canvas().cells().enumerate().filter(|(place, _)| self.layout.is_cell[*place])
    }

    /// Colours regions, then windows, and draws diagonals.
    fn shade(&self, f: &mut String) -> fmt::Result {
        let canvas: Vec<Cell> = self.rules.canvas().cells().collect();
        let mut regions = 0;
        for (area, cells) in &self.layout.areas {
            let colour = match area.kind {
                AreaKind::Region(_) => {
                    regions += 1;
                    REGIONS[(regions - 1) % REGIONS.len()]
                }
                AreaKind::Window(_) => WINDOW,
                _ => continue,
            };
            for cell in cells.iter().map(|&place| canvas[usize::from(place)]) {
                let (x, y) = (edge(cell.column()), edge(cell.row()));
                writeln!(
                    f,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\"/>"
                )?;
            }
        }
        for (area, cells) in &self.layout.areas {
            if let (AreaKind::Diagonal(number), [first, .., last]) = (area.kind, &cells[..]) {
                let [first, last] = [first, last].map(|&place| canvas[usize::from(place)]);
                // From the outer corner of one cell to that of the other.
                let (left, right) = if number == 1 { (0, 1) } else { (1, 0) };
                let [x, to_x] = [edge(first.column() + left), edge(last.column() + right)];
                let [y, to_y] = [edge(first.row()), edge(last.row() + 1)];
                writeln!(f, "<path class=\"diagonal\" d=\"M{x} {y}L{to_x} {to_y}\"/>")?;
            }
        }
        Ok(())
    }

    /// What a place belongs to; `None` where there is no cell.
    fn region(&self, row: usize, column: usize) -> Option<usize> {
        let cell = self.rules.canvas().cell(row, column).filter(|&cell| self.rules.is_cell(cell))?;
        Some(self.rules.region_of(cell))
    }

    /// Lines between places whose regions call for them.
    fn lines(
        &self,
        f: &mut String,
        class: &str,
        wanted: impl Fn(Option<usize>, Option<usize>) -> bool,
    ) -> fmt::Result {
        let (rows, columns) = self.rules.extent();
        write!(f, "<path class=\"{class}\" d=\"")?;
        for (row, column) in iproduct!(0..=rows, 0..=columns) {
            let here = self.region(row, column);
            if column < columns && wanted(here, self.region(row.wrapping_sub(1), column)) {
                write!(f, "M{} {}h{CELL}", edge(column), edge(row))?;
            }
            if row < rows && wanted(here, self.region(row, column.wrapping_sub(1))) {
                write!(f, "M{} {}v{CELL}", edge(column), edge(row))?;
            }
        }
        f.write_str("\"/>\n")
    }

    /// A dashed line around a cage, and its sum. The number tells apart the lines of cages that overlap.
    fn cage(&self, f: &mut String, number: usize, sum: u32, cells: &[u16]) -> fmt::Result {
        let size = self.rules.canvas().size();
        let inset = INSET + (number % 2) as isize;
        let has = |row: isize, column: isize| {
            let place = usize::try_from(row).ok().zip(usize::try_from(column).ok());
            place.is_some_and(|(row, column)| {
                column < size && cells.binary_search(&((row * size + column) as u16)).is_ok()
            })
        };
        write!(f, "<path class=\"cage\" d=\"")?;
        for &cell in cells {
            let (row, column) = ((usize::from(cell) / size) as isize, (usize::from(cell) % size) as isize);
            let (x, y) = (edge(column as usize) as isize, edge(row as usize) as isize);
            let side = CELL as isize;
            // Where a line along a side ends: at the cage's corner, at an inner corner, or in the middle of a straight line.
            let end = |beside: bool, beyond: bool| match (beside, beyond) {
                (false, _) => inset,
                (true, true) => -inset,
                (true, false) => 0,
            };
            for step in [-1, 1] {
                let at = if step < 0 { inset } else { side - inset };
                if !has(row + step, column) {
                    let from = x + end(has(row, column - 1), has(row + step, column - 1));
                    let to = x + side - end(has(row, column + 1), has(row + step, column + 1));
                    write!(f, "M{from} {}H{to}", y + at)?;
                }
                if !has(row, column + step) {
                    let from = y + end(has(row - 1, column), has(row - 1, column + step));
                    let to = y + side - end(has(row + 1, column), has(row + 1, column + step));
                    write!(f, "M{} {from}V{to}", x + at)?;
                }
            }
        }
        f.write_str("\"/>\n")?;
        let Some(&first) = cells.first() else { return Ok(()) };
        let (x, y) = (edge(usize::from(first) % size) + 6, edge(usize::from(first) / size) + 14);
        let width = 7 * sum.to_string().len();
        writeln!(
            f,
            "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"11\" fill=\"white\"/>",
            x - 2,
            y - 11
        )?;
        writeln!(f, "<text class=\"sum\" x=\"{x}\" y=\"{y}\" font-size=\"10\">{sum}</text>")
    }

    fn digit(&self, f: &mut String, cell: Cell, digit: Digit, class: &str) -> fmt::Result {
        let font = if self.has_numbers() { 22 } else { 28 };
        // A digit is about two thirds as high as its font.
        let (x, y) = (edge(cell.column()) + CELL / 2, edge(cell.row()) + CELL / 2 + font / 3);
        let digit = self.puzzle.alphabet.written(digit);
        writeln!(f, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{font}\">{digit}</text>")
    }

    /// Whether some digits are written as two.
    fn has_numbers(&self) -> bool {
        self.puzzle.alphabet.width(self.rules.shape()) > 1
    }

    /// Candidates, each at its place in a square; where there are cages, below their sums.
    fn marks(&self, f: &mut String, cell: Cell, set: u64) -> fmt::Result {
        let size = self.rules.shape().size();
        let side = size.isqrt() + usize::from(size.isqrt().pow(2) < size);
        let top = if self.layout.cages.is_empty() { 4 } else { 14 };
        let room = CELL - 4 - top;
        let font = room * if self.has_numbers() { 6 } else { 9 } / 10 / side.max(3);
        for digit in self.rules.shape().digits().filter(|&digit| set & why::bit(digit) != 0) {
            let (row, column) = (digit.index() / side, digit.index() % side);
            let x = edge(cell.column()) + (CELL - room) / 2 + room * (2 * column + 1) / (2 * side);
            let middle = edge(cell.row()) + top + room * (2 * row + 1) / (2 * side);
            let role = self.step.and_then(|step| Role::of(step, cell, digit));
            if let Some(role) = role {
                let radius = room / side.max(3) / 2;
                writeln!(f, "<circle class=\"on-{role}\" cx=\"{x}\" cy=\"{middle}\" r=\"{radius}\"/>")?;
            }
            let class = role.map_or("mark".to_owned(), |role| role.to_string());
            // Half the height of a digit below the middle.
            let y = middle + font * 4 / 11;
            let digit = self.puzzle.alphabet.written(digit);
            writeln!(f, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{font}\">{digit}</text>")?;
        }
        Ok(())
    }
}
