//! What all threads together have done, and whether they are to stop.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::{CancelToken, Limits, Outcome, Statistics, StopReason};

pub(super) struct Tally {
    limits: Limits,
    cancel: Option<CancelToken>,
    begun: Instant,
    counters: Arc<Counters>,
    stopped: AtomicBool,
    total: Mutex<Total>,
}

/// What may be read while the search goes on.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) solutions: AtomicU64,
    pub(super) nodes: AtomicU64,
    pub(super) share: AtomicU64, // of the tree that is done: the bits of a number from 0 to 1
}

#[derive(Default)]
struct Total {
    statistics: Statistics, // without the solutions and nodes
    reason: Option<StopReason>,
}

impl Tally {
    /// For a search that goes on after so much has been done, in figures, and such a share is left.
    pub(super) fn new(
        limits: Limits,
        cancel: Option<CancelToken>,
        counters: Arc<Counters>,
        past: Statistics,
        left: f64,
    ) -> Self {
        counters.solutions.store(past.solutions, Ordering::Relaxed);
        counters.nodes.store(past.nodes, Ordering::Relaxed);
        counters.share.store((1.0 - left).to_bits(), Ordering::Relaxed);
        let statistics = Statistics { solutions: 0, nodes: 0, ..past };
        Self {
            limits,
            cancel,
            begun: Instant::now(),
            counters,
            stopped: AtomicBool::new(false),
            total: Mutex::new(Total { statistics, reason: None }),
        }
    }

    /// Adds what a search on a part has done since `before`, and brings `before` up to date.
    pub(super) fn add(&self, before: &mut Statistics, now: Statistics) {
        self.counters.solutions.fetch_add(now.solutions - before.solutions, Ordering::Relaxed);
        self.counters.nodes.fetch_add(now.nodes - before.nodes, Ordering::Relaxed);
        let total = &mut self.total().statistics;
        total.forced += now.forced - before.forced;
        total.updates += now.updates - before.updates;
        total.depth = total.depth.max(now.depth);
        *before = now;
    }

    /// Adds a share of the tree that is done.
    pub(super) fn add_share(&self, share: f64) {
        let add = |bits| Some((f64::from_bits(bits) + share).to_bits());
        let _ = self.counters.share.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Asked by each thread whenever there is something to search: whether it should. A limit that is reached when nothing is
    /// left to search stops nobody.
    pub(super) fn goes_on(&self) -> bool {
        if self.solutions_left() == 0 {
            self.stop(StopReason::Solutions);
        } else if self.nodes_left() == 0 {
            self.stop(StopReason::Nodes);
        }
        self.look_up();
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Whether solutions that have been found should still be delivered. A limit on nodes does not concern them.
    pub(super) fn delivers(&self) -> bool {
        self.look_up();
        matches!(self.total().reason, None | Some(StopReason::Nodes))
    }

    /// Looks at the token and the clock.
    fn look_up(&self) {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            self.stop(StopReason::Cancelled);
        } else if self.limits.time.is_some_and(|limit| self.begun.elapsed() >= limit) {
            self.stop(StopReason::Time);
        }
    }

    /// Stops all threads. The first reason counts.
    pub(super) fn stop(&self, reason: StopReason) {
        if !self.stopped.load(Ordering::Relaxed) {
            self.total().reason.get_or_insert(reason);
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn solutions_left(&self) -> u64 {
        let found = self.counters.solutions.load(Ordering::Relaxed);
        self.limits.solutions.map_or(u64::MAX, |limit| limit.saturating_sub(found))
    }

    pub(super) fn nodes_left(&self) -> u64 {
        let searched = self.counters.nodes.load(Ordering::Relaxed);
        self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(searched))
    }

    /// The outcome of a search that is over. A limit of as many solutions as there are counts as reached.
    pub(super) fn outcome(&self) -> Outcome {
        match self.total().reason {
            _ if self.solutions_left() == 0 => Outcome::Stopped(StopReason::Solutions),
            reason => reason.map_or(Outcome::Exhausted, Outcome::Stopped),
        }
    }

    /// The figures. Solutions that several threads have found beyond the limit are not among them.
    pub(super) fn statistics(&self) -> Statistics {
        let found = self.counters.solutions.load(Ordering::Relaxed);
        Statistics {
            solutions: self.limits.solutions.map_or(found, |limit| found.min(limit)),
            nodes: self.counters.nodes.load(Ordering::Relaxed),
            ..self.total().statistics
        }
    }

    fn total(&self) -> MutexGuard<'_, Total> {
        self.total.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
