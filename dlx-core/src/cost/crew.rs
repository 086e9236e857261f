//! A search for cheap covers by several threads: whoever has nothing to do is given the largest part that another one has
//! not tried yet.
//!
//! Unlike the searches for all covers, this one has nothing to deliver in order; its nodes are few and large, and bounds tell
//! what is to be expected of a part. So parts are given away only when somebody waits for one.

use alloc::vec::Vec;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::bound::BEYOND;
use super::engine::Priced;
use super::hunt::{Explored, Hunt, Pause};
use crate::frontier::Piece;
use crate::search::{Drive as _, Search};
use crate::{OptionId, Statistics, StopReason};

/// What becomes of a cover that is to be reported: why there is to be no other one, if so.
pub(super) type Report<'a> = &'a (dyn Fn(&[OptionId]) -> Option<StopReason> + Sync);

/// All that the threads share, beside what the hunt has.
pub(super) struct Crew<'a> {
    hunt: &'a Hunt<'a>,
    report: Option<Report<'a>>, // without, covers are kept by the hunt
    board: Mutex<Board>,
    changed: Condvar,
    waiting: AtomicUsize, // threads that have nothing to do
    fuel: AtomicU64,
    stopped: AtomicBool,
}

/// What is to be done.
struct Board {
    parts: Vec<Part>,    // that were given away
    busy: usize,         // threads that have one
    over: Option<Pause>, // why all are to stop
    open: i128,          // what no cover in what was left unfinished costs less than
}

/// A part of the tree, in which no cover costs less than the bound.
struct Part {
    piece: Piece,
    bound: i128,
}

/// A part under way.
struct Work {
    search: Search<Priced>,
    level: usize,
    bound: i128,
}

impl Work {
    fn begin(mut search: Search<Priced>, Part { piece, bound }: Part) -> Self {
        search.reset();
        search.engine_mut().begin_at(bound);
        search.assume(&piece.before);
        search.exclude(&mut piece.without.iter().copied());
        Self { search, level: piece.level, bound }
    }

    /// What no cover that is left in it costs less than.
    fn lower_bound(&self) -> i128 {
        self.search.engine().lower_bound(self.search.branches(), self.search.given()).max(self.bound)
    }

    /// Gives away what is left to try nearest to the root.
    fn give(&mut self) -> Option<Part> {
        let piece = self.search.give()?;
        let branch = self.search.branches().get(piece.level..)?;
        let bound = self.search.engine().lower_bound(branch, 0);
        Some(Part { piece: Piece { level: self.level + piece.level, ..piece }, bound })
    }

    fn statistics(&self) -> Statistics {
        let statistics = self.search.statistics();
        Statistics { depth: self.level + statistics.depth, ..statistics }
    }
}

impl<'a> Crew<'a> {
    /// For so many nodes.
    pub(super) fn new(hunt: &'a Hunt<'a>, fuel: u64, report: Option<Report<'a>>) -> Self {
        Self {
            hunt,
            report,
            board: Mutex::new(Board { parts: Vec::new(), busy: 1, over: None, open: BEYOND }),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
            fuel: AtomicU64::new(fuel),
            stopped: AtomicBool::new(false),
        }
    }

    /// Searches until the fuel is used up, or all of it.
    pub(super) fn search(self, search: Search<Priced>, threads: usize) -> Explored {
        let mut first = Work { search, level: 0, bound: -BEYOND };
        // The root is dealt with once, for all.
        let more = self.go_on(&mut first);
        let root = first.search.engine_mut().root.take();
        if more {
            let begun = first.search.clone();
            thread::scope(|scope| {
                let help = || thread::Builder::new().spawn_scoped(scope, || self.help(&begun));
                // Those that are not to be had are not missed: this one is there.
                let _ = (1..threads).try_for_each(|_| help().map(drop));
                self.work(first);
            });
        } else {
            self.hunt.add(first.statistics());
        }
        let board = self.board.into_inner().unwrap_or_else(PoisonError::into_inner);
        let open = board.parts.iter().map(|part| part.bound).fold(board.open, i128::min);
        Explored { pause: board.over.unwrap_or(Pause::Exhausted), open, root }
    }

