//! How a grid is printed: with box drawing, on one line, as JSON.

use core::fmt::{self, Write as _};

use itertools::Itertools;

use crate::{Alphabet, Digit, Geometry, Grid};

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

/// A horizontal line: its left end, its crossings and its right end. A cell takes so many characters.
fn rule(
    f: &mut fmt::Formatter<'_>,
    geometry: Geometry,
    width: usize,
    [left, cross, right]: [char; 3],
) -> fmt::Result {
    for number in 0..geometry.box_rows() {
        let joint = if number == 0 { left } else { cross };
        write!(f, "{joint}{:─<1$}", "", (width + 1) * geometry.box_columns() + 1)?;
    }
    write!(f, "{right}")
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
    pub fn drawn(&self, alphabet: Alphabet) -> impl fmt::Display {
        struct Drawn<'a>(&'a Grid, Alphabet);
        impl fmt::Display for Drawn<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self(grid, alphabet) = *self;
                let geometry = grid.geometry();
                let width = alphabet.width(geometry);
                rule(f, geometry, width, ['┌', '┬', '┐'])?;
                for (number, row) in grid.cells().chunks(geometry.size()).enumerate() {
                    if number > 0 && number % geometry.box_rows() == 0 {
                        f.write_str("\n")?;
                        rule(f, geometry, width, ['├', '┼', '┤'])?;
                    }
                    f.write_str("\n│")?;
                    for cells in row.chunks(geometry.box_columns()) {
                        for cell in cells {
                            match cell {
                                Some(digit) => write!(f, " {:>width$}", alphabet.written(*digit))?,
                                None => write!(f, " {:>width$}", '.')?,
                            }
                        }
                        f.write_str(" │")?;
                    }
                }
                f.write_str("\n")?;
                rule(f, geometry, width, ['└', '┴', '┘'])
            }
        }
        Drawn(self, alphabet)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

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
