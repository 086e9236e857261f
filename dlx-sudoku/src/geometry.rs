//! The shape of a grid: box sizes, cells, houses and peers, and the digits that go in.

use core::fmt;
use core::num::NonZeroU8;

use itertools::iproduct;

/// How each digit is written, in one character: 1 to 9, then letters.
const SYMBOLS: &[u8; Geometry::MAX_SIZE] =
    b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@$%";

/// The shape of a grid, given by its boxes: a grid of boxes of *r* rows and *c* columns has *n* = *r c* digits,
/// *n* rows, *n* columns and *n* boxes. The usual sudoku is [`CLASSIC`](Self::CLASSIC).
///
/// ```
/// use dlx_sudoku::Geometry;
///
/// let geometry = Geometry::new(2, 3)?;
/// assert_eq!((geometry.size(), geometry.cell_count()), (6, 36));
/// assert_eq!(geometry.houses().count(), 18);
/// # Ok::<(), dlx_sudoku::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Geometry {
    box_rows: u8,
    box_columns: u8,
}

impl Geometry {
    /// Nine digits, boxes of three by three.
    pub const CLASSIC: Self = Self { box_rows: 3, box_columns: 3 };

    /// The largest number of digits: what fits a machine word as a set.
    pub const MAX_SIZE: usize = 64;

    /// The rows and columns that a usual box has at most.
    const MAX_BOX: usize = 8;

    /// A grid whose boxes have so many rows and columns.
    ///
    /// # Errors
    ///
    /// If there would be no digit, or more than [`MAX_SIZE`](Self::MAX_SIZE).
    pub const fn new(box_rows: u8, box_columns: u8) -> Result<Self, GeometryError> {
        let size = box_rows as usize * box_columns as usize;
        if size == 0 || size > Self::MAX_SIZE {
            return Err(GeometryError { box_rows, box_columns });
        }
        Ok(Self { box_rows, box_columns })
    }

    /// A grid of so many digits with the boxes that are usual for them: nearest to squares, lying. Six digits have boxes
    /// of 2 by 3, twelve of 3 by 4; a prime number of digits has its rows for boxes.
    ///
    /// ```
    /// use dlx_sudoku::Geometry;
    ///
    /// assert_eq!(Geometry::of_size(9), Ok(Geometry::CLASSIC));
    /// assert_eq!(Geometry::of_size(12), Geometry::new(3, 4));
    /// ```
    ///
    /// # Errors
    ///
    /// If there would be no digit, or more than [`MAX_SIZE`](Self::MAX_SIZE).
    pub const fn of_size(size: usize) -> Result<Self, GeometryError> {
        if size > Self::MAX_SIZE {
            let side = if size > u8::MAX as usize { u8::MAX } else { size as u8 };
            return Err(GeometryError { box_rows: 1, box_columns: side });
        }
        let mut rows = Self::MAX_BOX;
        while rows > 1 && (rows * rows > size || !size.is_multiple_of(rows)) {
            rows -= 1;
        }
        Self::new(rows as u8, (size / rows) as u8)
    }

    /// The shape that so many cells in a row stand for without a word: sizes whose usual boxes have two to eight rows and
    /// columns, as 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25 up to 64.
    pub(crate) fn usual(size: usize) -> Option<Self> {
        let geometry = Self::of_size(size).ok()?;
        (geometry.box_rows() > 1 && geometry.box_columns() <= Self::MAX_BOX).then_some(geometry)
    }

    /// The shape that so many cells in all stand for without a word.
    pub(crate) fn usual_of_cells(cells: usize) -> Option<Self> {
        let size = cells.isqrt();
        if size * size == cells { Self::usual(size) } else { None }
    }

    /// The number of digits, which is that of rows, of columns and of boxes too.
    pub const fn size(self) -> usize {
        self.box_rows as usize * self.box_columns as usize
    }

    /// The number of cells.
    pub const fn cell_count(self) -> usize {
        self.size() * self.size()
    }

    /// The number of rows of a box.
    pub const fn box_rows(self) -> usize {
        self.box_rows as usize
    }

    /// The number of columns of a box.
    pub const fn box_columns(self) -> usize {
        self.box_columns as usize
    }

    /// The cell in a row and a column, both counted from 0; `None` outside the grid.
    pub const fn cell(self, row: usize, column: usize) -> Option<Cell> {
        if row < self.size() && column < self.size() {
            Some(Cell { row: row as u8, column: column as u8 })
        } else {
            None
        }
    }

