//! Proofs that a solution is the cheapest: a search that knows what it costs says why nothing is cheaper.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;
#[cfg(feature = "std")]
use std::time::Instant;

use super::script::Script;
use super::tree::Tree;
use crate::cost::{self, Hunt, PARTS, Reason};
use crate::{CancelToken, EngineKind, Limits, MinCost, Outcome, PricedCover, Problem, Solver, engine};

/// Finds the cheapest solution as [`Solver::min_cost`] does, and then writes a proof to `sink` that it is, or that there is no
/// solution. Whether the proof is complete comes along; the limits and the token hold for both together.
///
/// The proof is written by a second search, as long as the first at the most as a rule, by one thread; where the first was
/// decided by a visit to all solutions, dancing links visit all of them again. A node takes some bytes, but most nodes of the
/// former kind state a price for each item. When the second is stopped, what was found is the cheapest nevertheless.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use dlx_core::verify::proof::{Claim, check};
/// use dlx_core::{Limits, format::knuth, proof};
///
/// let problem = knuth::parse(b"a b c\na b |10\na |2\nb |3\nc |4\n")?;
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let sink = Arc::clone(&lines);
/// let sink = move |bytes: &[u8]| sink.lock().unwrap().extend_from_slice(bytes);
/// let (best, proof) = proof::min_cost(&problem, Limits::none(), None, sink);
/// assert_eq!(best.cover.map(|cover| cover.cost), Some(9));
/// assert!(proof.is_exhausted());
/// assert_eq!(check(&problem, &lines.lock().unwrap())?.claim, Claim::Cheapest(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn min_cost(
    problem: &Problem,
    limits: Limits,
    cancel: Option<&CancelToken>,
    sink: impl FnMut(&[u8]) + Send + 'static,
) -> (MinCost, Outcome) {
    #[cfg(feature = "std")]
    let begun = Instant::now();
    let mut script = Script::new(sink);
    script.begin(problem);
    let (best, all_visited) = cost::min_cost(Hunt::new(problem, &[], limits, cancel.cloned()));
    let left = Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(best.statistics.nodes)),
        solutions: None,
        #[cfg(feature = "std")]
        time: limits.time.map(|time| time.saturating_sub(begun.elapsed())),
        ..limits
    };
    let outcome = match best.outcome {
        Outcome::Exhausted => prove(problem, best.cover.as_ref(), all_visited, left, cancel, script),
        stopped => stopped,
    };
    (best, outcome)
}

/// Writes the proof that a solution is the cheapest, or that there is none, by a visit to all solutions or by bounds.
pub(super) fn prove(
    problem: &Problem,
    cover: Option<&PricedCover>,
    visit: bool,
    limits: Limits,
    cancel: Option<&CancelToken>,
    mut script: Script<impl FnMut(&[u8]) + Send + 'static>,
) -> Outcome {
    if let Some(PricedCover { options, cost }) = cover {
        script.cheapest(options, *cost);
    }
    if visit {
        return visit_all(problem, limits, cancel, script);
    }
    let hunt = Hunt::new(problem, &[], limits, cancel.cloned());
    refute(hunt, cover.map(|cover| cover.cost), script)
}

/// The tree of all solutions.
fn visit_all(
    problem: &Problem,
    limits: Limits,
    cancel: Option<&CancelToken>,
    script: Script<impl FnMut(&[u8]) + Send + 'static>,
) -> Outcome {
    let search = engine::logged(problem, Tree::after(script));
    let solver = Solver::with(problem.clone(), EngineKind::Links, search).limit(limits);
    let mut solver = match cancel {
        Some(token) => solver.cancel(token),
        None => solver,
    };
    solver.count().outcome
}

/// The tree of a search for solutions that cost less, or for any, by bounds.
fn refute(hunt: Hunt<'_>, cost: Option<i128>, mut script: Script<impl FnMut(&[u8])>) -> Outcome {
    let outcome = cost::refute(hunt, cost, |reason| match reason {
        Reason::Branch(option) => script.node(format_args!("o {option}")),
        Reason::Needs(item) => script.node(format_args!("b {item}")),
        Reason::Lacks(item) => script.node(format_args!("d {item}")),
        Reason::TooDear(prices) => script.node(format_args!("x{}", listed(Some(PARTS), &prices))),
        Reason::AllTooDear(prices) => script.node(format_args!("p{}", listed(Some(PARTS), &prices))),
        Reason::Impossible(prices) => script.node(format_args!("r{}", listed(None, &prices))),
    });
    if outcome.is_exhausted() {
        script.end();
    }
    outcome
}

/// The number of parts of a unit, if that matters, and prices; in lowest terms.
fn listed(parts: Option<u32>, prices: &[(usize, i128)]) -> String {
    let common = prices
        .iter()
        .fold(parts.unwrap_or(0).into(), |common, (_, price)| cost::gcd(common, price.unsigned_abs()));
    let common = i128::try_from(common.max(1)).unwrap_or(1);
    let mut line = parts.map_or_else(String::new, |parts| format!(" {}", i128::from(parts) / common));
    for (item, price) in prices {
        let _ = write!(line, " {item}:{}", price / common); // a string takes all there is
    }
    line
}
