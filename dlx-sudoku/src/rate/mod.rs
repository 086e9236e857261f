//! How difficult a puzzle is, and how a person would go on: steps by the techniques that people use.
//!
//! ```
//! use dlx_sudoku::Grid;
//! use dlx_sudoku::rate::{Grade, explain, rate};
//!
//! let puzzle: Grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
//! let rating = rate(&puzzle)?;
//! assert_eq!(Grade::of(rating.difficulty), Grade::Diabolical);
//!
//! let steps = explain(&puzzle)?;
//! let hardest = steps.iter().map(|step| step.difficulty()).max();
//! assert_eq!(hardest, Some(rating.difficulty));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The scale
//!
//! A puzzle is as difficult as its hardest step, if always an easiest one is taken. The numbers follow the order in which
//! Sudoku Explainer (Nicolas Juillerat, 2006) rates techniques; those that it does not have stand beside what it would use
//! instead. [`Technique::range`] has them too.
//!
//! | difficulty | technique |
//! |--:|---|
//! | 1.0 | full house: the last blank cell of a house |
//! | 1.2, 1.5 | hidden single in a box, in a row or column |
//! | 1.7, 1.9 | pointing, claiming that lead to a hidden single at once |
//! | 2.0, 2.5 | hidden pair, hidden triple that lead to a hidden single at once |
//! | 2.3 | naked single |
//! | 2.6, 2.8 | locked candidates: pointing, claiming |
//! | 3.0, 3.6, 5.0 | naked pair, triple, quad |
//! | 3.4, 4.0, 5.4 | hidden pair, triple, quad |
//! | 3.2, 3.8, 5.2 | X-wing, swordfish, jellyfish |
//! | 4.2, 4.4 | XY-wing, XYZ-wing |
//! | 4.5 to 5.0 | unique rectangle: one corner with other digits 4.5, one other digit 4.6, a digit locked in the other corners 4.7, with a naked subset 4.8 and up |
//! | 5.6 | BUG+1 |
//! | 5.8, 6.1, 6.3 | finned X-wing, swordfish, jellyfish |
//! | 6.0 | W-wing |
//! | 6.2 | simple colouring |
//! | 6.5 to 7.5 | X-chain, by length: one tenth more above 4, 6, 8, 12, 16, 24.. candidates |
//! | 6.6 to 7.6 | XY-chain, by length |
//! | 7.0 to 7.9 | alternating inference chain, by length |
//! | 8.0 to 8.9 | forcing chains from all candidates of a cell, or all places of a digit in a house, by length of all together |
//! | 8.5 to 9.4 | contradiction net, by generations of singles |
//! | 9.5 to 11.4 | nested contradiction net: eight tenths for each generation of the nets within, one for each round of them |
//! | 11.5 to 11.9 | contradiction net with more levels |
//!
//! Chains include nice loops. The [grades](Grade) are stretches of the scale: easy up to 2.5, medium up to 4.0, hard up to
//! 6.4, fiendish up to 7.9, diabolical above.
//!
//! All easiest steps of a position are taken before anything else is looked for. So the rating is the same for puzzles that
//! differ only in the names of digits and the order of rows and columns.
//!
//! Unique rectangles and BUG+1 take for granted that the puzzle has one solution. That is checked beforehand, so they are
//! sound; [`Rater::uniqueness`] forbids them to those who want a path that proves it.

mod chains;
mod coloring;
mod fish;
mod forcing;
mod locked;
mod net_text;
mod nets;
mod position;
mod singles;
mod step;
mod subsets;
mod table;
mod technique;
#[cfg(test)]
mod tests;
mod unique;
mod wings;
mod words;

use core::fmt;

pub use self::position::Position;
use self::step::Found;
pub use self::step::{Candidate, Difficulty, Step};
pub use self::technique::{Grade, Technique, UnknownGrade};
use crate::{Clash, Engine, Geometry, Grid, NoSolution, Solved, SudokuSolver, Task, validate};

