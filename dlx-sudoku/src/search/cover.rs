//! A puzzle as exact cover: the problem of its geometry, with the givens assumed.

use dlx_core::{Limits, OptionId, Outcome, Solver, StopReason};

use super::{Budget, Search, Statistics, Visit};
use crate::{Geometry, Grid, decode, encode};

pub(super) struct Cover {
    solver: Solver,
    limits: Limits,
    grid: Grid,
    givens: Vec<u32>, // indices of options
}

impl Cover {
    pub(super) fn new(geometry: Geometry, budget: &Budget) -> Self {
        let limits = budget.limits();
        let mut solver = encode::problem(geometry).solver().limit(limits);
        if let Some(token) = &budget.cancel {
            solver = solver.cancel(token);
        }
        Self { solver, limits, grid: Grid::empty(geometry), givens: Vec::new() }
    }
}

impl Cover {
    fn begin(&mut self, grid: &Grid) {
        encode::collect_assumptions(grid, &mut self.givens);
        let assumed = self.solver.reassume(self.givens.iter().filter_map(|&index| OptionId::new(index)));
        debug_assert!(assumed.is_ok(), "every cell and digit is an option");
    }
}

impl Search for Cover {
    fn run(&mut self, grid: &Grid, visit: &mut Visit<'_>) -> Outcome {
        self.begin(grid);
        while let Some(solution) = self.solver.next_solution() {
            debug_assert!(decode(grid.geometry(), solution.options()).is_ok());
            decode::fill(&mut self.grid, solution.options());
            if visit(&self.grid).is_break() {
                return Outcome::Stopped(StopReason::Paused);
            }
        }
        self.solver.outcome()
    }

    /// Without putting any solution together.
    fn count_up_to(&mut self, limit: Option<u64>, grid: &Grid) -> Outcome {
        self.begin(grid);
        self.solver.set_limit(self.limits.solutions(limit.unwrap_or(u64::MAX)));
        let count = self.solver.count();
        self.solver.set_limit(self.limits);
        count.outcome
    }

    fn statistics(&self) -> Statistics {
        let figures = self.solver.statistics();
        Statistics { nodes: figures.nodes, guesses: figures.guesses(), solutions: figures.solutions }
    }
}
