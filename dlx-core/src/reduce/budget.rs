//! How long the preprocessing may take.

#[cfg(feature = "std")]
use std::time::{Duration, Instant};

use crate::CancelToken;

/// Updates between two looks at the clock.
const SLICE: u64 = 1 << 14;

/// Limits, and what has been spent.
#[derive(Debug)]
pub(super) struct Budget {
    pub(super) updates: u64,
    pub(super) cancel: Option<CancelToken>,
    #[cfg(feature = "std")]
    pub(super) time: Option<Duration>,
    #[cfg(feature = "std")]
    begun: Instant,
    spent: u64,
    next: u64, // when it is time to look at the clock
    stopped: bool,
}

impl Budget {
    pub(super) fn unlimited() -> Self {
        Self {
            updates: u64::MAX,
            cancel: None,
            #[cfg(feature = "std")]
            time: None,
            #[cfg(feature = "std")]
            begun: Instant::now(),
            spent: 0,
            next: 0,
            stopped: false,
        }
    }

    /// The time begins to count.
    pub(super) fn begin(&mut self) {
        #[cfg(feature = "std")]
        {
            self.begun = Instant::now();
        }
    }

    pub(super) fn spend(&mut self, updates: usize) {
        self.spent += updates as u64;
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether a limit is reached.
    pub(super) fn is_over(&mut self) -> bool {
        self.stopped |= self.spent >= self.updates;
        if !self.stopped && self.spent >= self.next {
            self.next = self.spent + SLICE;
            self.stopped = self.cancel.as_ref().is_some_and(CancelToken::is_cancelled);
            #[cfg(feature = "std")]
            {
                self.stopped |= self.time.is_some_and(|time| self.begun.elapsed() >= time);
            }
        }
        self.stopped
    }
}
