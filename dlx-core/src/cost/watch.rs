//! Whether the time of a search is up, or it has been cancelled.

#[cfg(feature = "std")]
use std::time::{Duration, Instant};

use crate::{CancelToken, Limits, StopReason};

/// The clock and the token of a search.
#[derive(Clone)]
pub(super) struct Watch {
    cancel: Option<CancelToken>,
    #[cfg(feature = "std")]
    end: Option<(Instant, Duration)>, // when it began, and how long it may take
}

impl Watch {
    /// Begins now.
    pub(super) fn new(limits: &Limits, cancel: Option<CancelToken>) -> Self {
        #[cfg(not(feature = "std"))]
        let _ = limits;
        Self {
            cancel,
            #[cfg(feature = "std")]
            end: limits.time.map(|time| (Instant::now(), time)),
        }
    }

    /// Why the search should stop, if it should.
    pub(super) fn reason(&self) -> Option<StopReason> {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Some(StopReason::Cancelled);
        }
        #[cfg(feature = "std")]
        if self.end.is_some_and(|(begun, time)| begun.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        None
    }

    /// Whether it should.
    pub(super) fn is_over(&self) -> bool {
        self.reason().is_some()
    }
}
