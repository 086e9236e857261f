//! The cheapest covers of a problem whose options have costs: one, several, or all up to a cost; with the proof that there
//! is nothing cheaper, or a lower bound.

mod bound;
#[cfg(feature = "parallel")]
mod crew;
mod engine;
mod hunt;
mod lock;
mod pool;
mod residual;
mod simplex;
#[cfg(test)]
pub(crate) mod tests;
mod walk;
mod watch;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use bound::BEYOND;
pub(crate) use bound::PARTS;
pub(crate) use engine::{Reason, gcd};
pub(crate) use hunt::Hunt;
use hunt::{Bag, Pause};
#[cfg(feature = "parallel")]
use lock::Lock;

use crate::{OptionId, Outcome, OwnedSolution, Problem, Solution, Statistics, StopReason};

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

impl From<MinCost> for Cheapest {
    fn from(MinCost { cover, lower_bound, outcome, statistics }: MinCost) -> Self {
        Self { covers: cover.into_iter().collect(), lower_bound, outcome, statistics }
    }
}

impl From<Cheapest> for MinCost {
    fn from(Cheapest { covers, lower_bound, outcome, statistics }: Cheapest) -> Self {
        Self { cover: covers.into_iter().next(), lower_bound, outcome, statistics }
    }
}

/// The `k` cheapest covers.
pub(crate) fn cheapest(hunt: Hunt<'_>, k: usize) -> Cheapest {
    let divisor = hunt.divisor();
    priced(&hunt.cheapest(k), k, divisor)
}

/// The cheapest cover, and whether it is known because all covers have been visited.
pub(crate) fn min_cost(hunt: Hunt<'_>) -> (MinCost, bool) {
    let divisor = hunt.divisor();
    let bag = hunt.cheapest(1);
    (priced(&bag, 1, divisor).into(), bag.pause == Pause::Complete)
}

/// Searches for covers that cost less than the cheapest, or for any if there is none, and tells why there are none.
pub(crate) fn refute(hunt: Hunt<'_>, cost: Option<i128>, told: impl FnMut(Reason)) -> Outcome {
    let limit = cost.map_or(BEYOND, |cost| cost / hunt.divisor());
    hunt.refute(limit, told)
}

fn priced(bag: &Bag, k: usize, divisor: i128) -> Cheapest {
    let priced = |(cost, options): &(i128, OwnedSolution)| PricedCover {
        options: options.clone(),
        cost: cost * divisor,
    };
    Cheapest {
        covers: bag.pool.covers().take(k).map(priced).collect(),
        lower_bound: bag.lower_bound.map(|bound| bound * divisor),
        outcome: bag.pause.outcome(),
        statistics: bag.statistics,
    }
}

/// All covers that cost at most `most`.
pub(crate) fn at_most(
    hunt: Hunt<'_>,
    most: i128,
    f: impl FnMut(Solution<'_>, i128) -> ControlFlow<()>,
) -> (Outcome, Statistics) {
    let mut delivery = Delivery::new(&hunt, f);
    let limit = hunt.limit_of(most);
    let (outcome, statistics) = match delivery.over {
        Some(reason) => (Outcome::Stopped(reason), Statistics::default()),
        None => hunt.below(limit, |options| delivery.take(options)),
    };
    (outcome, Statistics { solutions: delivery.count, ..statistics })
}

/// The same by the threads of the hunt. `f` is called by one of them at a time.
#[cfg(feature = "parallel")]
pub(crate) fn at_most_together(
    hunt: Hunt<'_>,
    most: i128,
    f: impl FnMut(Solution<'_>, i128) -> ControlFlow<()> + Send,
) -> (Outcome, Statistics) {
    let delivery = Delivery::new(&hunt, f);
    let limit = hunt.limit_of(most);
    let over = delivery.over;
    let delivery = Lock::new(delivery);
    let (outcome, statistics) = match over {
        Some(reason) => (Outcome::Stopped(reason), Statistics::default()),
        None => hunt.below_together(limit, &|options| delivery.take().take(options)),
    };
    (outcome, Statistics { solutions: delivery.into_inner().count, ..statistics })
}

/// Hands covers to the caller, until there are enough.
struct Delivery<F> {
    problem: Problem,
    most: Option<u64>,
    count: u64,
    over: Option<StopReason>,
    f: F,
}

impl<F: FnMut(Solution<'_>, i128) -> ControlFlow<()>> Delivery<F> {
    fn new(hunt: &Hunt<'_>, f: F) -> Self {
        let most = hunt.limits.solutions;
        let over = (most == Some(0)).then_some(StopReason::Solutions);
        Self { problem: hunt.problem.clone(), most, count: 0, over, f }
    }

    /// Hands on a cover. Why there is to be no other one, if so.
    fn take(&mut self, options: &[OptionId]) -> Option<StopReason> {
        if self.over.is_none() {
            self.count += 1;
            if (self.f)(Solution(options), self.problem.total_cost(options)).is_break() {
                self.over = Some(StopReason::Paused);
            } else if self.most == Some(self.count) {
                self.over = Some(StopReason::Solutions);
            }
        }
        self.over
    }
}
