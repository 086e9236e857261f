//! Exact cover with Dancing Links: a generic, index-based engine.
//!
//! An exact cover problem has *items* and *options*, which are sets of items. A solution is a set of options such that
//! every *primary* item is in exactly one of them, or in as many as its *bounds* allow, and every *secondary* item in at most
//! one, or in several that all give it the same *color*. The words and the algorithms are those of Knuth, *The Art of Computer
//! Programming*, volume 4B, section 7.2.2.1.
//!
//! ```
//! use dlx_core::{ProblemBuilder, verify};
//!
//! // Two tasks, two people who can do either, and a room that both tasks may use if they agree on its furniture.
//! let mut b = ProblemBuilder::new();
//! let [lecture, seminar, ann, bob] = b.primaries(["lecture", "seminar", "Ann", "Bob"])?;
//! let room = b.secondary("room")?;
//! let rows = b.color("rows")?;
//! let circle = b.color("circle")?;
//! for person in [ann, bob] {
//!     b.option([(lecture, None), (person, None), (room, Some(rows))])?;
//!     b.option([(seminar, None), (person, None), (room, Some(circle))])?;
//! }
//! b.option([(seminar, None), (bob, None), (room, Some(rows))])?;
//!
//! let problem = b.build()?;
//! let mut solver = problem.solver();
//! while let Some(solution) = solver.next_solution() {
//!     verify::check(&problem, solution.options())?;
//!     for option in solution.sorted().iter() {
//!         println!("{}", problem.option(*option)); // lecture Ann room:rows, seminar Bob room:rows
//!     }
//! }
//! assert!(solver.outcome().is_exhausted());
//! assert_eq!(solver.statistics().solutions, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`ProblemBuilder`] makes a [`Problem`] from names or numbers; [`format`](mod@format) reads one from text.
//! * [`ProblemBuilder::set_bounds`] lets a primary item be covered twice, three to five times, or not at all.
//! * [`Solver`] finds one solution, all, or their number, within [`Limits`], from any [assumptions](Solver::assume).
//! * [`Solver::count`] need not visit every solution: it merges partial solutions that leave the same problem where that
//!   promises to be faster ([`CountMethod`]).
//! * [`Problem::reduce`] makes a smaller problem with the same solutions, and says what became of each option.
//! * [`Solver::branch_by`] puts another [`BranchingRule`] in the place of MRV.
//! * [`Problem::shuffle`] puts items and options in random order, [`Problem::restarts`] does so again and again.
//! * [`Solver::checkpoint`] saves what a search has found and what is left, for any engine to [resume](Solver::resume), and
//!   [`Problem::split`] cuts a search into [parts](Part) for many machines.
//! * [`Solver::min_cost`] finds the cheapest solution where [options have costs](ProblemBuilder::set_cost), with the proof
//!   that it is; [`cheapest`](Solver::cheapest) the cheapest few, [`at_most`](Solver::at_most) all up to a cost.
//!   [`Problem::parallel`] has the same for several threads, [`proof::min_cost`] a certificate.
//! * [`Solver::zdd`] keeps all solutions in a decision diagram: samples, the cheapest, how many contain an option.
//! * [`verify`] checks a solution without any of the code that found it.
//! * [`proof`] lets a search write a certificate that there are no more solutions than those it found, which
//!   [`verify::proof`] checks.
//!
//! The crate needs `alloc` only; the feature `std` (on by default) adds time limits, and `parallel` (likewise) the search by
//! several threads.
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod build;
mod checkpoint;
mod choose;
mod cost;
mod count;
mod engine;
mod error;
mod fingerprint;
pub mod format;
mod frontier;
mod id;
mod limit;
mod names;
mod observe;
#[cfg(feature = "parallel")]
mod parallel;
mod part;
mod problem;
pub mod proof;
mod reduce;
mod saved;
mod search;
mod shuffle;
#[cfg(test)]
mod small;
mod solution;
mod solver;
mod split;
pub mod verify;
pub mod zdd;

pub use build::ProblemBuilder;
pub use checkpoint::Checkpoint;
pub use choose::{BranchingRule, Candidate, Mrv, Sharp, Weights};
pub use cost::{Cheapest, MinCost, PricedCover};
pub use count::CountMethod;
pub use engine::{EngineKind, UnknownEngine};
pub use error::{AssumeError, BuildError};
pub use fingerprint::{Fingerprint, UnknownFingerprint};
pub use id::{Color, ItemId, OptionId};
pub use limit::{CancelToken, Limits, Outcome, StopReason};
#[cfg(feature = "parallel")]
pub use parallel::{Parallel, Progress};
pub use problem::{Entry, OptionView, Problem};
pub use reduce::{Fate, Reduced, ReducedSolver, Reducer};
pub use saved::SavedError;
pub use search::Statistics;
pub use shuffle::{Restarts, Shuffled};
pub use solution::{OwnedSolution, Solution, SolutionStore};
pub use solver::{Count, Owned, Solver, Step};
pub use split::Part;
pub use zdd::{Zdd, ZddError};

/// The big integers of exact counts.
pub use num_bigint::BigUint;

/// The examples of the crate's own page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
