//! A puzzle as exact cover: the problem of its geometry, or of its rules, with the givens assumed; where candidates alone
//! restrict it, a problem of its own.

use std::sync::Arc;

use dlx_core::{Limits, OptionId, Outcome, Problem, Solver, StopReason};

use super::{Budget, Search, Statistics, Visit};
use crate::puzzle::Task;
use crate::variant::Rules;
use crate::{Candidates, Digit, Geometry, Grid, decode, encode, is_valid};

pub(super) struct Cover {
    /// The solver of the empty grid.
    plain: Solver,
    /// The solver of the empty grid of the rules that were last met.
    ruled: Option<Ruled>,
    /// The solver of the puzzle in hand, if it has other restrictions, and what its options are in the empty grid.
    restricted: Option<(Solver, Vec<OptionId>)>,
    /// Whether the puzzle in hand is for the solver of rules.
    is_ruled: bool,
    budget: Budget,
    limits: Limits,
    grid: Grid,              // the last solution
    givens: Box<[OptionId]>, // room for them
}

/// The empty grid of some rules, compiled once for all puzzles that have them.
struct Ruled {
    rules: Arc<Rules>,
    candidates: Option<Candidates>,
    solver: Solver,
    /// What its options are in the empty grid without rules, and the other way round.
    options: Vec<OptionId>,
    option_of: Vec<Option<OptionId>>,
}

impl Ruled {
    fn new(rules: &Arc<Rules>, candidates: Option<&Candidates>, budget: &Budget) -> Self {
        let geometry = rules.canvas();
        let grid = Grid::empty(geometry);
        let (problem, options) = encode::restricted(Task { grid: &grid, candidates, rules: Some(rules) });
        let mut option_of = vec![None; geometry.cell_count() * geometry.size()];
        for (option, of_grid) in problem.options().zip(&options) {
            option_of[of_grid.index()] = Some(option);
        }
        let solver = solver(&problem, budget);
        Self { rules: rules.clone(), candidates: candidates.cloned(), solver, options, option_of }
    }

    fn is_of(&self, task: Task<'_>) -> bool {
        task.rules.is_some_and(|rules| Arc::ptr_eq(rules, &self.rules) || *rules == self.rules)
            && task.candidates == self.candidates.as_ref()
    }

    /// Takes the givens for chosen. They keep the rules, so that each is an option.
    fn assume(&mut self, grid: &Grid) {
        let size = grid.geometry().size();
        let cells = grid.cells().iter().enumerate();
        let givens =
            cells.filter_map(|(place, &cell)| self.option_of[place * size + cell.map(Digit::index)?]);
        let assumed = self.solver.reassume(givens);
        debug_assert!(assumed.is_ok(), "the options are the problem's own");
    }
}

impl Cover {
    pub(super) fn new(geometry: Geometry, budget: &Budget) -> Self {
        Self {
            plain: solver(&encode::problem(geometry), budget),
            ruled: None,
            restricted: None,
            is_ruled: false,
            budget: budget.clone(),
            limits: budget.limits(),
            grid: Grid::empty(geometry),
            givens: vec![encode::option_at(geometry, 0, 0); geometry.cell_count()].into(),
        }
    }

    fn begin(&mut self, task: Task<'_>) {
        self.restricted = None;
        self.is_ruled = false;
        if task.restricts() {
            self.grid.clone_from(task.grid); // not every cell and given has an option where there are rules
        }
        if let Some(rules) = task.rules.filter(|_| task.is_valid()) {
            let known = self.ruled.take().filter(|ruled| ruled.is_of(task));
            let mut ruled = known.unwrap_or_else(|| Ruled::new(rules, task.candidates, &self.budget));
            ruled.assume(task.grid);
            self.ruled = Some(ruled);
            self.is_ruled = true;
            return;
        }
        if task.restricts() {
            let (problem, options) = encode::restricted(task);
            self.restricted = Some((solver(&problem, &self.budget), options));
            return;
        }
        let givens = encode::collect_assumptions(task.grid, &mut self.givens);
        let assumed = self.plain.reassume(givens.iter().copied());
        debug_assert!(assumed.is_ok(), "every cell and digit is an option");
    }

    /// The solver of the puzzle in hand; what its options are if they are not those of the plain one; and the grid for its
    /// solutions.
    fn solver(&mut self) -> (&mut Solver, Option<&[OptionId]>, &mut Grid) {
        let (solver, meaning): (_, Option<&[_]>) =
            match (&mut self.restricted, self.ruled.as_mut().filter(|_| self.is_ruled)) {
                (Some((solver, options)), _) => (solver, Some(options)),
                (None, Some(ruled)) => (&mut ruled.solver, Some(&ruled.options)),
                (None, None) => (&mut self.plain, None),
            };
        (solver, meaning, &mut self.grid)
    }
}

fn solver(problem: &Problem, budget: &Budget) -> Solver {
    let solver = problem.solver().limit(budget.limits());
    match &budget.cancel {
        Some(token) => solver.cancel(token),
        None => solver,
    }
}

impl Search for Cover {
    fn run(&mut self, task: Task<'_>, visit: &mut Visit<'_>) -> Outcome {
        self.begin(task);
        let (solver, meaning, grid) = self.solver();
        while let Some(solution) = solver.next_solution() {
            decode::fill_as(grid, solution.options(), meaning);
            debug_assert!(task.rules.is_some() || is_valid(grid) && grid.is_full());
            if visit(grid).is_break() {
                return Outcome::Stopped(StopReason::Paused);
            }
        }
        solver.outcome()
    }

    /// Without putting any solution together.
    fn count_up_to(&mut self, limit: Option<u64>, task: Task<'_>) -> Outcome {
        self.begin(task);
        let limits = self.limits;
        let (solver, ..) = self.solver();
        solver.set_limit(limits.solutions(limit.unwrap_or(u64::MAX)));
        let count = solver.count();
        solver.set_limit(limits);
        count.outcome
    }

    fn statistics(&self) -> Statistics {
        let ruled = self.ruled.as_ref().filter(|_| self.is_ruled).map(|ruled| &ruled.solver);
        let restricted = self.restricted.as_ref().map(|(solver, _)| solver);
        let figures = restricted.or(ruled).unwrap_or(&self.plain).statistics();
        Statistics { nodes: figures.nodes, guesses: figures.guesses(), solutions: figures.solutions }
    }
}
