//! Zero-suppressed decision diagrams: all solutions of a problem at once, in a graph that is often far smaller than the
//! list of them.
//!
//! A *node* has an option and two successors: *hi* for the solutions that contain the option, *lo* for those that do not.
//! The successors ⊤ and ⊥ stand for "that is a solution" and "there is none". Every solution is one path from the root to ⊤,
//! and consists of the options of the nodes that the path leaves by hi. On all paths the options come in the same order, no
//! hi is ⊥, and no two nodes are the same: so the diagram is the only one for these solutions and that order.
//!
//! [`Solver::zdd`](crate::Solver::zdd) makes one. The diagrams are those of Minato; Nishino, Yasuda, Minato and
//! Nagata (*Dancing with decision diagrams*, AAAI 2017) were the first to make them by covering; what can be asked of one is in
//! Knuth, *The Art of Computer Programming*, volume 4A, section 7.1.4.
//!
//! ```
//! use dlx_core::{BigUint, ProblemBuilder};
//!
//! // Dominoes on a board of 2x10: the Fibonacci numbers.
//! let mut b = ProblemBuilder::new();
//! let [above, below] = [b.unnamed_primaries(10)?, b.unnamed_primaries(10)?];
//! for x in 0..10 {
//!     b.option([above[x], below[x]])?;
//!     if x > 0 {
//!         b.option([above[x - 1], above[x]])?;
//!         b.option([below[x - 1], below[x]])?;
//!     }
//! }
//! let zdd = b.build()?.solver().zdd()?;
//! assert_eq!(zdd.count(), BigUint::from(89u32));
//! assert_eq!(zdd.iter().count(), 89);
//! // How many of the tilings contain the first option, a domino that stands at the left end?
//! assert_eq!(zdd.counts_by_option()?[0], BigUint::from(55u32));
//! // Two tilings at random.
//! let samples: Vec<_> = zdd.sampler(1)?.take(2).collect();
//! assert!(samples.iter().all(|tiling| zdd.contains(tiling)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod cheapest;
mod iter;
mod reduce;
#[cfg(test)]
mod tests;
mod weights;

use alloc::vec::Vec;
use core::fmt;

use num_bigint::BigUint;

pub(crate) use build::build;
pub use cheapest::Cheapest;
pub use iter::Iter;
pub use weights::Sampler;

use crate::{OptionId, StopReason};

/// A successor that stands for no solution.
const BOTTOM: u32 = 0;
/// A successor that stands for one solution, without any further option.
const TOP: u32 = 1;

/// A node. Successors are [`BOTTOM`], [`TOP`], or the place of a node and 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    option: OptionId,
    lo: u32,
    hi: u32,
}

/// All solutions of a problem, as a zero-suppressed decision diagram: see [the module](self).
///
/// It takes 12 bytes a node. It displays as text, a line for each node, successors before the nodes that lead to them:
///
/// ```text
/// 2: (~4?0:1)
/// 3: (~3?0:2)
/// root 3
/// ```
///
/// Node 3 has option 3 (counted from 0 in the input's order) and the successors ⊥ if the option is not chosen, node 2
/// if it is. The successors 0 and 1 are ⊥ and ⊤. The form of these lines is that in which Knuth's programs write
/// diagrams, with decimal numbers.
///
/// ```
/// use dlx_core::ProblemBuilder;
///
/// let mut b = ProblemBuilder::new();
/// let [a, c] = b.primaries(["a", "c"])?;
/// b.option([a])?;
/// b.option([c])?;
/// b.option([a, c])?;
/// let zdd = b.build()?.solver().zdd()?;
/// assert_eq!(zdd.to_string(), "2: (~2?0:1)\n3: (~1?0:1)\n4: (~0?2:3)\nroot 4\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Zdd {
    nodes: Vec<Node>, // successors first
    root: u32,
    options: usize, // of the problem
    memory: usize,  // that tables about the nodes may take
}

impl Zdd {
    /// The number of solutions. Takes an addition for each successor of a node.
    pub fn count(&self) -> BigUint {
        self.descend(|_, _| ())
    }

    /// The number of nodes, ⊥ and ⊤ apart.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no solution.
    pub fn is_empty(&self) -> bool {
        self.root == BOTTOM
    }

    /// Whether these options, in any order but each once, are a solution. Takes a step for each node of one path.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// let [one, other, both] = [b.option([a])?, b.option([c])?, b.option([a, c])?];
    /// let zdd = b.build()?.solver().zdd()?;
    /// assert!(zdd.contains(&[other, one]) && zdd.contains(&[both]));
    /// assert!(!zdd.contains(&[one]) && !zdd.contains(&[one, both]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(&self, options: &[OptionId]) -> bool {
        let mut sorted = options.to_vec();
        sorted.sort_unstable();
        let (mut at, mut chosen) = (self.root, 0);
        while let Some(node) = self.node(at) {
            let choose = sorted.binary_search(&node.option).is_ok();
            chosen += usize::from(choose);
            at = if choose { node.hi } else { node.lo };
        }
        at == TOP && chosen == options.len()
    }

    /// The solutions, each once, in the order of the paths where hi comes before lo. The first takes no longer than any other.
    pub fn iter(&self) -> Iter<'_> {
        Iter::new(self)
    }

    /// The node of a successor; `None` for ⊥ and ⊤.
    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get((at as usize).checked_sub(2)?)
    }
}

impl<'a> IntoIterator for &'a Zdd {
    type Item = crate::OwnedSolution;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl fmt::Display for Zdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Node { option, lo, hi }) in (2..).zip(&self.nodes) {
            writeln!(f, "{number}: (~{option}?{lo}:{hi})")?;
        }
        writeln!(f, "root {}", self.root)
    }
}

impl fmt::Debug for Zdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zdd")
            .field("nodes", &self.nodes.len())
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// Why there is no diagram, or no table about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZddError {
    /// It does not fit in so many bytes: those of [`Limits::memory`](crate::Limits::memory), or its default. The solutions
    /// can still be visited one by one.
    Memory {
        /// The limit.
        limit: usize,
    },
    /// Another limit was reached before the diagram was made.
    Stopped(StopReason),
}

impl fmt::Display for ZddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { limit } => {
                write!(f, "the decision diagram of all solutions does not fit in {limit} bytes of memory")
            }
            Self::Stopped(reason) => write!(f, "stopped before the decision diagram was made ({reason})"),
        }
    }
}

impl core::error::Error for ZddError {}
