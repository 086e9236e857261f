//! What one thread finds is what several find, in one order, whatever stops them; with parts that are given back at
//! every turn, so that small problems fall into many.
#![allow(clippy::unwrap_used)]

use alloc::vec::Vec;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use super::*;
use crate::engine::contract::{Dice, any_problem, random_bounded_problem, random_problem};
use crate::{OwnedSolution, ProblemBuilder, Solver};

/// Perfect matchings of the complete graph with 2n vertices: (2n - 1)!! of them (OEIS A001147).
fn matchings(n: usize) -> Problem {
    let mut b = ProblemBuilder::new();
    let vertices = b.unnamed_primaries(2 * n).unwrap();
    for (at, &v) in vertices.iter().enumerate() {
        for &w in &vertices[at + 1..] {
            b.option([v, w]).unwrap();
        }
    }
    b.build().unwrap()
}

/// n items with two options each: 2^n solutions.
fn choices(n: usize) -> Problem {
    let mut b = ProblemBuilder::new();
    for item in b.unnamed_primaries(n).unwrap() {
        b.option([item]).unwrap();
        b.option([item]).unwrap();
    }
    b.build().unwrap()
}

/// A search that gives parts back as often as it can.
fn hasty(problem: &Problem, threads: usize) -> Parallel {
    let pace = Pace { early: 1, late: 3, found: 8, room: 64 };
    Parallel { pace, ..problem.parallel(threads) }
}

fn visited(search: &mut Parallel) -> (Vec<OwnedSolution>, Outcome) {
    visited_from(search, 0)
}

/// The same after so many.
fn visited_from(search: &mut Parallel, past: u64) -> (Vec<OwnedSolution>, Outcome) {
    let mut all = Vec::new();
    let outcome = search.for_each(|solution| {
        all.push(solution.sorted());
        ControlFlow::Continue(())
    });
    assert_eq!(search.statistics().solutions, past + all.len() as u64);
    (all, outcome)
}

fn alone(solver: &mut Solver) -> (Vec<OwnedSolution>, Outcome) {
    (solver.owned().collect(), solver.outcome())
}

/// Any number of threads gives what a solver gives; `limit` is on solutions.
fn check(problem: &Problem, engine: EngineKind, assumed: &[OptionId], limit: Option<u64>, threads: usize) {
    let limits = limit.map_or(Limits::none(), |limit| Limits::none().solutions(limit));
    let serial = || problem.solver_on(engine).assume(assumed.iter().copied()).unwrap();
    let search = || hasty(problem, threads).engine(engine).assume(assumed.iter().copied()).unwrap();
    let mut solver = serial().limit(limits);
    let (expected, outcome) = alone(&mut solver);

    let mut counted = search().limit(limits);
    let count = counted.count();
    assert_eq!((count.value, count.outcome), (expected.len().into(), outcome));
    assert_eq!(counted.statistics().solutions, expected.len() as u64);

    let mut search = search().limit(limits);
    let (found, as_it_is) = visited(&mut search);
    assert_eq!(as_it_is, outcome);
    match engine {
        EngineKind::Links if !problem.has_bounds() => assert_eq!(found, expected),
        _ => {
            let all = alone(&mut serial()).0;
            assert!(found.iter().all(|solution| all.contains(solution)));
            let mut distinct = found.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), expected.len());
            let other = hasty(problem, threads % 4 + 1).engine(engine);
            let again = visited(&mut other.assume(assumed.iter().copied()).unwrap().limit(limits)).0;
            assert_eq!(found, again, "another order with other threads");
        }
    }
    if outcome.is_exhausted() && engine == EngineKind::Links && !problem.has_bounds() {
        let figures = |all: Statistics| (all.nodes, all.forced, all.depth);
        assert_eq!(figures(search.statistics()), figures(solver.statistics()));
        assert_eq!(figures(counted.statistics()), figures(solver.statistics()));
    }
}

#[test]
fn threads_find_what_one_finds_in_its_order() {
    for n in 0..6 {
        let problem = matchings(n);
        for engine in EngineKind::ALL {
            (1..=4).for_each(|threads| check(&problem, engine, &[], None, threads));
        }
    }
}