    /// The place of a cell when rows are read one after the other, from 0.
    pub const fn index(self, cell: Cell) -> usize {
        cell.row() * self.size() + cell.column()
    }

    /// The box of a cell, from 0: boxes are counted along the bands, left to right.
    pub const fn box_of(self, cell: Cell) -> usize {
        // A band holds as many boxes as a box has rows.
        cell.row() / self.box_rows() * self.box_rows() + cell.column() / self.box_columns()
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        iproduct!(0..self.size() as u8, 0..self.size() as u8).map(|(row, column)| Cell { row, column })
    }

    /// All digits, in ascending order.
    pub fn digits(self) -> impl DoubleEndedIterator<Item = Digit> + Clone {
        (1..=self.size() as u8).filter_map(Digit::new)
    }

    /// All houses: the rows, the columns, the boxes.
    pub fn houses(self) -> impl Iterator<Item = House> {
        let numbers = 1..=self.size() as u8;
        iproduct!([HouseKind::Row, HouseKind::Column, HouseKind::Box], numbers)
            .map(|(kind, number)| House { kind, number })
    }

    /// The cells of a house, row by row. The house must be one of this geometry's.
    pub fn cells_of(self, house: House) -> impl Iterator<Item = Cell> + Clone {
        let (first, rows, columns) = self.extent(house);
        iproduct!(0..rows, 0..columns)
            .map(move |(row, column)| Cell { row: first.row + row, column: first.column + column })
    }

    /// Where a house begins, and how many rows and columns it has.
    fn extent(self, house: House) -> (Cell, u8, u8) {
        let (size, at) = (self.size() as u8, house.number - 1);
        match house.kind {
            HouseKind::Row => (Cell { row: at, column: 0 }, 1, size),
            HouseKind::Column => (Cell { row: 0, column: at }, size, 1),
            HouseKind::Box => {
                let row = at / self.box_rows * self.box_rows;
                let column = at % self.box_rows * self.box_columns;
                (Cell { row, column }, self.box_rows, self.box_columns)
            }
        }
    }

    /// The row, the column and the box of a cell.
    pub fn houses_of(self, cell: Cell) -> [House; 3] {
        [
            (HouseKind::Row, cell.row()),
            (HouseKind::Column, cell.column()),
            (HouseKind::Box, self.box_of(cell)),
        ]
        .map(|(kind, index)| House { kind, number: index as u8 + 1 })
    }

    /// The other cells that share a house with a cell, row by row: 20 of them in the usual sudoku.
    pub fn peers(self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.cells().filter(move |&other| {
            other != cell
                && (other.row == cell.row
                    || other.column == cell.column
                    || self.box_of(other) == self.box_of(cell))
        })
    }
}

impl Default for Geometry {
    fn default() -> Self {
        Self::CLASSIC
    }
}

/// A box size with no digit, or with more than [`Geometry::MAX_SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeometryError {
    /// The rows that a box was to have.
    pub box_rows: u8,
    /// The columns that a box was to have.
    pub box_columns: u8,
}

impl fmt::Display for GeometryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { box_rows, box_columns } = self;
        write!(
            f,
            "boxes of {box_rows} by {box_columns} cells, expected 1 to {} cells in a box",
            Geometry::MAX_SIZE
        )
    }
}

impl core::error::Error for GeometryError {}

/// A cell. Written `r4c5`: row 4, column 5, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    row: u8,
    column: u8,
}

impl Cell {
    /// The row, from 0.
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The column, from 0.
    pub const fn column(self) -> usize {
        self.column as usize
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.column + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A digit: 1 to the size of the grid. Written in one character: 10 is `A`, 11 is `B`, and so on.
///
/// An `Option<Digit>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(NonZeroU8);

impl Digit {
    /// The digit of this value; `None` if it is not 1 to [`Geometry::MAX_SIZE`].
    pub const fn new(value: u8) -> Option<Self> {
        match NonZeroU8::new(value) {
            Some(value) if value.get() as usize <= Geometry::MAX_SIZE => Some(Self(value)),
            _ => None,
        }
    }

    /// Its value, from 1.
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// Its place among the digits, from 0.
    pub const fn index(self) -> usize {
        self.get() as usize - 1
    }

    /// The character that it is written with.
    pub const fn symbol(self) -> char {
        SYMBOLS[self.index()] as char
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.symbol(), f)
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

/// The three kinds of house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HouseKind {
    /// A horizontal line.
    Row,
    /// A vertical line.
    Column,
    /// A box.
    Box,
}

impl fmt::Display for HouseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
        })
    }
}

