//! Threads: what may be sent and shared, two solvers on one problem at a time, cancelling from outside, and one search
//! by several threads.

use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use dlx_core::{
    CancelToken, CountMethod, EngineKind, Limits, Outcome, OwnedSolution, Parallel, Problem, Solver,
    StopReason,
};
use dlx_tests::generators::{self, QueenOrder, queens};
use dlx_tests::{Instance, brute};

use crate::support::{engines, places, rest};

const _: () = {
    const fn send<T: Send + 'static>() {}
    const fn send_sync<T: Send + Sync + 'static>() {}
    send::<Solver>();
    send::<Parallel>();
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
    let mut found: Vec<_> = found.iter().map(|solution| places(solution)).collect();
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

/// Problems large enough to be cut into parts many times, and small enough for the reference.
fn families() -> Vec<Instance> {
    vec![
        queens(8, QueenOrder::OrganPipe),
        generators::latin_squares(4),
        generators::langford(7),
        generators::perfect_matchings(5),
        generators::domino_tilings(6, 6),
        generators::de_bruijn_tori((1, 16), (1, 4)),
        generators::pipes(3, 4),
        generators::graceful_labellings(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)]),
        generators::duplicates(8),
        generators::choices(12),
    ]
}

fn in_order(search: &mut Parallel) -> (Vec<OwnedSolution>, Outcome) {
    let mut found = Vec::new();
    let outcome = search.for_each(|solution| {
        found.push(solution.sorted());
        ControlFlow::Continue(())
    });
    (found, outcome)
}

#[test]
fn several_threads_find_what_the_reference_finds() {
    for instance in families() {
        let (problem, expected) = (instance.problem().unwrap(), brute::search(&instance));
        for engine in engines() {
            let mut orders = Vec::new();
            for threads in 1..=4 {
                let mut search = problem.parallel(threads).engine(engine);
                let (found, outcome) = in_order(&mut search);
                assert_eq!(outcome, Outcome::Exhausted);
                let mut sorted: Vec<_> = found.iter().map(|solution| places(solution)).collect();
                sorted.sort_unstable();
                assert_eq!(sorted, expected, "{} on {engine}", instance.name);
                assert_eq!(search.count().value, expected.len().into(), "{} on {engine}", instance.name);
                orders.push(found);
            }
            orders.dedup();
            assert_eq!(orders.len(), 1, "{} on {engine}: another order with other threads", instance.name);
            if engine == EngineKind::Links {
                let alone: Vec<_> = problem.solver_on(engine).owned().collect();
                assert_eq!(orders[0], alone, "{} on {engine}: another order than alone", instance.name);
            }
        }
    }
}

/// A thread must not take longer for the way to its part than for the part.
#[test]
fn several_threads_in_a_deep_tree() {
    let problem = generators::choices(5000).problem().unwrap();
    for engine in engines() {
        let mut search = problem.parallel(3).engine(engine).limit(Limits::none().solutions(3000));
        let (found, outcome) = in_order(&mut search);
        assert_eq!((found.len(), outcome), (3000, Outcome::Stopped(StopReason::Solutions)));
        let all: std::collections::HashSet<_> = found.into_iter().collect();
        assert_eq!(all.len(), 3000, "{engine}: found twice");
    }
}

#[test]
fn another_thread_cancels_several() {
    for instance in [generators::choices(100), generators::choices(20_000)] {
        let problem = instance.problem().unwrap();
        let token = CancelToken::new();
        let mut search = problem.parallel(2).engine(EngineKind::Links).cancel(&token);
        let search = thread::spawn(move || (search.count().outcome, Instant::now()));
        thread::sleep(Duration::from_millis(50));
        let cancelled = Instant::now();
        token.cancel();
        let (outcome, stopped) = search.join().unwrap();
        assert_eq!(outcome, Outcome::Stopped(StopReason::Cancelled));
        assert!(stopped.saturating_duration_since(cancelled) < Duration::from_secs(5));
    }
}
