//! Counting without enumeration: how many solutions there are, without visiting each.
//!
//! Two ways of counting race. *Enumeration* visits every solution with an engine. The *sweep* (`sweep.rs`) covers the
//! items in a fixed order and merges the partial solutions that leave the same problem. It may be
//! exponentially faster (domino tilings) and exponentially slower (where nothing merges, and where the choice of
//! the smallest item is what keeps the tree small). Which is better shows only on the way:
//!
//! 1. Enumerate for a moment: most problems are finished then.
//! 2. Split the problem into independent components, if it has several, and count each by itself.
//! 3. Sweep for a moment along two orders of the items, the given one and a greedy one (`order.rs`), and keep the one that
//!    is ahead.
//! 4. Estimate the time that enumeration needs (`estimate.rs`) and the time that the sweep still needs, from the states
//!    that wait; go on with whichever is ahead, look at both again and again, and never let
//!    one run far without the other.
//!
//! The sweep's states grow into a decision diagram of all solutions when they are kept rather than dropped (`tape.rs`): a
//! state is a node, and each choice an edge to the state after it.

mod estimate;
mod levels;
mod memory;
mod order;
mod plan;
mod race;
mod residual;
mod sweep;
mod table;
mod tape;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use memory::default_limit as default_memory;
pub(crate) use plan::Members;
pub(crate) use race::{Race, Turn};
pub(crate) use sweep::{Status, Sweep};
pub(crate) use tape::{Course, Tape};

/// How [`Solver::count_by`](crate::Solver::count_by) counts. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountMethod {
    /// Whatever is expected to be faster, found out on the way; enumeration where the caller asked for an engine by name or for
    /// a limited number of solutions.
    #[default]
    Auto,
    /// Visit every solution. So do the other methods where a problem has [bounds](crate::Problem::has_bounds).
    Enumerate,
    /// Merge equal subproblems as long as the memory suffices (see [`Limits::memory`](crate::Limits::memory)), and enumerate
    /// when it does not.
    Memoize,
}
