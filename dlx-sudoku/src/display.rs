//! How a grid is printed: with box drawing, on one line, as JSON.

use core::fmt;

use itertools::Itertools;

use crate::{Digit, Geometry, Grid};

/// The digit's character, `.` for a blank.
fn symbol(cell: Option<Digit>) -> char {
    cell.map_or('.', Digit::symbol)
}

/// The grid with box drawing, one row a line, no newline at the end.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let geometry = self.geometry();
        rule(f, geometry, ['┌', '┬', '┐'])?;
        for (number, row) in self.cells().chunks(geometry.size()).enumerate() {
            if number > 0 && number % geometry.box_rows() == 0 {
                f.write_str("\n")?;
                rule(f, geometry, ['├', '┼', '┤'])?;
            }
            let boxes = row.chunks(geometry.box_columns());
            let boxes = boxes.map(|cells| cells.iter().map(|&cell| symbol(cell)).format(" "));
            write!(f, "\n│ {} │", boxes.format(" │ "))?;
        }
        f.write_str("\n")?;
        rule(f, geometry, ['└', '┴', '┘'])
    }
}

/// A horizontal line: its left end, its crossings and its right end.
fn rule(f: &mut fmt::Formatter<'_>, geometry: Geometry, [left, cross, right]: [char; 3]) -> fmt::Result {
    for number in 0..geometry.box_rows() {
        let joint = if number == 0 { left } else { cross };
        write!(f, "{joint}{:─<1$}", "", 2 * geometry.box_columns() + 1)?;
    }
    write!(f, "{right}")
}

impl Grid {
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
                // A row at a time: a call for each cell would take longer than easy puzzles take to solve.
                for row in self.0.cells().chunks(self.0.geometry().size()) {
                    let mut text = [0; Geometry::MAX_SIZE];
                    for (byte, &cell) in text.iter_mut().zip(row) {
                        *byte = symbol(cell) as u8;
                    }
                    f.write_str(str::from_utf8(&text[..row.len()]).map_err(|_| fmt::Error)?)?;
                }
                Ok(())
            }
        }
        OneLine(self)
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
}
