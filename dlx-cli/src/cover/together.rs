//! The same with several threads: they search and write their solutions down, one at a time prints them, and another
//! thread looks at the clock. For a checkpoint all of them stop, and begin again with what is left.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use dlx_core::{Outcome, Parallel, Solution, StopReason};

use super::keeping::Keeping;
use super::progress::Progress;
use super::{Found, Task};
use crate::outcome::Failure;

/// How often the buffer and the progress line are looked after.
const TICK: Duration = Duration::from_millis(50);

/// Prints the solutions, in an order that is the same in every run unless checkpoints are written.
pub(super) fn solve(task: &mut Task<'_>, threads: usize) -> Result<Found, Failure> {
    let printer = task.printer.clone();
    let write = |solution: Solution<'_>, text: &mut Vec<u8>| printer.write(solution, text);
    in_rounds(task, threads, |search, printing| {
        search.for_each_written(write, |text| {
            let mut printing = lock(printing);
            printing.attempt(|task| task.print(text));
            match printing.failure {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })
    })
}

/// Counts the solutions.
pub(super) fn count(task: &mut Task<'_>, threads: usize) -> Result<Found, Failure> {
    let mut value = String::new();
    let found = in_rounds(task, threads, |search, _| {
        let count = search.count();
        value = count.value.to_string();
        count.outcome
    })?;
    Ok(Found { count: value, ..found })
}

/// Searches, from one checkpoint to the next if any are to be written.
fn in_rounds(
    task: &mut Task<'_>,
    threads: usize,
    mut run: impl FnMut(&mut Parallel, &Mutex<Printing<'_, '_>>) -> Outcome,
) -> Result<Found, Failure> {
    loop {
        let (mut search, is_last) = round(task, threads)?;
        let progress = search.progress();
        let printing = Mutex::new(Printing { task: &mut *task, failure: None });
        let outcome = watched(&printing, &progress, || run(&mut search, &printing));
        if let Some(failure) = printing.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
            return Err(failure);
        }
        if task.keeping.is_some()
            && let Some(checkpoint) = search.checkpoint()
        {
            task.keep(checkpoint.clone())?;
            task.start = Some(checkpoint);
        }
        if is_last || outcome != Outcome::Stopped(StopReason::Time) {
            let statistics = search.statistics();
            return Ok(Found { outcome, count: statistics.solutions.to_string(), statistics });
        }
    }
}

/// A search up to the next checkpoint, and whether no other one follows when its time is over.
fn round(task: &Task<'_>, threads: usize) -> Result<(Parallel, bool), Failure> {
    let effort = &task.args.effort;
    let search = task.problem.parallel(threads).engine(effort.engine).cancel(&task.token);
    let search = match &task.start {
        Some(start) => search.resume(start).map_err(Failure::new)?,
        None => search,
    };
    let left = effort.limits.time.map(|time| time.saturating_sub(task.begun.elapsed()));
    Ok(match (left, task.keeping.as_ref().map(Keeping::every)) {
        (None, Some(every)) => (search.limit(task.limits.time(every)), false),
        (Some(left), Some(every)) => (search.limit(task.limits.time(left.min(every))), left <= every),
        (_, None) => (search.limit(task.limits), true),
    })
}

/// What the thread that prints and the one with the clock share.
struct Printing<'a, 't> {
    task: &'a mut Task<'t>,
    failure: Option<Failure>, // the first, after which nothing is printed any more
}

impl Printing<'_, '_> {
    /// Does something that may fail, which ends the search.
    fn attempt(&mut self, f: impl FnOnce(&mut Task<'_>) -> Result<(), Failure>) {
        if self.failure.is_none()
            && let Err(failure) = f(self.task)
        {
            self.failure = Some(failure);
            self.task.token.cancel();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the search; meanwhile hands on what is printed and shows the progress.
fn watched<T>(
    printing: &Mutex<Printing<'_, '_>>,
    progress: &dlx_core::Progress,
    search: impl FnOnce() -> T,
) -> T {
    let (over, watch) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while watch.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                let mut printing = lock(printing);
                printing.attempt(|task| {
                    let past = task.past;
                    // Without nodes, one thread looks for ways not to visit every solution.
                    if progress.nodes() > 0 {
                        task.report.progress(|elapsed| Progress::from(progress).line(past, elapsed));
                    }
                    task.output.pass_on()
                });
            }
        });
        let result = search();
        drop(over);
        result
    })
}
