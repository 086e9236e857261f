//! The same with several threads: they search and write their solutions down, one at a time prints them, and another
//! thread looks at the clock.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use dlx_core::{Outcome, Parallel, Solution};

use super::{Found, Task, write_solution};
use crate::outcome::Failure;
use crate::report::grouped;

/// How often the buffer and the progress line are looked after.
const TICK: Duration = Duration::from_millis(50);

/// Prints the solutions, in an order that is the same in every run.
pub(super) fn solve(task: &mut Task<'_>, threads: usize) -> Result<Found, Failure> {
    let mut search = search(task, threads);
    let (problem, json) = (task.problem.clone(), task.args.json);
    let printing = Mutex::new(Printing { task, printed: 0, failure: None });
    let outcome = watched(&printing, || {
        let write =
            |solution: Solution<'_>, text: &mut Vec<u8>| write_solution(&problem, json, solution, text);
        search.for_each_written(write, |text| {
            let mut printing = lock(&printing);
            printing.attempt(|task| task.print(text));
            printing.printed += 1;
            match printing.failure {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })
    });
    let failure = printing.into_inner().unwrap_or_else(PoisonError::into_inner).failure;
    failure.map_or_else(|| Ok(Found::together(outcome, &search)), Err)
}

/// Counts the solutions.
pub(super) fn count(task: &Task<'_>, threads: usize) -> Found {
    let mut search = search(task, threads);
    let count = search.count();
    Found { count: count.value.to_string(), ..Found::together(count.outcome, &search) }
}

impl Found {
    fn together(outcome: Outcome, search: &Parallel) -> Self {
        let statistics = search.statistics();
        Self { outcome, count: statistics.solutions.to_string(), statistics }
    }
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
