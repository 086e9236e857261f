//! Variants: what a puzzle asks for beside rows, columns and boxes, or in their place.
//!
//! | rule | what it asks for |
//! |---|---|
//! | `x` | each diagonal has every digit |
//! | `windoku` | so has each window: the squares of a box's size that stand a cell off the frame and off one another |
//! | `disjoint-groups` | so have the cells at the same place of each box |
//! | `anti-knight` | cells a knight's move apart differ |
//! | `anti-king` | cells a king's move apart differ |
//! | `non-consecutive` | neighbours in a row or column do not differ by one |
//! | `latin` | rows and columns alone: a Latin square |
//!
//! Beside these there are jigsaw [regions](Rules::regions) in the place of boxes, killer [cages](Rules::cage), and several
//! [overlapping](Rules::overlapping) grids, as in a samurai. All can be combined. Cells that may have certain digits only
//! (odd ones, say) are [`Candidates`](crate::Candidates).
//!
//! ```
//! use dlx_sudoku::variant::{Rule, Rules};
//! use dlx_sudoku::{Geometry, Grid, Puzzle, count};
//!
//! let geometry = Geometry::new(2, 2)?;
//! let mut puzzle = Puzzle::from(Grid::empty(geometry));
//! puzzle.rules = Some(Rules::new(geometry).rule(Rule::X)?.into());
//! assert_eq!(count(&puzzle, None).value, 48);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//!
//! A file that has lines beginning with `rules:`, `regions:`, `cages:`, `grids:`, `odd:`, `even:` or `only` is read as one of
//! variants. These words begin sections, of one line or several, in any order; what stands before them, or after
//! `grid:`, is the grid, in any form that is read elsewhere (left out, it is empty). A line that is `#`, or begins with
//! `#` and a blank, is a comment.
//!
//! ```text
//! puzzle: a little of everything
//! rules: x, anti-knight
//! grid:
//! 1...
//! ....
//! ....
//! ...2
//! regions:
//! aabb
//! aabb
//! ccdd
//! ccdd
//! cages:
//! 5: r1c2 r1c3
//! 7 = r2c1-r4c1
//! even: r2c2
//! only 13: r2c3 r2c4
//! ```
//!
//! - `puzzle:` and a name, or none, begins a puzzle: so a file can have several.
//! - `size:` is the number of rows (`5`) or the rows and columns of a box (`2x3`), where it cannot be told from the cells.
//! - `rules:` are the names above, with commas or blanks between them.
//! - `regions:` are rows of letters or digits, one a cell: cells of one letter are a region, in the place of a box.
//! - `cages:` are lines of a sum, `:` or `=`, and cells. No digit is twice in a cage. Cages may overlap and leave gaps.
//! - A cell is `r2c3`, row and column counted from 1; `r1c3-r2c5` are all cells of that rectangle.
//! - `odd:`, `even:` and `only DIGITS:` are cells that have such digits.
//! - `grids: samurai`, or the top left corners of the grids, as in `grids: r1c1 r1c13 r7c7 r13c1 r13c13`. The grid is then a
//!   canvas with a character a cell, `#` where there is none; rules hold in each of the grids.

mod check;
mod encode;
mod implied;
mod layout;
mod sums;
mod text;

use core::fmt;
use core::str::FromStr;

use itertools::Itertools;

pub use self::check::Breach;
pub(crate) use self::encode::encode;
pub(crate) use self::layout::Layout;
pub(crate) use self::text::{Documents, is_variant};
pub use self::text::{Statement, written};
use crate::{Cell, Geometry, House};

/// Whether so many of some digits (a set) have a sum.
pub(crate) fn has_sum(digits: u64, count: usize, sum: u32) -> bool {
    !sums::sets(digits, count, sum).is_empty()
}

/// A rule that goes by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Both diagonals are houses.
    X,
    /// The windows are houses: in the usual sudoku rows and columns 2 to 4 and 6 to 8.
    Windoku,
    /// The cells at the same place of each box are a house.
    DisjointGroups,
    /// Cells a knight's move apart differ.
    AntiKnight,
    /// Cells a king's move apart differ.
    AntiKing,
    /// Neighbours in a row or column do not differ by one.
    NonConsecutive,
    /// There are no boxes.
    Latin,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::X,
        Self::Windoku,
        Self::DisjointGroups,
        Self::AntiKnight,
        Self::AntiKing,
        Self::NonConsecutive,
        Self::Latin,
    ];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Windoku => "windoku",
            Self::DisjointGroups => "disjoint-groups",
            Self::AntiKnight => "anti-knight",
            Self::AntiKing => "anti-king",
            Self::NonConsecutive => "non-consecutive",
            Self::Latin => "latin",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads a rule's name; `hyper` is `windoku` as well.