/// Looks for the steps of a technique that have consequences.
type Finder = fn(&Position, &mut Found<'_>);

/// How each technique is found, the easiest first.
const FINDERS: &[(Technique, Finder)] = &[
    (Technique::FullHouse, singles::full_houses),
    (Technique::HiddenSingleBox, singles::hidden_in_boxes),
    (Technique::HiddenSingleLine, singles::hidden_in_lines),
    (Technique::DirectPointing, locked::direct_pointing),
    (Technique::DirectClaiming, locked::direct_claiming),
    (Technique::DirectHiddenPair, subsets::direct_hidden::<2>),
    (Technique::NakedSingle, singles::naked),
    (Technique::DirectHiddenTriple, subsets::direct_hidden::<3>),
    (Technique::Pointing, locked::pointing),
    (Technique::Claiming, locked::claiming),
    (Technique::NakedPair, subsets::naked::<2>),
    (Technique::XWing, fish::plain::<2>),
    (Technique::HiddenPair, subsets::hidden::<2>),
    (Technique::NakedTriple, subsets::naked::<3>),
    (Technique::Swordfish, fish::plain::<3>),
    (Technique::HiddenTriple, subsets::hidden::<3>),
    (Technique::XyWing, wings::xy),
    (Technique::XyzWing, wings::xyz),
    (Technique::UniqueRectangle, unique::rectangles),
    (Technique::NakedQuad, subsets::naked::<4>),
    (Technique::Jellyfish, fish::plain::<4>),
    (Technique::HiddenQuad, subsets::hidden::<4>),
    (Technique::Bug, unique::bug),
    (Technique::FinnedXWing, fish::finned::<2>),
    (Technique::WWing, wings::w),
    (Technique::FinnedSwordfish, fish::finned::<3>),
    (Technique::SimpleColoring, coloring::simple),
    (Technique::FinnedJellyfish, fish::finned::<4>),
    (Technique::XChain, chains::x),
    (Technique::XyChain, chains::xy),
    (Technique::Aic, chains::alternating),
    (Technique::CellForcing, forcing::chains), // house forcing chains as well
    (Technique::Net, nets::simple),
    (Technique::NestedNet, nets::nested),
    (Technique::DeepNet, nets::deep),
];

/// How difficult a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The difficulty of the hardest step; 0.0 where all cells are filled.
    pub difficulty: Difficulty,
    /// Its technique: the first one in [`Technique`]'s order where several are as difficult.
    pub hardest: Option<Technique>,
    /// The number of steps.
    pub steps: usize,
}

/// Why a puzzle cannot be rated or explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RateError {
    /// Not 9x9 cells in boxes of 3x3.
    Size(Geometry),
    /// The puzzle is a variant, whose rules no technique knows.
    Rules,
    /// A house has a digit twice.
    Clash(Clash),
    /// There is no solution.
    NoSolution(NoSolution),
    /// There are several solutions, so that no logic leads to one of them.
    Several,
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(geometry) => write!(
                f,
                "{0}x{0} cells in boxes of {1}x{2}, expected 9x9 in boxes of 3x3",
                geometry.size(),
                geometry.box_rows(),
                geometry.box_columns()
            ),
            Self::Rules => f.write_str("a variant, expected rows, columns and boxes alone"),
            Self::Clash(clash) => write!(f, "{clash}, expected a puzzle with one solution"),
            Self::NoSolution(_) => f.write_str("no solution, expected a puzzle with one"),
            Self::Several => f.write_str("more than one solution, expected a puzzle with one"),
        }
    }
}

impl core::error::Error for RateError {}

/// Rates and explains puzzles one after the other; one for each thread.
///
/// ```
/// use dlx_sudoku::Grid;
/// use dlx_sudoku::rate::Rater;
///
/// let puzzle: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let rating = Rater::new().uniqueness(false).rate(&puzzle)?;
/// assert_eq!(rating.difficulty.to_string(), "1.2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rater {
    uniqueness: bool,
    solver: SudokuSolver,
}

impl Rater {
    /// A rater by all techniques.
    pub fn new() -> Self {
        Self { uniqueness: true, solver: SudokuSolver::new(Engine::Dlx) }
    }

    /// Whether to use techniques that take for granted that the puzzle has one solution.
    #[must_use]
    pub fn uniqueness(mut self, uniqueness: bool) -> Self {
        self.uniqueness = uniqueness;
        self
    }

