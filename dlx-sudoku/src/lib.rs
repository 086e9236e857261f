//! Sudoku as exact cover, on [`dlx_core`]: read puzzles in the usual forms, say where they clash, solve them, count and
//! list their solutions.
//!
//! ```
//! use dlx_sudoku::{Grid, Solved, solve, validate};
//!
//! let puzzle: Grid = "
//!     8 . . | . . . | . . .
//!     . . 3 | 6 . . | . . .
//!     . 7 . | . 9 . | 2 . .
//!     ------+-------+------
//!     . 5 . | . . 7 | . . .
//!     . . . | . 4 5 | 7 . .
//!     . . . | 1 . . | . 3 .
//!     ------+-------+------
//!     . . 1 | . . . | . 6 8
//!     . . 8 | 5 . . | . 1 .
//!     . 9 . | . . . | 4 . .
//! "
//! .parse()?;
//! assert!(validate(&puzzle).is_empty());
//! match solve(&puzzle) {
//!     Solved::Unique(solution) => println!("{solution}"),
//!     other => panic!("this puzzle has one solution, not {other:?}"),
//! }
//! # Ok::<(), dlx_sudoku::ParseError>(())
//! ```
//!
//! * [`records`] reads any number of puzzles from a text, of any size and in any mix of forms ([`parse`] lists them), with
//!   the places of the bad ones. A [`Grid`] prints in three of them, [`format`](mod@format) writes them all.
//! * A [`Puzzle`] is a grid with what else restricts its solutions: what takes a reference to a grid takes one to a puzzle
//!   ([`Task`]).
//! * [`validate`] tells which two cells clash in which house. Valid is not the same as solvable.
//! * [`solve`], [`is_unique`], [`count`] and [`solutions`] are for one puzzle, a [`SudokuSolver`] is for batches, for
//!   limits, and for the comparison of the [engines](Engine): exact cover and two plain backtrackers.
//! * [`canonical`] brings all grids that are the same but for relabelling and moving rows and columns to one form.
//! * [`why_none`] says why there is no solution, if it can be said in short.
//! * [`variant`] has rules beside rows, columns and boxes: diagonals, cages, jigsaw regions, overlapping grids and others.
//! * [`picture`] draws a puzzle as SVG, with its solution or pencil marks, and [`picture_of_step`] a hint; several go on a
//!   [sheet](Picture::sheet).
//! * [`generate`] makes puzzles to order.
//! * [`rate`] says how difficult a puzzle is, and explains how to solve it step by step.
//! * [`encode`](mod@encode) has the exact cover problem behind all this, with its names, and [`decode`] leads back.

mod alphabet;
mod canonical;
mod decode;
mod display;
pub mod encode;
pub mod format;
pub mod generate;
mod geometry;
mod grid;
pub mod parse;
mod puzzle;
pub mod rate;
mod search;
mod solve;
mod svg;
mod validate;
pub mod variant;
mod why;

pub use self::alphabet::Alphabet;
pub use self::canonical::{Canonical, CanonicalError, canonical};
pub use self::decode::{DecodeError, decode};
pub use self::geometry::{Cell, Digit, Geometry, GeometryError, House, HouseKind};
pub use self::grid::Grid;
pub use self::parse::{ParseError, ParseErrorKind, Record, Records, records};
pub use self::puzzle::{Candidates, Notes, Puzzle, Task};
pub use self::search::{Budget, Engine, Statistics, UnknownEngine};
pub use self::solve::{Count, Solutions, Solved, SudokuSolver, count, is_unique, solutions, solve};
pub use self::svg::{Picture, picture, picture_of_step};
pub use self::validate::{Clash, is_valid, validate};
pub use self::why::{NoSolution, why_none};
