//! The threads. Each takes a part of the tree and searches it; the longer that takes, the more of it does it give back,
//! as new parts, for others.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;
use core::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use super::line::{BATCH, Batch, ENDS, Line, Place, Remains};
use super::tally::Tally;
use crate::frontier::{Frontier, Piece};
use crate::search::Event;
use crate::{EngineKind, OptionId, Problem, Solver, Statistics, StopReason};

/// How many parts are given back at a time, at least. Beginning a part costs more than a node does, most of all near the
/// root; so parts should be few and large, but more than one for each thread that looks for something to do.
const PARTS: usize = 4;

/// By how much the parts of parts are searched longer.
const GROWTH: u64 = 4;

/// When threads give parts back, and when they rest.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Nodes that are searched before parts are given back for the first time, at the most; fewer where nodes are large.
    pub(super) early: u64,
    /// The same later on: some hundredths of a second, for which a thread may be alone at the end.
    pub(super) late: u64,
    /// The room that solutions may take before parts are given back: a thread that is far ahead can turn back then.
    pub(super) found: usize,
    /// The room that all solutions may take together, about, before only the first part is searched.
    pub(super) room: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { early: 1 << 10, late: 1 << 16, found: 1 << 19, room: 1 << 23 }
    }
}

/// Receives the solutions in the order of the tree.
pub(super) struct Consumer<'c, T> {
    /// Makes something of a solution, in the thread that has found it.
    pub(super) write: &'c (dyn Fn(&[OptionId], &mut Vec<T>) + Sync),
    /// Receives that.
    pub(super) read: Mutex<Reader<'c, T>>,
}

type Reader<'c, T> = &'c mut (dyn FnMut(&[T]) -> ControlFlow<()> + Send);

/// All that the threads share.
pub(super) struct Crew<'a, 'c, T> {
    problem: &'a Problem,
    engine: EngineKind,
    pace: Pace,
    tally: &'a Tally,
    line: Mutex<Line<Work<T>, T>>,
    solvers: Mutex<Vec<Solver>>,       // that are not in use
    consumer: Option<Consumer<'c, T>>, // without one, solutions are only counted
    complete: bool, // whether all that is found is delivered, also when the search is stopped
}

/// What is to be done about a part.
enum Work<T> {
    Begin(Frontier, u64),
    GoOn(Box<Search<T>>),
}

/// The search of a part.
struct Search<T> {
    solver: Solver,
    // Parts are given back at the same nodes in every run, whatever other threads do, because engines that learn on
    // their way depend on it.
    budget: u64, // nodes until then
    spent: u64,  // of those
    found: usize,
    batch: Batch<T>,
    counted: Statistics, // what the tally knows
    share: f64,          // of the tree, without what was given back
}

impl<'a, 'c, T: Copy + Send> Crew<'a, 'c, T> {
    /// For some pieces of a problem.
    pub(super) fn new(
        problem: &'a Problem,
        engine: EngineKind,
        pieces: Frontier,
        pace: Pace,
        tally: &'a Tally,
        consumer: Option<Consumer<'c, T>>,
        complete: bool,
    ) -> Self {
        let solver = problem.solver_on(engine);
        let mut line = Line::new(pace.room);
        line.insert(ENDS, Work::Begin(pieces, solver.slice().min(pace.early)));
        Self {
            problem,
            engine,
            pace,
            tally,
            line: Mutex::new(line),
            solvers: Mutex::new(alloc::vec![solver]),
            consumer,
            complete,
        }
    }

