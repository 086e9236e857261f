//! The front door: one puzzle, or one after the other, by any engine.

use core::ops::ControlFlow;

use dlx_core::{OptionId, Outcome, Solver, StopReason};

use crate::puzzle::Task;
use crate::search::{Budget, Engine, Search, Statistics, Visit};
use crate::{Geometry, Grid, NoSolution, decode, encode, why_none};

/// What [`solve`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// The only solution.
    Unique(Grid),
    /// There are several; this is the one that was found first.
    Several(Grid),
    /// There is none, and why.
    None(NoSolution),
    /// The search stopped before that was known.
    Unknown {
        /// The solution that was found before.
        first: Option<Grid>,
        /// What stopped it.
        reason: StopReason,
    },
}

impl Solved {
    /// The solution, or the first of several.
    pub fn grid(&self) -> Option<&Grid> {
        match self {
            Self::Unique(grid) | Self::Several(grid) => Some(grid),
            Self::None(_) => None,
            Self::Unknown { first, .. } => first.as_ref(),
        }
    }
}

/// The number of solutions found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub value: u64,
    /// Whether these are all, or else what stopped the search.
    pub outcome: Outcome,
}

impl Count {
    /// Whether these are all.
    pub const fn is_complete(self) -> bool {
        self.outcome.is_exhausted()
    }
}

/// Solves puzzles one after the other: the exact cover problem is compiled, and all tables are allocated, once; a
/// puzzle of the same geometry as the one before allocates nothing, unless it has no solution. One for each thread.
///
/// ```
/// use dlx_sudoku::{Engine, Solved, SudokuSolver, records};
///
/// let input = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
/// .3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let mut solver = SudokuSolver::new(Engine::Dlx);
/// for record in records(input) {
///     assert!(matches!(solver.solve(&record?.puzzle), Solved::Unique(_)));
///     assert!(solver.statistics().nodes > 0);
/// }
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub struct SudokuSolver {
    engine: Engine,
    budget: Budget,
    geometry: Geometry,
    search: Box<dyn Search + Send>,
    statistics: Statistics,
}

impl SudokuSolver {
    /// A solver without limits.
    pub fn new(engine: Engine) -> Self {
        let (budget, geometry) = (Budget::default(), Geometry::CLASSIC);
        let search = engine.search(geometry, &budget);
        Self { engine, budget, geometry, search, statistics: Statistics::default() }
    }

    /// Sets the limits for each puzzle, in place of those before.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.search = self.engine.search(self.geometry, &budget);
        self.budget = budget;
        self
    }

    /// Looks for two solutions: the answer tells whether there are one, several or none.
    pub fn solve<'a>(&mut self, puzzle: impl Into<Task<'a>>) -> Solved {
        let task = puzzle.into();
        let mut first = None;
        let outcome = self.visit(task, Some(2), &mut |solution| {
            first.get_or_insert_with(|| solution.clone());
            ControlFlow::Continue(())
        });
        match (first, outcome) {
            (Some(first), Outcome::Stopped(StopReason::Solutions)) => Solved::Several(first),
            (first, Outcome::Stopped(reason)) => Solved::Unknown { first, reason },
            (Some(only), Outcome::Exhausted) => Solved::Unique(only),
            (None, Outcome::Exhausted) => Solved::None(why_none(task)),
        }
    }

    /// Counts solutions, up to a limit.
    pub fn count<'a>(&mut self, puzzle: impl Into<Task<'a>>, limit: Option<u64>) -> Count {
        let task = puzzle.into();
        let outcome = self.search(task, limit, |search| search.count_up_to(limit, task));
        Count { value: self.statistics.solutions, outcome }
    }

    /// Calls `f` with each solution until it says [`Break`](ControlFlow::Break).
    pub fn for_each<'a>(
        &mut self,
        puzzle: impl Into<Task<'a>>,
        mut f: impl FnMut(&Grid) -> ControlFlow<()>,
    ) -> Outcome {
        self.visit(puzzle.into(), None, &mut f)
    }

    /// What the last puzzle took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Visits solutions, up to a limit.
    fn visit(&mut self, task: Task<'_>, limit: Option<u64>, visit: &mut Visit<'_>) -> Outcome {
        self.search(task, limit, |search| search.run_up_to(limit, task, visit))
    }

    fn search(
        &mut self,
        task: Task<'_>,
        limit: Option<u64>,
        run: impl FnOnce(&mut (dyn Search + Send)) -> Outcome,
    ) -> Outcome {
        let grid = task.grid;
        self.statistics = Statistics::default();
        // The exact cover solver sees by itself whether givens clash, the baselines take it for granted that they do not.
        if (self.engine != Engine::Dlx || limit == Some(0)) && !task.is_valid() {
            return Outcome::Exhausted;
        }
        if limit == Some(0) {
            return Outcome::Stopped(StopReason::Solutions);
        }
        if grid.geometry() != self.geometry {
            self.geometry = grid.geometry();
            self.search = self.engine.search(self.geometry, &self.budget);
        }
        let outcome = run(&mut *self.search);
        self.statistics = self.search.statistics();
        outcome
    }
}