#[test]
fn random_problems_with_colors_bounds_assumptions_and_limits() {
    let mut dice = Dice(3);
    for round in 0..1200 {
        let colored = dice.below(2) == 1;
        let make = if dice.below(2) == 1 { random_bounded_problem } else { random_problem };
        let problem = make(&mut dice, colored);
        let usable: Vec<_> = problem.options().filter(|o| problem.has_primary_item(*o)).collect();
        let assumed: Vec<_> =
            (0..dice.below(3).min(usable.len())).map(|_| usable[dice.below(usable.len())]).collect();
        let limit = (dice.below(2) == 0).then(|| 1 + dice.below(5) as u64);
        let engine = EngineKind::ALL[round % EngineKind::ALL.len()];
        check(&problem, engine, &assumed, limit, 1 + dice.below(4));
    }
}

#[test]
fn limits_on_solutions_are_those_of_a_solver() {
    for problem in [matchings(5), choices(9)] {
        let total = alone(&mut problem.solver()).0.len() as u64;
        for limit in [0, 1, 2, 100, total - 1, total, total + 1, u64::MAX] {
            (1..=4).for_each(|threads| check(&problem, EngineKind::Bits, &[], Some(limit), threads));
        }
    }
}

#[test]
fn a_limit_on_nodes_is_overstepped_by_little() {
    let problem = matchings(10);
    for (threads, limit) in [(1, 0), (1, 1), (2, 1), (2, 100_000), (4, 100_000)] {
        let mut search =
            problem.parallel(threads).engine(EngineKind::Links).limit(Limits::none().nodes(limit));
        for outcome in [search.count().outcome, visited(&mut search).1] {
            assert_eq!(outcome, Outcome::Stopped(StopReason::Nodes));
            assert!(search.statistics().nodes <= limit + 4096 * threads as u64);
        }
    }
    // As many nodes as there are do not stop anything.
    let nodes = {
        let mut solver = matchings(5).solver_on(EngineKind::Links);
        let _ = solver.count();
        solver.statistics().nodes
    };
    for (threads, limit, exhausted) in [(1, nodes - 1, false), (1, nodes, true), (2, nodes, true)] {
        let outcome = matchings(5)
            .parallel(threads)
            .engine(EngineKind::Links)
            .limit(Limits::none().nodes(limit))
            .count()
            .outcome;
        assert_eq!(outcome.is_exhausted(), exhausted);
    }
}

