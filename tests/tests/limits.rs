//! Limits and cancellation: a search stops where it was told to, says why, and goes on as if it had not stopped.

use std::time::{Duration, Instant};

use dlx_core::{CancelToken, CountMethod, Limits, Outcome, OwnedSolution, Problem, Step, StopReason};
use dlx_tests::generators::{self, QueenOrder, queens};

use crate::support::rest;

const NODES: Outcome = Outcome::Stopped(StopReason::Nodes);
const SOLUTIONS: Outcome = Outcome::Stopped(StopReason::Solutions);

/// Problems of different shapes, small enough to be stopped at each of their nodes.
fn some_problems() -> Vec<Problem> {
    [
        queens(6, QueenOrder::OrganPipe),
        generators::latin_squares(3),
        generators::langford(4),
        generators::de_bruijn_tori((1, 8), (1, 3)),
        generators::pipes(3, 3),
        generators::triangles(3),
        generators::identity(5),
        generators::duplicates(4),
        generators::cycle(7),
        generators::cycle(1),
    ]
    .iter()
    .map(|instance| instance.problem().unwrap())
    .collect()
}

fn in_order(problem: &Problem) -> Vec<OwnedSolution> {
    problem.solver().owned().collect()
}

#[test]
fn a_limit_of_solutions_gives_the_first_ones() {
    for problem in some_problems() {
        let all = in_order(&problem);
        for n in 0..all.len() + 3 {
            let limit = Limits::none().solutions(n as u64);
            let mut solver = problem.solver().limit(limit);
            let found: Vec<_> = solver.owned().collect();
            assert_eq!(found, all[..n.min(all.len())]);
            // Reaching the number asked for is reported as such, also where there are no more.
            let expected = if n <= all.len() { SOLUTIONS } else { Outcome::Exhausted };
            assert_eq!(solver.outcome(), expected, "{n} of {}", all.len());

            let count = problem.solver().limit(limit).count();
            assert_eq!((count.value.to_string(), count.outcome), (found.len().to_string(), expected));
            assert_eq!(
                problem.solver().limit(limit).for_each(|_| std::ops::ControlFlow::Continue(())),
                expected
            );
        }
    }
}

#[test]
fn a_reached_limit_of_solutions_can_be_raised() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let all = in_order(&problem);
    let mut solver = problem.solver();
    let mut found = Vec::new();
    for n in (0..).step_by(9) {
        solver = solver.limit(Limits::none().solutions(n));
        found.extend(solver.owned());
        if solver.outcome().is_exhausted() {
            break;
        }
        assert_eq!((found.len() as u64, solver.outcome()), (n, SOLUTIONS));
    }
    assert_eq!(found, all);
}

#[test]
fn a_node_limit_stops_at_exactly_that_node() {
    for problem in some_problems() {
        let all = in_order(&problem);
        let mut solver = problem.solver();
        assert_eq!(rest(&mut solver).len(), all.len());
        let total = solver.statistics();
        for nodes in 0..total.nodes {
            let mut solver = problem.solver().limit(Limits::none().nodes(nodes));
            let mut found: Vec<_> = solver.owned().collect();
            assert_eq!((solver.outcome(), solver.statistics().nodes), (NODES, nodes));
            assert!(solver.next_solution().is_none(), "asked again at the limit");
            assert_eq!((solver.outcome(), solver.statistics().nodes), (NODES, nodes));
            solver = solver.limit(Limits::none());
            found.extend(solver.owned());
            assert_eq!((&found, solver.statistics()), (&all, total), "resumed after {nodes} nodes");
        }
        let mut solver = problem.solver().limit(Limits::none().nodes(total.nodes));
        assert_eq!(solver.owned().collect::<Vec<_>>(), all);
        assert_eq!(solver.outcome(), Outcome::Exhausted, "a limit that is not exceeded stops nothing");
    }
}