    /// What a thread does that has nothing yet. It begins with a copy of what another one has begun.
    fn help(&self, begun: &Search<Priced>) {
        let _guard = StopOnPanic(self);
        if let Some(part) = self.next_part() {
            self.work(Work::begin(begun.clone(), part));
        }
    }

    /// Searches a part, and other parts, until nothing is left.
    fn work(&self, mut work: Work) {
        let _guard = StopOnPanic(self);
        loop {
            while self.go_on(&mut work) {
                self.give(&mut work);
            }
            self.hunt.add(work.statistics());
            self.board().busy -= 1;
            match self.next_part() {
                Some(part) => work = Work::begin(work.search, part),
                None => return,
            }
        }
    }

    /// Searches one node. Whether more of the part is to be searched.
    fn go_on(&self, work: &mut Work) -> bool {
        let pause = self.search_node(&mut work.search);
        match pause {
            None => true,
            Some(Pause::Exhausted) => false,
            Some(pause) => {
                self.stop(pause, work.lower_bound());
                false
            }
        }
    }

    /// Searches one node. Why no other one is to follow, if so.
    fn search_node(&self, search: &mut Search<Priced>) -> Option<Pause> {
        let fuel = self.fuel.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |fuel| fuel.checked_sub(1));
        if fuel.is_err() || self.is_stopped() {
            return Some(Pause::Fuel);
        }
        let quota = self.report.map_or(u64::MAX, |_| 1);
        match (self.hunt.search_node(search, quota), self.report) {
            (Pause::Fuel, _) => None,
            (Pause::Cover, Some(report)) => report(search.solution()).map(Pause::Stopped),
            (pause, _) => Some(pause),
        }
    }

    /// Stops all threads. The first reason counts; and the least of the bounds on what they have left.
    fn stop(&self, pause: Pause, open: i128) {
        let mut board = self.board();
        board.over.get_or_insert(pause);
        board.open = board.open.min(open);
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Gives a part away, if somebody waits for one; or else looks after the walk.
    fn give(&self, work: &mut Work) {
        if self.waiting() == 0 {
            self.walk(|| self.waiting() > 0);
            return;
        }
        let mut board = self.board();
        if board.parts.len() < self.waiting() {
            board.parts.extend(work.give());
        }
        // If there was none, the walk may go on at least.
        self.changed.notify_one();
    }

    /// Waits for a part, and walks meanwhile. `None` if there will be none, as no other thread has one any more, or all is over.
    fn next_part(&self) -> Option<Part> {
        let mut board = self.board();
        loop {
            if board.over.is_some() {
                return None;
            }
            if let Some(part) = board.parts.pop() {
                board.busy += 1;
                return Some(part);
            }
            drop(board);
            let walked = self.walk(|| false);
            board = self.board();
            let nothing = board.over.is_none() && board.parts.is_empty();
            if nothing && board.busy == 0 {
                board.over = Some(Pause::Exhausted);
                self.stopped.store(true, Ordering::Relaxed);
                self.changed.notify_all();
            } else if nothing && !walked {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
                self.waiting.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Lets the walk catch up, unless there is something `else_to_do`. Whether it went on.
    fn walk(&self, else_to_do: impl Fn() -> bool) -> bool {
        match self.hunt.walk(|| self.is_stopped() || else_to_do()) {
            ControlFlow::Continue(walked) => walked,
            ControlFlow::Break(pause) => {
                self.stop(pause, BEYOND);
                true
            }
        }
    }

    fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the other threads when this one panics, as it may where covers are reported.
struct StopOnPanic<'a>(&'a Crew<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(Pause::Stopped(StopReason::Paused), -BEYOND);
        }
    }
}
