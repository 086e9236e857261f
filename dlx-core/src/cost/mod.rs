//! The cheapest covers of a problem whose options have costs: one, several, or all up to a cost; with the proof that there
//! is nothing cheaper, or a lower bound.

mod bound;
mod engine;
mod hunt;
mod pool;
mod residual;
mod simplex;
#[cfg(test)]
mod tests;
mod walk;
mod watch;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use hunt::Hunt;
use pool::Pool;

use crate::{CancelToken, Limits, OptionId, Outcome, OwnedSolution, Problem, Solution, Statistics};

/// A solution and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PricedCover {
    /// The chosen options, assumed ones included.
    pub options: OwnedSolution,
    /// Their costs added up.
    pub cost: i128,
}

/// What [`Solver::min_cost`](crate::Solver::min_cost) found.
#[derive(Clone, Debug)]
pub struct MinCost {
    /// The cheapest cover that was found; it is the cheapest of all if the outcome is [`Outcome::Exhausted`].
    pub cover: Option<PricedCover>,
    /// No cover costs less than that: the cost of the cheapest cover, if the search was not stopped. `None` if there is no
    /// cover at all.
    pub lower_bound: Option<i128>,
    /// Whether it was stopped.
    pub outcome: Outcome,
    /// The work it was.
    pub statistics: Statistics,
}

/// What [`Solver::cheapest`](crate::Solver::cheapest) found.
#[derive(Clone, Debug)]
pub struct Cheapest {
    /// The cheapest covers that were found, in the order of their costs; they are the cheapest of all if the outcome is
    /// [`Outcome::Exhausted`].
    pub covers: Vec<PricedCover>,
    /// No cover beside these costs less than that. `None` if there are no others.
    pub lower_bound: Option<i128>,
    /// Whether it was stopped.
    pub outcome: Outcome,
    /// The work it was.
    pub statistics: Statistics,
}

impl From<Cheapest> for MinCost {
    fn from(Cheapest { covers, lower_bound, outcome, statistics }: Cheapest) -> Self {
        Self { cover: covers.into_iter().next(), lower_bound, outcome, statistics }
    }
}

/// The `k` cheapest covers.
pub(crate) fn cheapest(
    problem: &Problem,
    assumed: &[OptionId],
    limits: Limits,
    cancel: Option<CancelToken>,
    k: usize,
) -> Cheapest {
    let mut hunt = Hunt::new(problem, assumed, limits, cancel);
    let bag = hunt.cheapest(Pool::new(k));
    let divisor = hunt.divisor();
    let priced = |(cost, options): &(i128, OwnedSolution)| PricedCover {
        options: options.clone(),
        cost: cost * divisor,
    };
    Cheapest {
        covers: bag.pool.covers().take(k).map(priced).collect(),
        lower_bound: bag.lower_bound.map(|bound| bound * divisor),
        outcome: bag.outcome,
        statistics: hunt.statistics(),
    }
}

/// All covers that cost at most `most`.
pub(crate) fn at_most(
    problem: &Problem,
    assumed: &[OptionId],
    limits: Limits,
    cancel: Option<CancelToken>,
    most: i128,
    mut f: impl FnMut(Solution<'_>, i128) -> ControlFlow<()>,
) -> (Outcome, Statistics) {
    let mut hunt = Hunt::new(problem, assumed, limits, cancel);
    // Costs are divided: those that are wanted are the ones up to the quotient.
    let limit = most.div_euclid(hunt.divisor()).saturating_add(1);
    let outcome =
        hunt.below(limit, |options| f(Solution(options), problem.total_cost(options)).is_continue());
    (outcome, hunt.statistics())
}
