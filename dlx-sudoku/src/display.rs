//! How a grid is printed: with box drawing, on one line, as JSON.

use core::fmt::{self, Write as _};

use itertools::Itertools;

use crate::variant::Rules;
use crate::{Alphabet, Digit, Grid, Puzzle};

/// The digit's character, `.` for a blank.
fn symbol(cell: Option<Digit>) -> char {
    cell.map_or('.', Digit::symbol)
}

/// The grid with box drawing, one row a line, no newline at the end.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.drawn(Alphabet::Symbols))
    }
}

/// A grid, and where its lines run: around cells of the same region, or box.
struct Drawing<'a> {
    grid: &'a Grid,
    alphabet: Alphabet,
    rules: Option<&'a Rules>,
}

impl Drawing<'_> {
    /// What a place of the canvas belongs to; `None` where there is no cell.
    fn region(&self, row: usize, column: usize) -> Option<usize> {
        let geometry = self.grid.geometry();
        let cell = geometry.cell(row, column)?;
        match self.rules {
            Some(rules) => rules.is_cell(cell).then(|| rules.region_of(cell)),
            None => Some(geometry.box_of(cell)),
        }
    }

    /// Whether there is a line above a place.
    fn above(&self, row: usize, column: usize) -> bool {
        self.region(row.wrapping_sub(1), column) != self.region(row, column)
    }

    /// Whether there is a line to the left of a place.
    fn left(&self, row: usize, column: usize) -> bool {
        self.region(row, column.wrapping_sub(1)) != self.region(row, column)
    }

    /// What stands where the lines above, below, to the left and to the right of a corner meet.
    fn joint(&self, row: usize, column: usize) -> char {
        const JOINTS: [char; 16] =
            [' ', '╵', '╷', '│', '╴', '┘', '┐', '┤', '╶', '└', '┌', '├', '─', '┴', '┬', '┼'];
        let (up, west) = (row.wrapping_sub(1), column.wrapping_sub(1));
        let lines =
            [self.left(up, column), self.left(row, column), self.above(row, west), self.above(row, column)];
        JOINTS[lines.iter().rev().fold(0, |all, &line| 2 * all + usize::from(line))]
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = match self.rules {
            Some(rules) => rules.extent(),
            None => (self.grid.geometry().size(), self.grid.geometry().size()),
        };
        let width = self.alphabet.width(self.rules.map_or(self.grid.geometry(), Rules::shape));
        // Where no line runs in any row or column, no room is left for it.
        let drawn: Vec<bool> =
            (0..=columns).map(|column| (0..rows).any(|row| self.left(row, column))).collect();
        let mut line = String::new();
        for row in 0..=rows {
            if (0..columns).any(|column| self.above(row, column)) {
                line.clear();
                self.rule(&mut line, row, &drawn, width)?;
                let before = if row > 0 { "\n" } else { "" };
                write!(f, "{before}{}", line.trim_end())?;
            }
            if row < rows {
                line.clear();
                self.row(&mut line, row, &drawn, width)?;
                write!(f, "\n{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

impl Drawing<'_> {
    /// What is above a row: lines, and room where there are none.
    fn rule(&self, text: &mut String, row: usize, drawn: &[bool], width: usize) -> fmt::Result {
        for (column, &drawn) in drawn.iter().enumerate() {
            if drawn {
                // The blank before a line belongs to the cell to its left.
                if column > 0 {
                    text.write_char(if self.above(row, column - 1) { '─' } else { ' ' })?;
                }
                text.write_char(self.joint(row, column))?;
            }
            let line = if self.above(row, column) { '─' } else { ' ' };
            (0..=width).try_for_each(|_| text.write_char(line))?;
        }
        Ok(())
    }

    /// The cells of a row, each in so many characters, and the lines between them.
    fn row(&self, text: &mut String, row: usize, drawn: &[bool], width: usize) -> fmt::Result {
        for (column, &drawn) in drawn.iter().enumerate() {
            if drawn {
                let line = if self.left(row, column) { '│' } else { ' ' };
                text.write_str(if column > 0 { " " } else { "" })?;
                text.write_char(line)?;
            }
            let digit = self.grid.geometry().cell(row, column).and_then(|cell| self.grid.get(cell));
            match (self.region(row, column), digit) {
                (Some(_), Some(digit)) => write!(text, " {:>width$}", self.alphabet.written(digit))?,
                (Some(_), None) => write!(text, " {:>width$}", '.')?,
                (None, _) => write!(text, " {:>width$}", ' ')?,
            }
        }
        Ok(())
    }
}

impl Grid {
    /// The grid with box drawing, its digits in an alphabet; numbers are set flush right.
    ///
    /// ```
    /// use dlx_sudoku::{Alphabet, Grid};
    ///
    /// let grid: Grid = "1.4.............".parse()?;
    /// let lines = grid.drawn(Alphabet::Letters).to_string();
    /// assert_eq!(lines.lines().nth(1), Some("│ A . │ D . │"));
    /// # Ok::<(), dlx_sudoku::ParseError>(())
    /// ```
    pub fn drawn(&self, alphabet: Alphabet) -> impl fmt::Display + '_ {
        Drawing { grid: self, alphabet, rules: None }
    }

    /// All cells on one line, row by row, `.` for a blank.
    ///
    /// ```
    /// let grid = dlx_sudoku::Grid::default();
    /// assert_eq!(grid.one_line().to_string(), ".".repeat(81));
    /// ```
    pub fn one_line(&self) -> impl fmt::Display {
        struct OneLine<'a>(&'a Grid);
        impl fmt::Display for OneLine<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.cells().iter().try_for_each(|&cell| f.write_char(symbol(cell)))
            }
        }
        OneLine(self)
    }

    /// Appends the cells as [`one_line`](Self::one_line) has them: for batches, in which the formatting machinery would
    /// take longer than an easy puzzle takes to solve.
    ///
    /// ```
    /// let mut text = b"> ".to_vec();
    /// dlx_sudoku::Grid::default().append_to(&mut text);
    /// assert_eq!(text, format!("> {}", ".".repeat(81)).into_bytes());
    /// ```
    pub fn append_to(&self, text: &mut Vec<u8>) {
        if self.geometry().size() <= 9 {
            // Without a table, so that it can be done for many cells at a time.
            text.extend(self.cells().iter().map(|cell| cell.map_or(b'.', |digit| b'0' + digit.get())));
        } else {
            text.extend(self.cells().iter().map(|&cell| symbol(cell) as u8));
        }
    }

    /// A JSON array of rows, each an array of numbers, 0 for a blank; on one line.
    ///
    /// ```
    /// use dlx_sudoku::{Geometry, Grid};
    /// let grid = Grid::empty(Geometry::new(1, 2)?);
    /// assert_eq!(grid.json().to_string(), "[[0,0],[0,0]]");
    /// # Ok::<(), dlx_sudoku::GeometryError>(())
    /// ```
    pub fn json(&self) -> impl fmt::Display {
        struct Json<'a>(&'a Grid);
        impl fmt::Display for Json<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let rows = self.0.cells().chunks(self.0.geometry().size());
                let rows = rows.map(|row| row.iter().map(|cell| cell.map_or(0, Digit::get)).format(","));
                write!(f, "[{}]", rows.format_with(",", |row, f| f(&format_args!("[{row}]"))))
            }
        }
        Json(self)
    }
}