impl core::fmt::Debug for SudokuSolver {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SudokuSolver").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// Solves a puzzle as an exact cover problem, and tells whether its solution is the only one. For many puzzles a
/// [`SudokuSolver`] is faster.
///
/// ```
/// use dlx_sudoku::{Grid, Solved, solve};
///
/// let puzzle: Grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
/// let Solved::Unique(solution) = solve(&puzzle) else { panic!("this puzzle has one solution") };
/// let line = "812753649943682175675491283154237896369845721287169534521974368438526917796318452";
/// assert_eq!(solution.one_line().to_string(), line);
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub fn solve<'a>(puzzle: impl Into<Task<'a>>) -> Solved {
    SudokuSolver::new(Engine::Dlx).solve(puzzle)
}

/// Whether a puzzle has exactly one solution.
pub fn is_unique<'a>(puzzle: impl Into<Task<'a>>) -> bool {
    SudokuSolver::new(Engine::Dlx).count(puzzle, Some(2)).value == 1
}

/// Counts the solutions of a puzzle, up to a limit.
///
/// ```
/// use dlx_sudoku::{Geometry, Grid, count};
///
/// let small = Grid::empty(Geometry::new(2, 2)?);
/// let all = count(&small, None);
/// assert_eq!((all.value, all.is_complete()), (288, true));
/// let some = count(&small, Some(100));
/// assert_eq!((some.value, some.is_complete()), (100, false));
/// # Ok::<(), dlx_sudoku::GeometryError>(())
/// ```
pub fn count<'a>(puzzle: impl Into<Task<'a>>, limit: Option<u64>) -> Count {
    SudokuSolver::new(Engine::Dlx).count(puzzle, limit)
}

/// All solutions of a puzzle, one after the other, found as they are asked for.
///
/// ```
/// use dlx_sudoku::{Grid, solutions};
///
/// assert_eq!(solutions(&Grid::default()).take(1000).filter(Grid::is_full).count(), 1000);
/// ```
pub fn solutions<'a>(puzzle: impl Into<Task<'a>>) -> Solutions {
    let task = puzzle.into();
    if task.restricts() {
        let (problem, meaning) = encode::restricted(task);
        return Solutions { solver: problem.solver(), grid: task.grid.clone(), meaning: Some(meaning) };
    }
    let mut solver = encode::problem(task.grid.geometry()).solver();
    let assumed = solver.reassume(encode::assumptions(task.grid));
    debug_assert!(assumed.is_ok(), "every cell and digit is an option");
    Solutions { solver, grid: task.grid.clone(), meaning: None }
}

/// The iterator that [`solutions`] returns.
pub struct Solutions {
    solver: Solver,
    grid: Grid,
    /// What the options are in the empty grid, if they are others.
    meaning: Option<Vec<OptionId>>,
}

impl Iterator for Solutions {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        let solution = self.solver.next_solution()?;
        decode::fill_as(&mut self.grid, solution.options(), self.meaning.as_deref());
        Some(self.grid.clone())
    }
}

impl core::iter::FusedIterator for Solutions {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;
    use std::time::Duration;

    use dlx_core::CancelToken;

    use super::*;
    use crate::{Cell, Digit, is_valid};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    fn engines() -> [SudokuSolver; 3] {
        Engine::ALL.map(SudokuSolver::new)
    }