impl FromStr for Rule {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let lower = text.to_ascii_lowercase();
        if lower == "hyper" {
            return Ok(Self::Windoku);
        }
        let rule = Self::ALL.into_iter().find(|rule| rule.name() == lower);
        rule.ok_or_else(|| RulesError::UnknownRule(text.to_owned()))
    }
}

/// A killer cage: cells whose digits differ and have a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cage {
    /// The sum of the digits.
    pub sum: u32,
    /// The cells, in ascending order.
    pub cells: Vec<Cell>,
}

/// What a puzzle asks for beside its givens and candidates. Without anything further that is rows, columns and boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    canvas: Geometry,
    shape: Geometry,
    corners: Vec<Cell>,
    named: Vec<Rule>,
    regions: Option<Vec<char>>,
    cages: Vec<Cage>,
}

impl Rules {
    /// Rows, columns and boxes of one grid.
    pub fn new(geometry: Geometry) -> Self {
        Self {
            canvas: geometry,
            shape: geometry,
            corners: geometry.cell(0, 0).into_iter().collect(),
            named: Vec::new(),
            regions: None,
            cages: Vec::new(),
        }
    }

    /// The rows, columns and boxes of several grids of one shape, whose top left cells are at these rows and columns
    /// (from 0) of a canvas. Cells where grids overlap belong to each of them.
    ///
    /// ```
    /// use dlx_sudoku::variant::Rules;
    /// use dlx_sudoku::{Geometry, Grid, Puzzle, Solved, solve};
    ///
    /// let twins = Rules::overlapping(Geometry::new(2, 2)?, &[(0, 0), (2, 2)])?;
    /// assert_eq!(twins.canvas().size(), 6);
    /// let mut puzzle = Puzzle::from(Grid::empty(twins.canvas()));
    /// puzzle.rules = Some(twins.into());
    /// let Solved::Several(first) = solve(&puzzle) else { panic!("there are many solutions") };
    /// assert_eq!(first.given_count(), 16 + 16 - 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no grid, two are at the same place, or they reach beyond [`Geometry::MAX_SIZE`] rows or columns.
    pub fn overlapping(shape: Geometry, corners: &[(usize, usize)]) -> Result<Self, RulesError> {
        let side = corners.iter().map(|&(row, column)| row.max(column)).max().ok_or(RulesError::NoGrid)?;
        let side = side.saturating_add(shape.size());
        let canvas = Geometry::of_size(side).map_err(|_| RulesError::Canvas(side))?;
        if let Some(&(row, column)) = corners.iter().duplicates().next() {
            return Err(RulesError::SameCorner { row: row + 1, column: column + 1 });
        }
        let corners = corners.iter().filter_map(|&(row, column)| canvas.cell(row, column)).collect();
        Ok(Self { canvas, corners, ..Self::new(shape) })
    }

