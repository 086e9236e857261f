//! The same with several threads: they search, one prints, one looks at the clock.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use dlx_core::{Outcome, Parallel, Statistics, StopReason};

use super::{Found, Task};
use crate::outcome::Failure;
use crate::report::grouped;

/// How often the buffer and the progress line are looked after.
const TICK: Duration = Duration::from_millis(50);

/// Prints the solutions, in an order that is the same in every run with as many threads.
pub(super) fn solve(task: &mut Task<'_>, threads: usize) -> Result<Found, Failure> {
    let mut search = search(task, threads);
    let limit = task.args.effort.solutions;
    let printing = Mutex::new(Printing { task, printed: 0, failure: None });
    let outcome = match limit {
        Some(0) => Outcome::Stopped(StopReason::Solutions),
        _ => watched(&printing, || {
            let mut options = Vec::new();
            search.for_each(|solution| {
                options.clear();
                options.extend_from_slice(solution.options());
                let mut printing = lock(&printing);
                printing.attempt(|task| task.print_solution(&mut options));
                printing.printed += 1;
                match printing.failure.is_some() || limit == Some(printing.printed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        }),
    };
    let Printing { printed, failure, .. } = printing.into_inner().unwrap_or_else(PoisonError::into_inner);
    let outcome = match outcome {
        _ if limit == Some(printed) => Outcome::Stopped(StopReason::Solutions),
        outcome => outcome,
    };
    let statistics = Statistics { solutions: printed, ..search.statistics() };
    failure.map_or(Ok(Found { outcome, count: printed.to_string(), statistics }), Err)
}

/// Counts the solutions.
pub(super) fn count(task: &Task<'_>, threads: usize) -> Found {
    let mut search = search(task, threads);
    let count = search.count();
    let mut statistics = search.statistics();
    // What the threads have found beyond the limit is not told.
    statistics.solutions = statistics.solutions.min(task.args.effort.solutions.unwrap_or(u64::MAX));
    Found { outcome: count.outcome, count: count.value.to_string(), statistics }
}

fn search(task: &Task<'_>, threads: usize) -> Parallel {
    let effort = &task.args.effort;
    task.problem.parallel(threads).engine(effort.engine).limit(task.limits).cancel(&task.token)
}

/// What the thread that prints and the one with the clock share.
struct Printing<'a, 't> {
    task: &'a mut Task<'t>,
    printed: u64,
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
fn watched<T>(printing: &Mutex<Printing<'_, '_>>, search: impl FnOnce() -> T) -> T {
    let (over, watch) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while watch.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                let mut printing = lock(printing);
                let solutions = printing.printed;
                printing.attempt(|task| {
                    task.report.progress(|elapsed| {
                        format!("{} solutions, {} s", grouped(solutions), elapsed.as_secs())
                    });
                    task.output.pass_on()
                });
            }
        });
        let result = search();
        drop(over);
        result
    })
}
