//! Pictures: a puzzle, with its solution or with pencil marks, as SVG.

use core::fmt;

use itertools::iproduct;

use crate::puzzle::Task;
use crate::variant::{AreaKind, Layout, Rules};
use crate::{Cell, Digit, Grid, Puzzle, why};

/// The side of a cell, and what is left free around the grid.
const CELL: usize = 48;
const MARGIN: usize = 12;
/// How far the line of a cage stands off the cells' edges.
const INSET: isize = 4;

/// How the parts look: givens bold and dark, what was found lighter, pencil marks small.
const STYLE: &str = "\
text{font-family:'DejaVu Sans',Helvetica,Arial,sans-serif;text-anchor:middle}
.given{font-weight:bold;fill:#1b1b1b}.found{fill:#2f6db5}.mark{fill:#6b6b6b}.sum{fill:#333;text-anchor:start}
.thin{stroke:#b5b5b5;stroke-width:1}.thick{stroke:#1b1b1b;stroke-width:3;stroke-linecap:square}
.diagonal{stroke:#f2b868;stroke-width:3;stroke-opacity:.7}
.cage{stroke:#555;stroke-width:1.2;stroke-dasharray:4 3;fill:none}
";

/// The colours of regions, and that of windows.
const REGIONS: [&str; 6] = ["#fdf3d8", "#e3f1e0", "#e2ecf8", "#f7e3e3", "#ece5f5", "#e4f3f4"];
const WINDOW: &str = "#d9e6f5";

/// The picture of a puzzle: its givens, and the other digits of a solution, if there is one. Without it, and with
/// `marks`, what each cell may have.
///
/// ```
/// use dlx_sudoku::{Puzzle, picture};
///
/// let puzzle: Puzzle = "1...............".parse()?;
/// let svg = picture(&puzzle, None, true).to_string();
/// assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
/// assert_eq!(svg.matches("class=\"given\"").count(), 1);
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub fn picture<'a>(puzzle: &'a Puzzle, solution: Option<&'a Grid>, marks: bool) -> impl fmt::Display + 'a {
    struct Written<'a>(&'a Puzzle, Option<&'a Grid>, bool);
    impl fmt::Display for Written<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let plain = Rules::new(self.0.grid.geometry());
            let rules = self.0.rules.as_deref().unwrap_or(&plain);
            Picture { puzzle: self.0, rules, layout: Layout::of(rules) }.write(f, self.1, self.2)
        }
    }
    Written(puzzle, solution, marks)
}

struct Picture<'a> {
    puzzle: &'a Puzzle,
    rules: &'a Rules,
    layout: Layout,
}

/// Where a cell's left or upper edge is.
fn edge(index: usize) -> usize {
    MARGIN + CELL * index
}

impl Picture<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, solution: Option<&Grid>, marks: bool) -> fmt::Result {
        let (rows, columns) = self.rules.extent();
        let [width, height] = [columns, rows].map(|cells| cells * CELL + 2 * MARGIN);
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <style>\n{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        )?;
        self.shade(f)?;
        self.lines(f, "thin", |one, other| one.is_some() || other.is_some())?;
        for (number, (sum, cells)) in self.layout.cages.iter().enumerate() {
            self.cage(f, number, *sum, cells)?;
        }
        self.lines(f, "thick", |one, other| one != other)?;
        let candidates = Task::from(self.puzzle).candidates();
        for (place, cell) in self.cells() {
            match (self.puzzle.grid.get(cell), solution.and_then(|grid| grid.get(cell))) {
                (Some(digit), _) => self.digit(f, cell, digit, "given")?,
                (None, Some(digit)) => self.digit(f, cell, digit, "found")?,
                (None, None) if marks => self.marks(f, cell, candidates[place])?,
                (None, None) => {}
            }
        }
        f.write_str("</svg>\n")
    }

    /// The cells, with their places.
    fn cells(&self) -> impl Iterator<Item = (usize, Cell)> {
        self.rules.canvas().cells().enumerate().filter(|(place, _)| self.layout.is_cell[*place])
    }

    /// Colours regions, then windows, and draws diagonals.
    fn shade(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        f: &mut fmt::Formatter<'_>,
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
    fn cage(&self, f: &mut fmt::Formatter<'_>, number: usize, sum: u32, cells: &[u16]) -> fmt::Result {
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

    fn digit(&self, f: &mut fmt::Formatter<'_>, cell: Cell, digit: Digit, class: &str) -> fmt::Result {
        let (x, y) = (edge(cell.column()) + CELL / 2, edge(cell.row()) + CELL * 7 / 10);
        let digit = self.puzzle.alphabet.written(digit);
        writeln!(f, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"28\">{digit}</text>")
    }

    /// Candidates, each at its place in a square, below the sum of a cage.
    fn marks(&self, f: &mut fmt::Formatter<'_>, cell: Cell, set: u64) -> fmt::Result {
        let size = self.rules.shape().size();
        let side = size.isqrt() + usize::from(size.isqrt().pow(2) < size);
        let (room, font) = (CELL - 16, (CELL - 16) / side.max(3));
        for digit in self.rules.shape().digits().filter(|&digit| set & why::bit(digit) != 0) {
            let (row, column) = (digit.index() / side, digit.index() % side);
            let x = edge(cell.column()) + 8 + room * (2 * column + 1) / (2 * side);
            let y = edge(cell.row()) + 14 + room * (row + 1) / side - font / 4;
            let digit = self.puzzle.alphabet.written(digit);
            writeln!(f, "<text class=\"mark\" x=\"{x}\" y=\"{y}\" font-size=\"{font}\">{digit}</text>")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;

    /// The classes of the texts of a picture, if it is well-formed.
    fn texts(svg: &str) -> Vec<String> {
        let mut reader = Reader::from_str(svg);
        let mut classes = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) if element.name().as_ref() == "text" => {
                    let class = element.try_get_attribute("class").unwrap().unwrap();
                    classes.push(String::from_utf8_lossy(class.value.as_ref().as_ref()).into_owned());
                }
                Event::Eof => return classes,
                _ => {}
            }
        }
    }

    #[test]
    fn every_cell_has_its_digit_or_its_marks() {
        let text = "size: 4\nrules: x, windoku\ngrid:\n1...\n....\n....\n....\ncages:\n5: r1c2 r1c3\n7: r2c2-r2c3 r3c3\n";
        let puzzle: Puzzle = text.parse().unwrap();
        let count = |svg: &str, class: &str| texts(svg).iter().filter(|found| *found == class).count();
        let plain = picture(&puzzle, None, false).to_string();
        assert_eq!([count(&plain, "given"), count(&plain, "sum"), texts(&plain).len()], [1, 2, 3]);
        let marked = picture(&puzzle, None, true).to_string();
        let candidates =
            puzzle.grid.geometry().cells().map(|cell| puzzle.allows(cell).count()).sum::<usize>();
        assert_eq!(count(&marked, "mark"), candidates - 1);
        let mut full = puzzle.grid.clone();
        puzzle.grid.geometry().cells().for_each(|cell| full.set(cell, Digit::new(2)));
        let solved = picture(&puzzle, Some(&full), true).to_string();
        assert_eq!([count(&solved, "given"), count(&solved, "found"), count(&solved, "mark")], [1, 15, 0]);
    }

    #[test]
    fn where_no_cell_is_there_is_nothing() {
        let puzzle: Puzzle = "size: 4\ngrids: r1c1 r3c3\n".parse().unwrap();
        let svg = picture(&puzzle, None, true).to_string();
        assert!(svg.contains("width=\"312\"") && texts(&svg).iter().all(|class| class == "mark"));
        assert_eq!(texts(&svg).len(), 28 * 4);
    }
}