    /// All solutions, found in the dullest way there is: every digit for every cell, checked when the grid is full or a
    /// house has a digit twice. For small geometries.
    fn brute_force(grid: &mut Grid, cells: &mut Vec<Cell>, found: &mut Vec<String>) {
        if !is_valid(grid) {
            return;
        }
        let Some(cell) = cells.pop() else {
            found.push(grid.one_line().to_string());
            return;
        };
        if grid.get(cell).is_some() {
            brute_force(grid, cells, found);
        } else {
            for digit in grid.geometry().digits() {
                grid.set(cell, Some(digit));
                brute_force(grid, cells, found);
            }
            grid.set(cell, None);
        }
        cells.push(cell);
    }

    #[test]
    fn a_puzzle_with_one_solution() {
        for mut solver in engines() {
            assert_eq!(solver.solve(&grid(PUZZLE)), Solved::Unique(grid(SOLUTION)), "{solver:?}");
            assert_eq!(solver.statistics().solutions, 1);
            assert_eq!(solver.solve(&grid(SOLUTION)), Solved::Unique(grid(SOLUTION)), "{solver:?}");
        }
        assert!(is_unique(&grid(PUZZLE)));
        assert_eq!(solutions(&grid(PUZZLE)).collect::<Vec<_>>(), [grid(SOLUTION)]);
    }