    /// The corners of the five grids of a samurai.
    pub const SAMURAI: [(usize, usize); 5] = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)];

    /// Adds a rule. Adding it again changes nothing.
    ///
    /// # Errors
    ///
    /// Windows need square boxes, and disjoint groups need boxes.
    pub fn rule(mut self, rule: Rule) -> Result<Self, RulesError> {
        if rule == Rule::Windoku && self.shape.box_rows() != self.shape.box_columns() {
            return Err(RulesError::NotSquare(self.shape));
        }
        if !self.named.contains(&rule) {
            self.named.push(rule);
            self.named.sort_unstable();
        }
        match self.has(Rule::DisjointGroups) && !self.has_boxes() {
            true => Err(RulesError::NoBoxes),
            false => Ok(self),
        }
    }

    /// Replaces the boxes by regions: a letter for each cell, row by row, the same for cells of the same region.
    ///
    /// # Errors
    ///
    /// If there is not one letter for each cell and one cell of each region for each digit, if there are several grids,
    /// and if there is a rule that needs boxes.
    pub fn regions(mut self, letters: &[char]) -> Result<Self, RulesError> {
        let size = self.shape.size();
        if self.corners.len() > 1 {
            return Err(RulesError::RegionsOfMany);
        }
        if letters.len() != size * size {
            return Err(RulesError::RegionCells { found: letters.len(), expected: size * size });
        }
        let counts = letters.iter().counts();
        if let Some(&letter) = letters.iter().find(|letter| counts[letter] != size) {
            return Err(RulesError::Region { letter, found: counts[&letter], expected: size });
        }
        self.regions = Some(letters.to_vec());
        match self.has(Rule::DisjointGroups) {
            true => Err(RulesError::NoBoxes),
            false => Ok(self),
        }
    }

    /// Adds a cage: cells that differ and have a sum. A sum that no digits have is no error; the puzzle has no solution
    /// then.
    ///
    /// # Errors
    ///
    /// If there is no cell, one is named twice or is none of the puzzle's, if there are more cells than digits, or more
    /// than [`MAX_COMBINATIONS`](Self::MAX_COMBINATIONS) sets of digits that have the sum.
    pub fn cage(mut self, sum: u32, cells: &[Cell]) -> Result<Self, RulesError> {
        let size = self.shape.size();
        if cells.is_empty() {
            return Err(RulesError::EmptyCage);
        }
        if let Some(&cell) = cells.iter().duplicates().next() {
            return Err(RulesError::CellTwice(cell));
        }
        if let Some(&cell) = cells.iter().find(|cell| !self.is_cell(**cell)) {
            return Err(RulesError::NoCell { row: cell.row() + 1, column: cell.column() + 1 });
        }
        if cells.len() > size {
            return Err(RulesError::CageSize { found: cells.len(), expected: size });
        }
        if sums::count(size, cells.len(), sum) > Self::MAX_COMBINATIONS {
            return Err(RulesError::Combinations);
        }
        let cells = cells.iter().copied().sorted_unstable().collect();
        self.cages.push(Cage { sum, cells });
        Ok(self)
    }

    /// The most sets of digits that a cage may have for its sum. Up to 20 digits there are fewer in any case.
    pub const MAX_COMBINATIONS: u64 = 20_000;

    /// The grid's geometry that they are for: of several grids, the smallest square that has them all.
    pub fn canvas(&self) -> Geometry {
        self.canvas
    }

    /// The shape of the grid, or of each of several.
    pub fn shape(&self) -> Geometry {
        self.shape
    }

    /// Whether a rule is among them.
    pub fn has(&self, rule: Rule) -> bool {
        self.named.contains(&rule)
    }

    /// Whether the boxes of the shape are houses.
    pub fn has_boxes(&self) -> bool {
        self.regions.is_none() && !self.has(Rule::Latin)
    }

    /// The cages, in the order in which they were added.
    pub fn cages(&self) -> &[Cage] {
        &self.cages
    }

    /// Whether a cell of the canvas belongs to a grid.
    pub fn is_cell(&self, cell: Cell) -> bool {
        let within = |at: usize, first: usize| (first..first + self.shape.size()).contains(&at);
        self.corners
            .iter()
            .any(|corner| within(cell.row(), corner.row()) && within(cell.column(), corner.column()))
    }

    /// Whether there are several grids.
    pub(crate) fn has_many_grids(&self) -> bool {
        self.corners.len() > 1
    }

    /// The rows and columns that the canvas has cells in.
    pub(crate) fn extent(&self) -> (usize, usize) {
        let end = |last: Option<usize>| last.unwrap_or(0) + self.shape.size();
        let (rows, columns) = (self.corners.iter().map(|cell| cell.row()), self.corners.iter());
        (end(rows.max()), end(columns.map(|cell| cell.column()).max()))
    }

    /// The region or the box of a cell, as a number that other regions or boxes do not have; 0 if there are none.
    pub(crate) fn region_of(&self, cell: Cell) -> usize {
        if let Some(letters) = &self.regions {
            return letters[self.canvas.index(cell)] as usize;
        }
        if self.has(Rule::Latin) {
            return 0;
        }
        // Where grids overlap, the box lines of the first are as good as any.
        let local = self.corners.iter().enumerate().find_map(|(number, corner)| {
            let row = cell.row().checked_sub(corner.row())?;
            let inner = self.shape.cell(row, cell.column().checked_sub(corner.column())?)?;
            Some(1 + number * self.shape.size() + self.shape.box_of(inner))
        });
        local.unwrap_or(0)
    }
}

/// A set of cells in which no digit may be twice. Written `row 3`, `diagonal 1`, `row 3 of grid 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// What it is.
    pub kind: AreaKind,
    /// Which of several grids it is in, from 1.
    pub grid: Option<u16>,
}

/// The kinds of such sets. Numbers are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AreaKind {
    /// A row, a column or a box.
    House(House),
    /// A jigsaw region, with its letter.
    Region(char),
    /// A diagonal: the first one from the top left, the second one from the top right.
    Diagonal(u8),
    /// A window, row by row.
    Window(u8),
    /// A disjoint group, by its place in a box, row by row.
    Group(u8),
    /// A cage.
    Cage(u16),
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            AreaKind::House(house) => write!(f, "{house}")?,
            AreaKind::Region(letter) => write!(f, "region {letter}")?,
            AreaKind::Diagonal(number) => write!(f, "diagonal {number}")?,
            AreaKind::Window(number) => write!(f, "window {number}")?,
            AreaKind::Group(number) => write!(f, "disjoint group {number}")?,
            AreaKind::Cage(number) => write!(f, "cage {number}")?,
        }
        self.grid.map_or(Ok(()), |grid| write!(f, " of grid {grid}"))
    }
}

