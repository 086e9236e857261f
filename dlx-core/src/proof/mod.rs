//! Proofs: a search that says no (more) solutions, or nothing cheaper, writes a certificate of that while it goes, which can be
//! checked without trust in it, by [`verify::proof`](crate::verify::proof).
//!
//! # The form
//!
//! Lines of ASCII text, each ended by a newline. Items and options are numbers, counted from 0 in the order of the
//! problem. Lines that begin with `|` are comments.
//!
//! ```text
//! dlx proof 1                                  the form and its version
//! problem 24368192c91a08011f3b18fcd0f7c3b8     the fingerprint of the problem
//! assume 7                                     a line for each option that is assumed, if any is
//! b 0                                          the nodes of the search, in preorder
//! b 2
//! s
//! d 1
//! end 1 solutions 4 nodes crc f573cc59    how many, and the CRC-32 of the lines above but the comments
//! ```
//!
//! `b i` branches on item *i*. What it may come to needs no naming. Let *o*<sub>1</sub>, ..., *o*<sub>k</sub> be the options
//! that contain *i* and are left there, in ascending order, and *n* how many of them must be chosen at the least. The
//! choices are *o*<sub>1</sub>; then *o*<sub>2</sub> without *o*<sub>1</sub>; and so on, as long as *n* options are there
//! to choose from, the one chosen included; and at last, if *n* is 0, none of them (Knuth's Algorithm M). The
//! subtrees of these *k* + 1 − *n* choices follow in this order. `d i` is a leaf: fewer than *n* options that
//! contain *i* are left. `s` is a leaf with a solution: there is no option left, and nothing that must be covered. An
//! option is left as long as it is not chosen, has not been passed over by a choice above, and may be chosen together with those
//! that are chosen.
//!
//! # Costs
//!
//! A proof that a solution is the cheapest begins with that solution, its options in ascending order, and its last line says
//! what they cost together. Its tree may have these nodes as well:
//!
//! ```text
//! cheapest 1 2 3              behind the fingerprint
//! x 2 0:4 1:5 2:8             options are too dear
//! o 0                         a branch on an option
//! p 2 0:4 1:6 2:8             a leaf: all is too dear
//! r 0:1 1:-1                  a leaf: there is no solution at all
//! end cost 9 4 nodes crc 0d4fb8a2
//! ```
//!
//! `o i` branches on option *i*, which is left: it is chosen, and then it is passed over. `s` is a solution that costs as much
//! as the cheapest or more.
//!
//! The others state prices of items, *i*:*p*, in ascending order of the items: whole numbers that may be negative but not zero.
//! Behind `p` and `x` comes first in how many parts a unit is divided, of which these are numbers; the unit is what divides the
//! costs of all options that have a primary item. An item to which such an option gives a color has no price.
//!
//! From any prices follows a bound on what a solution costs that contains the options chosen at the node, and beside these only
//! options that are left:
//!
//! * what those that are chosen cost;
//! * the price of each item, as often as the item must still be covered or, if the price is negative, as it may be, and is in
//!   options that are left;
//! * the *reduced cost* of each option that is left, its cost without the prices of its items, if that is negative.
//!
//! The sum is rounded up to a whole unit. `p` is a leaf if it is the cost of the cheapest solution, or more. Behind `x` one
//! choice follows: to pass over all options that are left and whose reduced costs, added to the bound where they are positive,
//! raise it so far. There must be one at least. `r` is a leaf if the bound is above zero where options cost nothing; it may be
//! in any proof.
//!
//! # DRAT
//!
//! Where there is no solution, a proof may also be written for the checkers that the field of satisfiability has:
//! clauses that follow from [the problem as a formula](crate::format::cnf), one after the other, by unit propagation; the last
//! one is empty (Wetzler, Heule and Hunt, *DRAT-trim*, 2014).

mod cheapest;
mod drat;
mod log;
mod script;
#[cfg(test)]
mod tests;
mod tree;

pub use cheapest::min_cost;
pub(crate) use log::{Log, Logging};

use crate::format::cnf::Unsuited;
use crate::{EngineKind, Problem, Solver, engine};

/// A solver, by dancing links, that writes a proof to `sink` while it searches, in small pieces.
///
/// The proof is complete when the solver has searched all, visiting every solution: its
/// [outcome](Solver::outcome) is exhausted. A search that was stopped leaves a proof without an end, and so does one that is
/// reset or resumed on the way, or whose assumptions contradict one another; a solver writes one proof at the most. [Counting
/// by memory](crate::CountMethod::Memoize) writes none.
///
/// Memory does not grow with the proof. A node takes about 5 bytes of it.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use dlx_core::verify::proof::{Claim, check};
/// use dlx_core::{ProblemBuilder, proof};
///
/// let mut b = ProblemBuilder::new();
/// let [a, c, d] = b.primaries(["a", "c", "d"])?;
/// b.option([a, c])?;
/// b.option([c, d])?;
/// b.option([a])?;
/// let problem = b.build()?;
///
/// let proof = Arc::new(Mutex::new(Vec::new()));
/// let sink = Arc::clone(&proof);
/// let mut solver = proof::solver(&problem, move |bytes| sink.lock().unwrap().extend_from_slice(bytes));
/// assert_eq!(solver.count().value, 1u32.into());
/// let proved = check(&problem, &proof.lock().unwrap())?;
/// assert_eq!(proved.claim, Claim::Solutions(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solver(problem: &Problem, sink: impl FnMut(&[u8]) + Send + 'static) -> Solver {
    let search = engine::logged(problem, tree::Tree::new(problem.clone(), sink));
    Solver::with(problem.clone(), EngineKind::Links, search)
}

/// The same with a DRAT proof that [the problem's formula](crate::format::cnf::write) cannot be satisfied.
///
/// If the solver finds a solution, there is no such proof: what was written has no end and proves nothing. The
/// same holds with assumptions.
///
/// # Errors
/// The problem has bounds, which the formula cannot express.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use dlx_core::format::knuth;
/// use dlx_core::proof;
///
/// let problem = knuth::parse(b"a c d\na c\nc d\na d\n")?;
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let sink = Arc::clone(&lines);
/// let mut solver = proof::drat_solver(&problem, move |bytes| sink.lock().unwrap().extend_from_slice(bytes))?;
/// assert!(solver.next_solution().is_none());
/// assert_eq!(*lines.lock().unwrap(), b"-1 0\n-3 0\n0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn drat_solver(problem: &Problem, sink: impl FnMut(&[u8]) + Send + 'static) -> Result<Solver, Unsuited> {
    Unsuited::check(problem)?;
    let search = engine::logged(problem, drat::Drat::new(problem, sink));
    Ok(Solver::with(problem.clone(), EngineKind::Links, search))
}
