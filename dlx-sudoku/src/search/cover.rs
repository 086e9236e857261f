//! A puzzle as exact cover: the problem of its geometry, with the givens assumed; where it has restrictions beside them,
//! a problem of its own.

use dlx_core::{Limits, OptionId, Outcome, Problem, Solver, StopReason};

use super::{Budget, Search, Statistics, Visit};
use crate::puzzle::Task;
use crate::{Geometry, Grid, decode, encode, is_valid};

pub(super) struct Cover {
    /// The solver of the empty grid.
    plain: Solver,
    /// The solver of the puzzle in hand, if it has restrictions, and what its options are in the empty grid.
    restricted: Option<(Solver, Vec<OptionId>)>,
    budget: Budget,
    limits: Limits,
    grid: Grid,
    givens: Vec<u32>, // indices of options
}

impl Cover {
    pub(super) fn new(geometry: Geometry, budget: &Budget) -> Self {
        Self {
            plain: solver(&encode::problem(geometry), budget),
            restricted: None,
            budget: budget.clone(),
            limits: budget.limits(),
            grid: Grid::empty(geometry),
            givens: Vec::new(),
        }
    }

    fn begin(&mut self, task: Task<'_>) {
        self.restricted = None;
        if task.restricts() {
            self.grid.clone_from(task.grid); // givens have no options where there are rules
            let (problem, options) = encode::restricted(task);
            self.restricted = Some((solver(&problem, &self.budget), options));
            return;
        }
        encode::collect_assumptions(task.grid, &mut self.givens);
        let assumed = self.plain.reassume(self.givens.iter().filter_map(|&index| OptionId::new(index)));
        debug_assert!(assumed.is_ok(), "every cell and digit is an option");
    }

    fn solver(&mut self) -> &mut Solver {
        self.restricted.as_mut().map_or(&mut self.plain, |(solver, _)| solver)
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
        let (solver, meaning) = match &mut self.restricted {
            Some((solver, options)) => (solver, Some(&options[..])),
            None => (&mut self.plain, None),
        };
        while let Some(solution) = solver.next_solution() {
            decode::fill_as(&mut self.grid, solution.options(), meaning);
            debug_assert!(task.rules.is_some() || is_valid(&self.grid) && self.grid.is_full());
            if visit(&self.grid).is_break() {
                return Outcome::Stopped(StopReason::Paused);
            }
        }
        solver.outcome()
    }

    /// Without putting any solution together.
    fn count_up_to(&mut self, limit: Option<u64>, task: Task<'_>) -> Outcome {
        self.begin(task);
        let limits = self.limits;
        let solver = self.solver();
        solver.set_limit(limits.solutions(limit.unwrap_or(u64::MAX)));
        let count = solver.count();
        solver.set_limit(limits);
        count.outcome
    }

    fn statistics(&self) -> Statistics {
        let figures = self.restricted.as_ref().map_or(&self.plain, |(solver, _)| solver).statistics();
        Statistics { nodes: figures.nodes, guesses: figures.guesses(), solutions: figures.solutions }
    }
}