#[test]
fn the_token_and_the_clock_stop_all_threads() {
    let problem = choices(60);
    for threads in 1..=4 {
        let token = CancelToken::new();
        token.cancel();
        let mut search = problem.parallel(threads).engine(EngineKind::Links).cancel(&token);
        assert_eq!(search.count().outcome, Outcome::Stopped(StopReason::Cancelled));
        assert_eq!(visited(&mut search), (Vec::new(), Outcome::Stopped(StopReason::Cancelled)));

        let token = CancelToken::new();
        let mut search = problem.parallel(threads).engine(EngineKind::Links).cancel(&token);
        let mut seen = 0;
        let outcome = search.for_each(|_| {
            seen += 1;
            if seen == 1000 {
                token.cancel();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(outcome, Outcome::Stopped(StopReason::Cancelled));

        let begun = Instant::now();
        let limits = Limits::none().time(Duration::from_millis(20));
        let mut search = problem.parallel(threads).engine(EngineKind::Links).limit(limits);
        assert_eq!(search.count().outcome, Outcome::Stopped(StopReason::Time)); // an engine by name: it visits all
        let outcome = search.for_each(|_| ControlFlow::Continue(()));
        assert_eq!(outcome, Outcome::Stopped(StopReason::Time));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_consumer_that_breaks_gets_no_more() {
    let problem = choices(60);
    for threads in 1..=4 {
        for last in [1, 2, 1000, 50_000] {
            let mut search = hasty(&problem, threads);
            let mut seen = 0;
            let outcome = search.for_each(|_| {
                seen += 1;
                if seen == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!((seen, outcome), (last, Outcome::Stopped(StopReason::Paused)));
            assert_eq!(search.statistics().solutions, last);
        }
    }
}

#[test]
fn a_consumer_that_panics_ends_the_search() {
    let problem = choices(60);
    for threads in 1..=4 {
        let mut search = hasty(&problem, threads);
        let mut seen = 0;
        let caught = catch_unwind(AssertUnwindSafe(|| {
            search.for_each(|_| {
                seen += 1;
                if seen == 1000 {
                    resume_unwind(std::boxed::Box::new("enough"));
                }
                ControlFlow::Continue(())
            })
        }));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"enough"));
        assert_eq!(seen, 1000);
        let mut again = search.limit(Limits::none().solutions(10));
        assert_eq!(visited(&mut again).0.len(), 10, "the search is of use afterwards");
    }
}

/// While the consumer is slow, the threads rest.
#[test]
fn solutions_do_not_pile_up() {
    let (problem, last) = (choices(60), 2000);
    let pace = Pace { early: 16, late: 64, found: 1 << 10, room: 1 << 14 };
    for threads in 1..=4 {
        let mut search = Parallel { pace, ..problem.parallel(threads) };
        let mut seen = 0;
        let _ = search.for_each(|_| {
            seen += 1;
            if seen % 100 == 0 {
                std::thread::sleep(Duration::from_millis(2));
            }
            if seen == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // A solution takes about two nodes and 61 of the room; each thread may be a batch ahead.
        let ahead = (pace.room + threads * (1 << 14)) as u64 / 61;
        let nodes = search.statistics().nodes;
        assert!(nodes < 2 * (last + 2 * ahead) + 1000, "{threads} threads: {nodes} nodes");
    }
}

#[test]
fn a_solution_at_the_root_and_none_at_all() {
    let mut b = ProblemBuilder::new();
    b.unnamed_secondaries(1).unwrap();
    let empty = b.build().unwrap();
    let mut b = ProblemBuilder::new();
    b.unnamed_primaries(1).unwrap();
    let hopeless = b.build().unwrap();
    for engine in EngineKind::ALL {
        for limit in [None, Some(1), Some(2)] {
            check(&empty, engine, &[], limit, 2);
            check(&hopeless, engine, &[], limit, 2);
        }
    }
}

/// Searches `nodes` nodes far at a time, and goes on with another engine and number of threads each time.
fn by_turns(problem: &Problem, dice: &mut Dice, nodes: u64) -> Vec<OwnedSolution> {
    let mut all = Vec::new();
    let mut checkpoint = Checkpoint::beginning(problem);
    while !checkpoint.is_finished() {
        let limits = Limits::none().nodes(checkpoint.statistics().nodes + nodes);
        let search = hasty(problem, 1 + dice.below(3)).engine(EngineKind::ALL[dice.below(4)]);
        let mut search = search.limit(limits).resume(&checkpoint).unwrap();
        let (more, _) = visited_from(&mut search, checkpoint.statistics().solutions);
        all.extend(more);
        let next = search.checkpoint().unwrap();
        assert_eq!(next.statistics(), search.statistics());
        checkpoint = Checkpoint::from_bytes(&next.to_bytes()).unwrap();
    }
    assert_eq!(checkpoint.statistics().solutions, all.len() as u64);
    all
}

#[test]
fn what_was_stopped_goes_on_to_the_same_solutions() {
    let mut dice = Dice(13);
    for _ in 0..400 {
        let problem = any_problem(&mut dice);
        let (mut expected, _) = alone(&mut problem.solver());
        // More nodes than a piece may begin with that choose nothing.
        let nodes = 7 + dice.below(10) as u64;
        let mut found = by_turns(&problem, &mut dice, nodes);
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{problem:?}");
    }
    for (problem, nodes) in [(matchings(5), 100), (choices(10), 300)] {
        let (mut expected, _) = alone(&mut problem.solver());
        let mut found = by_turns(&problem, &mut dice, nodes);
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn progress_comes_to_its_end() {
    let problem = matchings(6);
    let mut search = hasty(&problem, 2).resume(&Checkpoint::beginning(&problem)).unwrap();
    let progress = search.progress();
    assert_eq!(search.count().value, 10_395u32.into());
    assert!((progress.share() - 1.0).abs() < 1e-6, "{}", progress.share());
    assert_eq!((progress.solutions(), progress.nodes()), (10_395, search.statistics().nodes));
}

#[test]
fn a_limit_on_solutions_leaves_no_checkpoint() {
    let problem = matchings(5);
    let limits = Limits::none().solutions(10);
    let mut search = hasty(&problem, 2).limit(limits).resume(&Checkpoint::beginning(&problem)).unwrap();
    assert_eq!(search.count().value, 10u32.into());
    assert!(search.checkpoint().is_none());
    assert_eq!(visited(&mut search).0.len(), 10);
    assert!(search.checkpoint().is_none());
}