#[test]
fn steps_of_every_size_give_the_same_solutions() {
    for problem in some_problems() {
        let all = in_order(&problem);
        let mut solver = problem.solver();
        rest(&mut solver);
        let total = solver.statistics();
        for budget in 0..=total.nodes + 1 {
            let mut solver = problem.solver();
            let mut found = Vec::new();
            loop {
                let before = solver.statistics().nodes;
                match solver.step(budget) {
                    Step::Solution(solution) => found.push(solution.sorted()),
                    Step::Paused => assert_eq!(solver.statistics().nodes, before + budget.max(1)),
                    Step::Done(outcome) => break assert_eq!(outcome, Outcome::Exhausted),
                }
                assert!(solver.statistics().nodes <= before + budget.max(1));
            }
            assert_eq!((&found, solver.statistics()), (&all, total), "steps of {budget}");
        }
    }
}

#[test]
fn steps_end_at_a_limit() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let run = |limits| {
        let mut solver = problem.solver().limit(limits);
        loop {
            if let Step::Done(outcome) = solver.step(10) {
                break (outcome, solver.statistics().nodes, solver.statistics().solutions);
            }
        }
    };
    assert_eq!(run(Limits::none().nodes(123)).0, NODES);
    assert_eq!(run(Limits::none().nodes(123)).1, 123);
    let (outcome, _, solutions) = run(Limits::none().solutions(5));
    assert_eq!((outcome, solutions), (SOLUTIONS, 5));
}

#[test]
fn the_first_limit_that_is_reached_counts() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let count = |limits| problem.solver().limit(limits).count().outcome;
    assert_eq!(count(Limits::none().solutions(1).nodes(1_000_000)), SOLUTIONS);
    assert_eq!(count(Limits::none().solutions(1000).nodes(10)), NODES);
    assert_eq!(count(Limits::none().solutions(1000).nodes(1_000_000)), Outcome::Exhausted);
}

#[test]
fn a_time_limit_stops_a_search_without_end() {
    let problem = generators::choices(100).problem().unwrap();
    let started = Instant::now();
    let mut solver = problem.solver().limit(Limits::none().time(Duration::from_millis(50)));
    let count = solver.count_by(CountMethod::Enumerate);
    let elapsed = started.elapsed();
    assert_eq!(count.outcome, Outcome::Stopped(StopReason::Time));
    assert_ne!(count.value.to_string(), "0");
    assert!((Duration::from_millis(50)..Duration::from_secs(5)).contains(&elapsed), "{elapsed:?}");
    assert!(solver.next_solution().is_none(), "the time is still up");
    let found = solver.statistics().solutions;
    solver = solver.limit(Limits::none().solutions(found + 1));
    assert!(solver.next_solution().is_some(), "goes on without the limit");
}

#[test]
fn a_time_limit_of_nothing_is_up_at_once() {
    let problem = generators::identity(3).problem().unwrap();
    let mut solver = problem.solver().limit(Limits::none().time(Duration::ZERO));
    assert!(solver.next_solution().is_none());
    assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Time));
}

#[test]
fn a_time_limit_that_is_not_reached_changes_nothing() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let count = problem.solver().limit(Limits::none().time(Duration::from_secs(3600))).count();
    assert_eq!((count.value.to_string(), count.outcome), ("92".into(), Outcome::Exhausted));
}

#[test]
fn a_cancelled_search_says_so_and_finds_nothing_more() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let token = CancelToken::new();
    let mut solver = problem.solver().cancel(&token);
    assert!(solver.next_solution().is_some());
    token.cancel();
    assert!(token.is_cancelled());
    assert!(solver.next_solution().is_none());
    assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Cancelled));
    assert!(matches!(solver.step(10), Step::Done(Outcome::Stopped(StopReason::Cancelled))));
    // The same solver with another token goes on where it was.
    let mut solver = solver.cancel(&CancelToken::new());
    assert_eq!(rest(&mut solver).len(), 91);
    assert_eq!(solver.outcome(), Outcome::Exhausted);
}

#[test]
fn a_token_raised_after_the_end_changes_nothing() {
    let problem = generators::identity(3).problem().unwrap();
    let token = CancelToken::new();
    let mut solver = problem.solver().cancel(&token);
    assert_eq!(rest(&mut solver).len(), 1);
    token.cancel();
    assert!(solver.next_solution().is_none());
    assert_eq!(solver.outcome(), Outcome::Exhausted);
}
