//! Threads: what may be sent and shared, two solvers on one problem at a time, and cancelling from outside.

use std::thread;
use std::time::{Duration, Instant};

use dlx_core::{CancelToken, CountMethod, Limits, Outcome, OwnedSolution, Problem, Solver, StopReason};
use dlx_tests::generators::{self, QueenOrder, queens};

use crate::support::rest;

const _: () = {
    const fn send<T: Send + 'static>() {}
    const fn send_sync<T: Send + Sync + 'static>() {}
    send::<Solver>();
    send_sync::<Problem>();
    send_sync::<CancelToken>();
    send_sync::<Limits>();
    send_sync::<Outcome>();
    send_sync::<OwnedSolution>();
};

#[test]
fn two_solvers_on_one_problem_in_two_threads() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let expected = rest(&mut problem.solver());
    thread::scope(|scope| {
        let search = || (0..50).map(|_| rest(&mut problem.solver())).all(|found| found == expected);
        let threads = [scope.spawn(search), scope.spawn(search)];
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    });
}

#[test]
fn a_solver_goes_on_in_another_thread() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let expected = rest(&mut problem.solver());
    let mut solver = problem.solver();
    let mut found: Vec<_> = solver.owned().take(40).collect();
    drop(problem);
    found.extend(thread::spawn(move || solver.owned().collect::<Vec<_>>()).join().unwrap());
    let mut found: Vec<_> = found.iter().map(|solution| crate::support::places(solution)).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn another_thread_cancels_a_search_without_end() {
    let problem = generators::choices(100).problem().unwrap();
    let token = CancelToken::new();
    let mut solver = problem.solver().cancel(&token);
    let search = thread::spawn(move || {
        let count = solver.count_by(CountMethod::Enumerate);
        (count.outcome, Instant::now())
    });
    thread::sleep(Duration::from_millis(50));
    let cancelled = Instant::now();
    token.cancel();
    let (outcome, stopped) = search.join().unwrap();
    assert_eq!(outcome, Outcome::Stopped(StopReason::Cancelled));
    assert!(stopped.saturating_duration_since(cancelled) < Duration::from_secs(5));
}