    /// Says how difficult a puzzle is. Typically takes a millisecond, the hardest puzzles some hundred.
    ///
    /// # Errors
    ///
    /// If the grid is not 9x9, has rules of a variant, or has not exactly one solution.
    pub fn rate<'a>(&mut self, puzzle: impl Into<Task<'a>>) -> Result<Rating, RateError> {
        let mut rating = Rating { difficulty: Difficulty::default(), hardest: None, steps: 0 };
        self.walk(puzzle.into(), false, |step| {
            rating.steps += 1;
            if step.difficulty() > rating.difficulty {
                (rating.difficulty, rating.hardest) = (step.difficulty(), Some(step.technique()));
            } else if step.difficulty() == rating.difficulty {
                rating.hardest = rating.hardest.min(Some(step.technique()));
            }
        })?;
        Ok(rating)
    }

    /// All steps from the puzzle to its solution, those of a position by rising difficulty.
    ///
    /// # Errors
    ///
    /// As for [`rate`](Self::rate).
    pub fn explain<'a>(&mut self, puzzle: impl Into<Task<'a>>) -> Result<Vec<Step>, RateError> {
        let mut steps = Vec::new();
        self.walk(puzzle.into(), true, |step| steps.push(step))?;
        Ok(steps)
    }

    /// An easiest step that can be made; none if the grid is full.
    ///
    /// # Errors
    ///
    /// As for [`rate`](Self::rate).
    pub fn next_step<'a>(&mut self, puzzle: impl Into<Task<'a>>) -> Result<Option<Step>, RateError> {
        let task = puzzle.into();
        let solution = self.solution(task)?;
        let found = Found::new(&solution, Difficulty::default(), true);
        Ok(self.easiest(&Position::new(task), found).into_iter().next())
    }

    /// Hands every step on the way to the solution to `visit`.
    fn walk(&mut self, task: Task<'_>, explain: bool, mut visit: impl FnMut(Step)) -> Result<(), RateError> {
        let solution = self.solution(task)?;
        let mut position = Position::new(task);
        let mut floor = Difficulty::default();
        while !position.is_full() {
            let steps = self.easiest(&position, Found::new(&solution, floor, explain));
            debug_assert!(!steps.is_empty(), "nets find something in every position");
            if steps.is_empty() {
                break;
            }
            for mut step in steps {
                if step.still_tells(&position) {
                    position.apply(&step);
                    // Nested nets take long: what is not harder than one of them need not be told apart.
                    if step.technique() >= Technique::NestedNet {
                        floor = floor.max(step.difficulty());
                    }
                    visit(step);
                }
            }
        }
        Ok(())
    }

    /// The easiest steps of a position.
    fn easiest(&self, position: &Position, mut found: Found<'_>) -> Vec<Step> {
        for &(technique, find) in FINDERS {
            if found.is_done_before(technique.range().0) {
                break;
            }
            if self.uniqueness || !technique.is_uniqueness() {
                find(position, &mut found);
            }
        }
        found.steps()
    }

    /// The only solution.
    fn solution(&mut self, task: Task<'_>) -> Result<Grid, RateError> {
        let grid = task.grid;
        if grid.geometry() != Geometry::CLASSIC {
            return Err(RateError::Size(grid.geometry()));
        }
        if task.rules.is_some() {
            return Err(RateError::Rules);
        }
        if let Some(&clash) = validate(grid).first() {
            return Err(RateError::Clash(clash));
        }
        match self.solver.solve(task) {
            Solved::Unique(solution) => Ok(solution),
            Solved::None(why) => Err(RateError::NoSolution(why)),
            Solved::Several(_) | Solved::Unknown { .. } => Err(RateError::Several), // without limits nothing is unknown
        }
    }
}

impl Default for Rater {
    fn default() -> Self {
        Self::new()
    }
}

/// Says how difficult a puzzle is. For many puzzles a [`Rater`] is faster.
///
/// # Errors
///
/// If the grid is not 9x9 or has not exactly one solution.
pub fn rate<'a>(puzzle: impl Into<Task<'a>>) -> Result<Rating, RateError> {
    Rater::new().rate(puzzle)
}

/// All steps from a puzzle to its solution.
///
/// # Errors
///
/// As for [`rate`].
pub fn explain<'a>(puzzle: impl Into<Task<'a>>) -> Result<Vec<Step>, RateError> {
    Rater::new().explain(puzzle)
}

/// An easiest step that can be made from a grid, or from a [`Puzzle`](crate::Puzzle) with its pencil marks; none if it is
/// full.
///
/// ```
/// use dlx_sudoku::{Grid, rate};
///
/// let grid: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let step = rate::next_step(&grid)?.expect("it has blank cells");
/// assert_eq!(step.to_string(), "hidden single in a box (1.2): in box 2, 8 can only be in r1c6: r1c6 is 8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`rate`].
pub fn next_step<'a>(puzzle: impl Into<Task<'a>>) -> Result<Option<Step>, RateError> {
    Rater::new().next_step(puzzle)
}