/// A house: a set of cells in which each digit has to be once. Written `row 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House {
    /// Row, column or box.
    pub kind: HouseKind,
    /// Which one, from 1.
    pub number: u8,
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.number)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_cell_is_in_its_three_houses_and_houses_have_one_cell_a_digit() {
        for (rows, columns) in [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (8, 8)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            for house in geometry.houses() {
                let cells: Vec<_> = geometry.cells_of(house).collect();
                assert_eq!(cells.len(), geometry.size());
                assert!(cells.is_sorted(), "{house} of {geometry:?}");
                for &cell in &cells {
                    assert!(geometry.houses_of(cell).contains(&house), "{cell} in {house} of {geometry:?}");
                }
            }
        }
    }

    #[test]
    fn peers_are_the_cells_that_share_a_house() {
        let geometry = Geometry::CLASSIC;
        for cell in geometry.cells() {
            let mut expected: Vec<_> =
                geometry.houses_of(cell).into_iter().flat_map(|house| geometry.cells_of(house)).collect();
            expected.sort();
            expected.dedup();
            expected.retain(|&other| other != cell);
            assert_eq!(geometry.peers(cell).collect::<Vec<_>>(), expected);
            assert_eq!(expected.len(), 20);
        }
    }

    #[test]
    fn boxes_of_two_rows_and_three_columns() {
        let geometry = Geometry::new(2, 3).unwrap();
        let cell = |row, column| geometry.cell(row, column).unwrap();
        assert_eq!(geometry.box_of(cell(1, 2)), 0);
        assert_eq!(geometry.box_of(cell(1, 3)), 1);
        assert_eq!(geometry.box_of(cell(2, 0)), 2);
        assert_eq!(geometry.box_of(cell(5, 5)), 5);
        let house = House { kind: HouseKind::Box, number: 4 };
        let names: Vec<_> = geometry.cells_of(house).map(|cell| cell.to_string()).collect();
        assert_eq!(names, ["r3c4", "r3c5", "r3c6", "r4c4", "r4c5", "r4c6"]);
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        for (rows, columns) in [(0, 3), (3, 0), (5, 13), (255, 255)] {
            assert!(Geometry::new(rows, columns).is_err());
        }
        assert_eq!(Geometry::CLASSIC.cell(9, 0), None);
        assert_eq!((Digit::new(0), Digit::new(65)), (None, None));
    }

    #[test]
    fn usual_boxes_are_nearest_to_squares() {
        let sides =
            |size| Geometry::of_size(size).map(|shape| (shape.box_rows(), shape.box_columns())).unwrap();
        let expected = [(1, 1), (1, 2), (1, 3), (2, 2), (1, 5), (2, 3), (1, 7), (2, 4), (3, 3), (2, 5)];
        assert_eq!((1..=10).map(sides).collect::<Vec<_>>(), expected);
        assert_eq!([12, 16, 20, 36, 48, 64].map(sides), [(3, 4), (4, 4), (4, 5), (6, 6), (6, 8), (8, 8)]);
        assert!([0, 65, 256, usize::MAX].iter().all(|&size| Geometry::of_size(size).is_err()));
        let usual: Vec<_> = (0..100).filter(|&size| Geometry::usual(size).is_some()).collect();
        let expected =
            [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25, 28, 30, 32, 35, 36, 40, 42, 48, 49, 56, 64];
        assert_eq!(usual, expected);
        assert_eq!(Geometry::usual_of_cells(81), Some(Geometry::CLASSIC));
        assert!([0, 1, 25, 49, 80, 729].iter().all(|&cells| Geometry::usual_of_cells(cells).is_none()));
    }

    #[test]
    fn digits_have_distinct_symbols() {
        let geometry = Geometry::new(8, 8).unwrap();
        let mut symbols: Vec<_> = geometry.digits().map(Digit::symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        assert_eq!(symbols.len(), 64);
        assert_eq!(size_of::<Option<Digit>>(), 1);
    }
}