/// Why rules cannot be, or what is wrong with the text that states them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesError {
    /// No rule has this name.
    UnknownRule(String),
    /// Windows where boxes are not square.
    NotSquare(Geometry),
    /// Disjoint groups where there are no boxes.
    NoBoxes,
    /// Several grids, of which there is none.
    NoGrid,
    /// Several grids that reach to so many rows or columns.
    Canvas(usize),
    /// Two grids at the same place, counted from 1.
    SameCorner {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// Regions for several grids.
    RegionsOfMany,
    /// Letters for so many cells.
    RegionCells {
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A region of so many cells.
    Region {
        /// Its letter.
        letter: char,
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A cage of no cells.
    EmptyCage,
    /// A cage of so many cells.
    CageSize {
        /// How many.
        found: usize,
        /// How many it may have.
        expected: usize,
    },
    /// A cage with too many sets of digits.
    Combinations,
    /// A cell twice in a cage.
    CellTwice(Cell),
    /// A row and a column, from 1, at which the puzzle has no cell.
    NoCell {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// A word that is no cell.
    NotACell(String),
    /// A line of a cage without a sum.
    NoSum,
    /// A word that is no size.
    Size(String),
    /// A word that is no digit of the puzzle.
    Digit(char),
    /// A row of a canvas with so many characters.
    CanvasRow {
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A canvas of so many rows.
    CanvasRows {
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A character of a canvas that is not what its place asks for: a cell, or none.
    CanvasCell {
        /// The character.
        found: char,
        /// Whether there is a cell.
        cell: bool,
    },
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRule(name) => {
                write!(f, "unknown rule {name:?}, expected one of {}", Rule::ALL.iter().format(", "))
            }
            Self::NotSquare(shape) => write!(
                f,
                "windoku with boxes of {}x{}, expected square boxes",
                shape.box_rows(),
                shape.box_columns()
            ),
            Self::NoBoxes => f.write_str("disjoint groups without boxes, expected boxes"),
            Self::NoGrid => {
                f.write_str("no grid, expected samurai or the top left corners of grids, as in r1c1 r7c7")
            }
            Self::Canvas(side) => {
                write!(f, "grids that reach to row or column {side}, expected at most {}", Geometry::MAX_SIZE)
            }
            Self::SameCorner { row, column } => {
                write!(f, "two grids at r{row}c{column}, expected each at a place of its own")
            }
            Self::RegionsOfMany => f.write_str("regions for several grids, expected them for one grid only"),
            Self::RegionCells { found, expected } => {
                write!(f, "regions for {found} cells, expected {expected}")
            }
            Self::Region { letter, found, expected } => {
                write!(f, "region {letter} has {found} cells, expected {expected}")
            }
            Self::EmptyCage => f.write_str("a cage without cells, expected cells, as in 12: r1c1 r1c2"),
            Self::CageSize { found, expected } => {
                write!(f, "a cage of {found} cells, expected at most {expected}, for its digits differ")
            }
            Self::Combinations => write!(
                f,
                "a cage whose sum more than {} sets of digits have, expected fewer",
                Rules::MAX_COMBINATIONS
            ),
            Self::CellTwice(cell) => write!(f, "{cell} twice in a cage, expected each cell once"),
            Self::NoCell { row, column } => {
                write!(f, "r{row}c{column} is no cell of this puzzle, expected one that is")
            }
            Self::NotACell(word) => {
                write!(f, "{word:?} is no cell, expected one as r1c2, or some as r1c2-r1c4")
            }
            Self::NoSum => f.write_str("a cage without a sum, expected one as 12: r1c1 r1c2"),
            Self::Size(word) => {
                write!(f, "{word:?} is no size, expected a number of rows, as 5, or a box, as 2x3")
            }
            Self::Digit(found) => {
                write!(f, "{found:?} is no digit of this puzzle, expected digits, as in only 123:")
            }
            Self::CanvasRow { found, expected } => {
                write!(f, "{found} characters in a row, expected {expected}")
            }
            Self::CanvasRows { found, expected } => write!(f, "{found} rows, expected {expected}"),
            Self::CanvasCell { found, cell: true } => {
                write!(f, "{found:?} where there is a cell, expected a digit or a blank (. 0 _ * - ?)")
            }
            Self::CanvasCell { found, cell: false } => {
                write!(f, "{found:?} where there is no cell, expected # or .")
            }
        }
    }
}

impl core::error::Error for RulesError {}