impl Puzzle {
    /// A grid of this puzzle's geometry, such as a solution, with box drawing: in this puzzle's alphabet, and with lines
    /// around its regions, if it has any.
    ///
    /// ```
    /// use dlx_sudoku::Puzzle;
    ///
    /// let puzzle: Puzzle = "grids: r1c1 r2c2\nsize: 2\n".parse()?;
    /// assert!(puzzle.drawn(&puzzle.grid).to_string().starts_with("┌"));
    /// # Ok::<(), dlx_sudoku::ParseError>(())
    /// ```
    pub fn drawn<'a>(&'a self, grid: &'a Grid) -> impl fmt::Display + 'a {
        Drawing { grid, alphabet: self.alphabet, rules: self.rules.as_deref() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Geometry;

    #[test]
    fn boxes_that_are_not_square_are_drawn_as_they_are() {
        let geometry = Geometry::new(2, 3).unwrap();
        let mut grid = Grid::empty(geometry);
        grid.set(geometry.cell(0, 3).unwrap(), Digit::new(6));
        let expected = "\
┌───────┬───────┐
│ . . . │ 6 . . │
│ . . . │ . . . │
├───────┼───────┤
│ . . . │ . . . │
│ . . . │ . . . │
├───────┼───────┤
│ . . . │ . . . │
│ . . . │ . . . │
└───────┴───────┘";
        assert_eq!(grid.to_string(), expected);
    }

    #[test]
    fn lines_run_around_regions_and_grids() {
        let jigsaw: Puzzle = "regions:\naabb\nacbb\nacdd\nccdd\n".parse().unwrap();
        let expected = "\
┌───────┬─────┐
│ .   . │ . . │
│   ┌───┤     │
│ . │ . │ . . │
│   │   ├─────┤
│ . │ . │ . . │
├───┘   │     │
│ .   . │ . . │
└───────┴─────┘";
        assert_eq!(jigsaw.drawn(&jigsaw.grid).to_string(), expected);
        let twins: Puzzle = "size: 4\ngrids: r1c1 r3c3\n".parse().unwrap();
        let expected = "\
┌─────┬─────┐
│ . . │ . . │
│ . . │ . . │
├─────┼─────┼─────┐
│ . . │ . . │ . . │
│ . . │ . . │ . . │
└─────┼─────┼─────┤
      │ . . │ . . │
      │ . . │ . . │
      └─────┴─────┘";
        assert_eq!(twins.drawn(&twins.grid).to_string(), expected);
    }

    #[test]
    fn digits_above_nine_are_letters_on_a_line_and_numbers_in_json() {
        let geometry = Geometry::new(4, 4).unwrap();
        let mut grid = Grid::empty(geometry);
        grid.set(geometry.cell(0, 0).unwrap(), Digit::new(16));
        assert!(grid.one_line().to_string().starts_with("G..."));
        let rows: Vec<Vec<u8>> = serde_json::from_str(&grid.json().to_string()).unwrap();
        assert_eq!((rows.len(), rows[0].len(), rows[0][0], rows[15][15]), (16, 16, 16, 0));
    }

    #[test]
    fn both_ways_to_a_line_lead_to_the_same() {
        for (rows, columns) in [(1, 1), (3, 3), (2, 5), (8, 8)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            let mut grid = Grid::empty(geometry);
            for (place, cell) in geometry.cells().enumerate() {
                grid.set(cell, Digit::new((place % (geometry.size() + 1)) as u8));
            }
            let mut text = Vec::new();
            grid.append_to(&mut text);
            assert_eq!(grid.one_line().to_string().into_bytes(), text);
        }
    }
}
