//! When to stop: limits, cancellation, and the outcome that says what happened.

use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "std")]
use core::time::Duration;

/// Limits on a search. All that are set hold at once.
///
/// ```
/// use dlx_core::Limits;
/// let limits = Limits::none().solutions(10).nodes(1_000_000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub(crate) solutions: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory: Option<usize>,
    #[cfg(feature = "std")]
    pub(crate) time: Option<Duration>,
}

impl Limits {
    /// No limits.
    pub const fn none() -> Self {
        Self {
            solutions: None,
            nodes: None,
            memory: None,
            #[cfg(feature = "std")]
            time: None,
        }
    }

    /// Stop after this many solutions: `n` of them, or all there are, whichever is less.
    #[must_use]
    pub const fn solutions(mut self, n: u64) -> Self {
        self.solutions = Some(n);
        self
    }

    /// Stop before the search tree has more than this many nodes (the root is one).
    #[must_use]
    pub const fn nodes(mut self, n: u64) -> Self {
        self.nodes = Some(n);
        self
    }

    /// Keep the tables of subproblems that [`count`](crate::Solver::count) may use below this many bytes. Where they
    /// would not fit, it enumerates: the limit stops nothing. A [decision diagram](crate::Solver::zdd) that would
    /// not fit is an error.
    ///
    /// Without it, they may have a quarter of what the machine has free when they begin to grow (Linux with the feature
    /// `std`), elsewhere 1 GiB, or 256 MiB where addresses have 32 bits.
    #[must_use]
    pub const fn memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Stop when this much time has passed since the search began, that is since the first call that searched.
    ///
    /// The clock is read every few thousand nodes, more often where nodes are large.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }
}

/// A flag that another thread, or a signal handler, raises to stop a search.
///
/// ```
/// use dlx_core::{CancelToken, Outcome, ProblemBuilder, StopReason};
///
/// let mut b = ProblemBuilder::new();
/// let a = b.primary("a")?;
/// b.option([a])?;
/// let token = CancelToken::new();
/// let mut solver = b.build()?.solver().cancel(&token);
/// token.cancel();
/// assert!(solver.next_solution().is_none());
/// assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Cancelled));
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag: every search that has it stops soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How a search stands: a stop before the end is never taken for "no (more) solutions".
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The whole tree was searched: there are no solutions but those reported.
    Exhausted,
    /// The search stopped before the end, or has not been asked to go on.
    Stopped(StopReason),
}

impl Outcome {
    /// Whether the whole tree was searched.
    pub const fn is_exhausted(self) -> bool {
        matches!(self, Self::Exhausted)
    }
}

/// Why a search is not at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The limit on solutions was reached. Whether there are more is not known.
    Solutions,
    /// The limit on nodes was reached.
    Nodes,
    /// The time was up.
    Time,
    /// The [`CancelToken`] was raised.
    Cancelled,
    /// The caller has not asked for the rest (yet).
    Paused,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solutions => "solution limit",
            Self::Nodes => "node limit",
            Self::Time => "time limit",
            Self::Cancelled => "cancelled",
            Self::Paused => "paused",
        })
    }
}