    /// Searches with so many threads.
    pub(super) fn search(&self, threads: usize) {
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.scope(|scope| {
                lock(&self.line).rest(threads.saturating_sub(1));
                self.work(Some(scope));
            }),
            Err(_) => self.work(None), // no threads to be had: this one does it
        }
    }

    /// What each thread does until nothing is left for it.
    fn work<'s>(&'s self, scope: Option<&Scope<'s>>) {
        let _guard = StopOnPanic(self.tally);
        while let Some((place, work)) = take(&self.line) {
            if !self.tally.goes_on() {
                return lock(&self.line).put_back(place, work);
            }
            let search = match work {
                Work::Begin(pieces, budget) => self.begin(pieces, budget),
                Work::GoOn(search) => *search,
            };
            self.pursue(place, search, scope);
        }
    }

    fn begin(&self, pieces: Frontier, budget: u64) -> Search<T> {
        let idle = lock(&self.solvers).pop();
        let mut solver = idle.unwrap_or_else(|| self.problem.solver_on(self.engine));
        let share = pieces.share();
        solver.pursue(pieces, Statistics::default());
        Search {
            solver,
            budget,
            spent: 0,
            found: 0,
            batch: Batch::default(),
            counted: Statistics::default(),
            share,
        }
    }

    /// Searches a part until it is finished, or others are to go on.
    fn pursue<'s>(&'s self, place: Place, mut search: Search<T>, scope: Option<&Scope<'s>>) {
        while self.tally.goes_on() {
            let finished = self.step(&mut search);
            let given = search.give(&self.pace);
            let mut line = lock(&self.line);
            let mut behind = place;
            for pieces in given {
                behind = line.insert(behind, Work::Begin(pieces, search.budget));
            }
            if !search.batch.is_empty() {
                line.add(place, mem::take(&mut search.batch));
            }
            if finished {
                line.finish(place);
            }
            self.wake(&mut line, scope);
            line = self.deliver(line, scope);
            if finished {
                drop(line);
                self.tally.add_share(search.share);
                lock(&self.solvers).push(search.solver);
                return;
            }
            if search.spent == 0 && line.is_far_ahead(place) {
                return line.put_back(place, Work::GoOn(Box::new(search)));
            }
        }
        lock(&self.line).put_back(place, Work::GoOn(Box::new(search)));
    }

    /// When all threads are done: delivers the solutions that are still held, whatever their turn, and returns the pieces that are
    /// left. `None` if not all solutions could be delivered.
    pub(super) fn wind_up(self) -> Option<Frontier> {
        let mut left = Frontier::default();
        for Remains { work, found } in lock(&self.line).drain()? {
            for batch in found {
                if !self.consumer.as_ref().is_some_and(|consumer| self.hand_on(&batch, &consumer.read)) {
                    return None;
                }
            }
            match work {
                Some(Work::Begin(pieces, _)) => left.append(pieces),
                Some(Work::GoOn(search)) => left.append(search.solver.left().0),
                None => (),
            }
        }
        Some(left)
    }

    /// Searches a little. True if the part is finished.
    fn step(&self, search: &mut Search<T>) -> bool {
        let before = search.counted.nodes;
        let slice = search.solver.slice().min(search.budget - search.spent);
        let end = before.saturating_add(slice.min(self.tally.nodes_left()).max(1));
        let write = self.consumer.as_ref().map(|consumer| consumer.write);
        let mut finished = false;
        while !finished && search.batch.len() < BATCH {
            let fuel = end.saturating_sub(search.solver.statistics().nodes);
            let quota = if write.is_some() { 1 } else { self.tally.solutions_left().max(1) };
            match (search.solver.advance(fuel, quota), write) {
                (Event::Exhausted, _) => finished = true,
                (Event::Quota, Some(write)) => {
                    search.batch.push(|contents| write(search.solver.solution(), contents));
                }
                _ => break,
            }
        }
        self.tally.add(&mut search.counted, search.solver.statistics());
        search.spent += search.counted.nodes - before;
        search.found += search.batch.len();
        finished
    }

    /// Delivers what can be delivered, unless another thread does.
    fn deliver<'s>(&'s self, mut line: Guard<'s, T>, scope: Option<&Scope<'s>>) -> Guard<'s, T> {
        let Some(consumer) = &self.consumer else { return line };
        let mut next = line.begin_to_deliver();
        while let Some(batch) = next {
            drop(line);
            let goes_on = (self.complete || self.tally.delivers()) && self.hand_on(&batch, &consumer.read);
            line = lock(&self.line);
            if !goes_on {
                return line; // and nobody else delivers anything
            }
            next = line.go_on_to_deliver(&batch);
            self.wake(&mut line, scope);
        }
        line
    }

    /// False if the consumer wants no more.
    fn hand_on(&self, batch: &Batch<T>, reader: &Mutex<Reader<'_, T>>) -> bool {
        let ended = batch.solutions().try_for_each(&mut *lock(reader)).is_break();
        if ended {
            self.tally.stop(StopReason::Paused);
        }
        !ended
    }

    /// Wakes as many threads as there is work for.
    fn wake<'s>(&'s self, line: &mut Line<Work<T>, T>, scope: Option<&Scope<'s>>) {
        let Some(scope) = scope else { return };
        for _ in 0..line.wake() {
            scope.spawn(|scope| self.work(Some(scope)));
        }
    }
}

/// In a function, so that the lock is let go.
fn take<W, T: Copy>(line: &Mutex<Line<W, T>>) -> Option<(Place, W)> {
    lock(line).take()
}

type Guard<'s, T> = MutexGuard<'s, Line<Work<T>, T>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Search<T> {
    /// Gives parts back, if it is time: in the order of the tree, which comes to them after all that is kept.
    fn give(&mut self, pace: &Pace) -> Vec<Frontier> {
        let mut parts = Vec::new();
        if self.spent < self.budget && self.found < pace.found {
            return parts;
        }
        let late = self.solver.slice().saturating_mul(1 << 8).min(pace.late);
        self.budget = (GROWTH * self.budget).min(late);
        (self.spent, self.found) = (0, 0);
        // From behind: what is given first is the last in the order of the tree.
        while parts.len() < PARTS
            && let Some(pieces) = self.solver.give_later()
        {
            parts.push(pieces);
        }
        while parts.len() < PARTS
            && let Some(piece) = self.solver.give()
        {
            let size = piece.options.len().div_ceil(PARTS).max(1);
            let each = piece.share / piece.options.len() as f64;
            let chunk = |options: &[OptionId]| {
                let share = each * options.len() as f64;
                Frontier::from(Piece { options: options.to_vec(), share, ..piece.clone() })
            };
            parts.extend(piece.options.rchunks(size).map(chunk));
            if piece.options.is_empty() {
                parts.push(piece.into());
            }
        }
        self.share -= parts.iter().map(Frontier::share).sum::<f64>();
        parts.reverse();
        parts
    }
}

/// Stops the other threads when the consumer panics in this one.
struct StopOnPanic<'a>(&'a Tally);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(StopReason::Paused);
        }
    }
}