    #[test]
    fn all_engines_find_the_solutions_that_brute_force_finds() {
        for (rows, columns) in [(1, 1), (1, 3), (3, 1), (2, 2), (1, 4)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            let corner = geometry.cell(0, 0).unwrap();
            for given in [None, Digit::new(1)] {
                let mut puzzle = Grid::empty(geometry);
                puzzle.set(corner, given);
                let (mut cells, mut expected) = (geometry.cells().collect(), Vec::new());
                brute_force(&mut puzzle.clone(), &mut cells, &mut expected);
                expected.sort();
                for mut solver in engines() {
                    let mut found = Vec::new();
                    let outcome = solver.for_each(&puzzle, |solution| {
                        found.push(solution.one_line().to_string());
                        ControlFlow::Continue(())
                    });
                    found.sort();
                    assert_eq!(
                        (found, outcome),
                        (expected.clone(), Outcome::Exhausted),
                        "{solver:?} {geometry:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn well_known_numbers() {
        // Shidoku; Latin squares of order 4 and 5 (boxes that are rows ask for nothing more); OEIS A107739 and A002860.
        for (rows, columns, all) in [(2, 2, 288), (1, 4, 576), (5, 1, 161_280)] {
            let empty = Grid::empty(Geometry::new(rows, columns).unwrap());
            for mut solver in engines() {
                let count = solver.count(&empty, None);
                assert_eq!((count.value, count.is_complete()), (all, true), "{solver:?}");
            }
        }
    }

    #[test]
    fn engines_agree_on_puzzles_with_several_solutions() {
        for removed in 1..12 {
            let puzzle: String = SOLUTION
                .chars()
                .enumerate()
                .map(|(at, c)| if at * 7 % 81 < removed * 4 { '.' } else { c })
                .collect();
            let puzzle = grid(&puzzle);
            let expected: BTreeSet<_> =
                solutions(&puzzle).map(|solution| solution.one_line().to_string()).collect();
            for mut solver in engines() {
                let mut found = BTreeSet::new();
                let outcome = solver.for_each(&puzzle, |solution| {
                    assert!(solution.is_full() && is_valid(solution));
                    assert!(found.insert(solution.one_line().to_string()));
                    ControlFlow::Continue(())
                });
                assert_eq!((&found, outcome), (&expected, Outcome::Exhausted), "{solver:?}");
                assert_eq!(solver.statistics().solutions, expected.len() as u64);
                let several = matches!(solver.solve(&puzzle), Solved::Several(_));
                assert_eq!(several, expected.len() > 1);
            }
        }
    }

    #[test]
    fn a_limit_of_solutions_is_kept_and_told() {
        for mut solver in engines() {
            for limit in [0, 1, 2, 50] {
                let count = solver.count(&Grid::default(), Some(limit));
                assert_eq!((count.value, count.outcome), (limit, Outcome::Stopped(StopReason::Solutions)));
            }
            let only = solver.count(&grid(PUZZLE), Some(2));
            assert_eq!((only.value, only.outcome), (1, Outcome::Exhausted));
            assert!(matches!(solver.solve(&Grid::default()), Solved::Several(first) if first.is_full()));
        }
    }

    #[test]
    fn a_stopped_search_is_never_taken_for_no_solution() {
        let unknown = |reason| Solved::Unknown { first: None, reason };
        let token = CancelToken::new();
        token.cancel();
        for engine in Engine::ALL {
            let with = |budget| SudokuSolver::new(engine).budget(budget).solve(&grid(PUZZLE));
            // The easy puzzle is solved at the root by some engines.
            let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
            let budget = Budget { nodes: Some(3), ..Budget::default() };
            assert_eq!(
                SudokuSolver::new(engine).budget(budget).solve(&grid(hard)),
                unknown(StopReason::Nodes)
            );
            assert_eq!(
                with(Budget { time: Some(Duration::ZERO), ..Budget::default() }),
                unknown(StopReason::Time)
            );
            assert_eq!(
                with(Budget { cancel: Some(token.clone()), ..Budget::default() }),
                unknown(StopReason::Cancelled)
            );
            let large =
                Budget { nodes: Some(1 << 40), time: Some(Duration::MAX), cancel: Some(CancelToken::new()) };
            assert_eq!(with(large), Solved::Unique(grid(SOLUTION)));
        }
    }

    #[test]
    fn the_solution_found_before_a_stop_is_kept() {
        let first = Some(grid(SOLUTION));
        for engine in [Engine::Backtrack, Engine::Iterative] {
            let mut solver = SudokuSolver::new(engine);
            solver.count(&grid(PUZZLE), Some(1));
            let nodes = solver.statistics().nodes;
            // The tree goes on after the solution.
            let mut solver = solver.budget(Budget { nodes: Some(nodes), ..Budget::default() });
            let reason = StopReason::Nodes;
            assert_eq!(solver.solve(&grid(PUZZLE)), Solved::Unknown { first: first.clone(), reason });
        }
    }

    #[test]
    fn clashing_givens_have_no_solution_in_any_engine() {
        let puzzle = grid(&format!("1...1....{}", ".".repeat(72)));
        for mut solver in engines() {
            assert!(matches!(solver.solve(&puzzle), Solved::None(NoSolution::Clash(_))));
            assert_eq!(solver.count(&puzzle, None), Count { value: 0, outcome: Outcome::Exhausted });
            assert_eq!((solver.statistics().guesses, solver.statistics().solutions), (0, 0));
        }
        assert_eq!(solutions(&puzzle).count(), 0);
    }

    #[test]
    fn no_solution_for_a_reason_that_only_a_search_finds() {
        // In the solution r1c3 is 4.
        let puzzle = grid(&PUZZLE.replacen("53.", "532", 1));
        assert_eq!(why_none(&puzzle), NoSolution::Search);
        for mut solver in engines() {
            assert_eq!(solver.solve(&puzzle), Solved::None(NoSolution::Search));
        }
    }

    #[test]
    fn baselines_count_the_digits_that_they_place() {
        // One empty cell: the root and one digit. A full grid: the root.
        let one = grid(&SOLUTION.replacen('5', ".", 1));
        for engine in [Engine::Backtrack, Engine::Iterative] {
            let mut solver = SudokuSolver::new(engine);
            assert_eq!(solver.count(&one, None).value, 1);
            assert_eq!(solver.statistics(), Statistics { nodes: 2, guesses: 1, solutions: 1 });
            solver.count(&grid(SOLUTION), None);
            assert_eq!(solver.statistics(), Statistics { nodes: 1, guesses: 0, solutions: 1 });
        }
        // Both baselines walk through the same tree.
        let [_, mut recursive, mut iterative] = engines();
        recursive.count(&grid(PUZZLE), None);
        iterative.count(&grid(PUZZLE), None);
        assert_eq!(recursive.statistics(), iterative.statistics());
        // Exact cover sees that this puzzle needs no guess.
        let mut solver = SudokuSolver::new(Engine::Dlx);
        solver.solve(&grid(PUZZLE));
        assert_eq!(solver.statistics().guesses, 0);
    }

    #[test]
    fn solvers_can_be_sent_to_threads() {
        fn is_send<T: Send>() {}
        is_send::<SudokuSolver>();
        is_send::<Solutions>();
    }
}
