//! The cheapest covers against all sets of options, on all small problems and on random ones; and against all solutions that
//! another engine finds, on larger ones.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use itertools::{Itertools as _, iproduct};

use crate::{
    CancelToken, Cheapest, Limits, OptionId, Outcome, OwnedSolution, Problem, ProblemBuilder, Solution,
    Statistics, StopReason, verify,
};

/// An option as the primary items, as bits, and the kind of each secondary one: 0 absent, 1 uncolored, 2 and 3 colors.
pub(crate) type Row<'a> = (u32, &'a [u8]);

pub(crate) fn problem(primary: usize, bounds: &[(u32, u32)], options: &[Row<'_>], costs: &[i64]) -> Problem {
    let mut b = ProblemBuilder::new();
    let items = b.unnamed_primaries(primary).unwrap();
    for (&item, &(least, most)) in items.iter().zip(bounds) {
        b.set_bounds(item, least..=most).unwrap();
    }
    let secondary = b.unnamed_secondaries(options.first().map_or(0, |(_, kinds)| kinds.len())).unwrap();
    let colors = ["red", "blue"].map(|name| b.color(name).unwrap());
    for ((mask, kinds), &cost) in options.iter().zip(costs) {
        let primary = items.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
        let primary = primary.map(|(_, item)| (*item, None));
        let secondary = secondary.iter().zip(*kinds).filter(|(_, kind)| **kind > 0);
        let secondary =
            secondary.map(|(item, kind)| (*item, (*kind > 1).then(|| colors[usize::from(kind - 2)])));
        let option = b.option(primary.chain(secondary)).unwrap();
        b.set_cost(option, cost).unwrap();
    }
    b.build().unwrap()
}

/// All covers with their costs, in the order of these: every set of options against the checker.
pub(crate) fn by_brute_force(problem: &Problem) -> Vec<(i128, OwnedSolution)> {
    let set = |bits: u32| problem.options().filter(move |option| bits >> option.index() & 1 == 1);
    let sets = (0..1 << problem.option_count()).map(|bits| set(bits).collect::<Vec<_>>());
    let covers = sets.filter(|set| verify::check(problem, set).is_ok());
    let cost = |set: &[OptionId]| set.iter().map(|option| i128::from(problem.cost(*option))).sum();
    sorted(covers.map(|set| (cost(&set), OwnedSolution::new(&set))))
}

pub(crate) fn by_enumeration(problem: &Problem) -> Vec<(i128, OwnedSolution)> {
    sorted(problem.solver().owned().map(|cover| (problem.total_cost(&cover), cover)))
}

fn sorted<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort();
    all
}

/// Compares every way of asking with all covers.
fn check(problem: &Problem, all: &[(i128, OwnedSolution)]) {
    for k in [1, 2, 3, all.len() + 1] {
        check_cheapest(problem, all, k, &problem.solver().cheapest(k));
    }
    let costs = all.iter().map(|(cost, _)| *cost);
    for most in costs.clone().take(3).flat_map(|cost| [cost - 1, cost]).chain([0, i128::MAX, i128::MIN]) {
        check_at_most(problem, all, most, |f| problem.solver().at_most(most, f));
    }
}

fn check_cheapest(problem: &Problem, all: &[(i128, OwnedSolution)], k: usize, found: &Cheapest) {
    assert_eq!(found.outcome, Outcome::Exhausted, "{problem:?}");
    let costs: Vec<_> = found.covers.iter().map(|cover| cover.cost).collect();
    let expected: Vec<_> = all.iter().map(|(cost, _)| *cost).take(k).collect();
    assert_eq!(costs, expected, "{} {k}", show(problem));
    assert_eq!(found.lower_bound, all.get(k - 1).map(|(cost, _)| *cost), "{}", show(problem));
    let listed = found.covers.iter().map(|cover| (cover.cost, cover.options.clone()));
    assert!(sorted(listed.clone()).windows(2).all(|pair| pair[0] != pair[1]), "{}", show(problem));
    assert!(listed.clone().all(|cover| all.contains(&cover)), "{}", show(problem));
}

type Visit<'a> = &'a mut (dyn FnMut(Solution<'_>, i128) -> ControlFlow<()> + Send);

fn check_at_most(
    problem: &Problem,
    all: &[(i128, OwnedSolution)],
    most: i128,
    ask: impl FnOnce(Visit<'_>) -> (Outcome, Statistics),
) {
    let mut found = Vec::new();
    let (outcome, statistics) = ask(&mut |cover, cost| {
        found.push((cost, cover.sorted()));
        ControlFlow::Continue(())
    });
    assert_eq!(outcome, Outcome::Exhausted);
    assert_eq!(statistics.solutions, found.len() as u64);
    found.sort();
    let expected: Vec<_> = all.iter().filter(|(cost, _)| *cost <= most).cloned().collect();
    assert_eq!(found, expected, "{} at most {most}", show(problem));
}

/// Stops after each number of nodes: the bound holds, and what is found are covers.
fn check_stopped(problem: &Problem, all: &[(i128, OwnedSolution)], k: usize) {
    let mut proofs = 0;
    for nodes in (0..30).chain([50, 100, 200, 400, 800, 1600, 100_000]) {
        let found = problem.solver().limit(Limits::none().nodes(nodes)).cheapest(k);
        check_bound(problem, all, nodes, &found);
        proofs += u32::from(found.outcome.is_exhausted());
    }
    assert!(proofs > 0, "{}", show(problem));
}

/// What a search that may have been stopped after so many nodes says is true.
fn check_bound(problem: &Problem, all: &[(i128, OwnedSolution)], nodes: u64, found: &Cheapest) {
    for cover in &found.covers {
        assert!(all.contains(&(cover.cost, cover.options.clone())), "{}", show(problem));
    }
    let listed = |options: &OwnedSolution| found.covers.iter().any(|cover| cover.options == *options);
    let next = all.iter().find(|(_, options)| !listed(options)).map(|(cost, _)| *cost);
    let bound = found.lower_bound;
    let holds = next.is_none_or(|next| bound.is_some_and(|bound| bound <= next));
    assert!(holds, "{} {nodes} nodes: {bound:?}, but {next:?}", show(problem));
    assert!(found.statistics.nodes <= nodes);
    assert!([Outcome::Exhausted, Outcome::Stopped(StopReason::Nodes)].contains(&found.outcome));
}

pub(crate) fn show(problem: &Problem) -> alloc::string::String {
    let option = |option| alloc::format!("{} |{}", problem.option(option), problem.cost(option));
    let bounds = problem.items().map(|item| problem.bounds(item));
    alloc::format!("{:?} {}", bounds.collect::<Vec<_>>(), problem.options().map(option).format(", "))
}

/// Numbers that look like random ones (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// All multisets of up to 4 options over so many primary items and up to one secondary item.
pub(crate) fn small(primary: usize, secondary: usize) -> impl Iterator<Item = Vec<(u32, Vec<u8>)>> {
    let kinds = if secondary == 0 { 0..1_u8 } else { 0..4 };
    let alphabet = iproduct!(0..1_u32 << primary, kinds);
    let alphabet: Vec<_> = alphabet.map(|(mask, kind)| (mask, [kind][..secondary].to_vec())).collect();
    let mut places = Some(Vec::new()); // ascending
    core::iter::from_fn(move || {
        let now = places.take()?;
        let mut next = now.clone();
        if next.len() < 4 {
            next.push(next.last().copied().unwrap_or(0));
        } else {
            next.iter_mut().last().into_iter().for_each(|last| *last += 1);
        }
        while next.last() == Some(&alphabet.len()) {
            next.pop();
            next.iter_mut().last().into_iter().for_each(|last| *last += 1);
        }
        places = (!next.is_empty()).then_some(next);
        Some(now.into_iter().map(|at| alphabet[at].clone()).collect())
    })
}

#[test]
fn all_small_problems() {
    let mut random = Random(1);
    let mut covers = 0;
    for (primary, secondary) in [(0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0)] {
        for options in small(primary, secondary) {
            let rows: Vec<Row<'_>> = options.iter().map(|(mask, kinds)| (*mask, &kinds[..])).collect();
            for most in [0, 1, 3, 3] {
                let costs: Vec<i64> =
                    rows.iter().map(|_| random.below(2 * most + 1) as i64 - most as i64 / 2).collect();
                let problem = problem(primary, &[], &rows, &costs);
                let all = by_brute_force(&problem);
                check(&problem, &all);
                covers += all.len();
            }
        }
    }
    assert!(covers > 10_000, "{covers}");
}

#[test]
fn all_small_problems_with_bounds() {
    const BOUNDS: [(u32, u32); 9] =
        [(1, 1), (0, 0), (0, 1), (0, 2), (0, u32::MAX), (1, 2), (1, 3), (2, 2), (2, 3)];
    let mut random = Random(2);
    let mut covers = 0;
    for (primary, secondary) in [(1, 0), (1, 1), (2, 0)] {
        let all_bounds = if primary == 1 { vec![(1, 1)] } else { BOUNDS.to_vec() };
        for (options, (first, second)) in small(primary, secondary)
            .flat_map(|options| iproduct!([options], iproduct!(BOUNDS, all_bounds.clone())))
        {
            let bounds = [first, second];
            let rows: Vec<Row<'_>> = options.iter().map(|(mask, kinds)| (*mask, &kinds[..])).collect();
            let costs: Vec<i64> = rows.iter().map(|_| random.below(9) as i64 - 4).collect();
            let problem = problem(primary, &bounds[..primary], &rows, &costs);
            let all = by_brute_force(&problem);
            check(&problem, &all);
            covers += all.len();
        }
    }
    assert!(covers > 10_000, "{covers}");
}

/// A random problem, with many covers as a rule.
pub(crate) fn random_problem(random: &mut Random, primary: usize, secondary: usize, bounds: bool) -> Problem {
    let mut rows: Vec<(u32, Vec<u8>)> = Vec::new();
    for _ in 0..12 + random.below(16) {
        let size = 1 + random.below(3);
        let mask = (0..size).fold(0, |mask, _| mask | 1 << random.below(primary as u64));
        let kinds = (0..secondary).map(|_| (random.below(8) as u8).saturating_sub(4)).collect();
        rows.push((mask, kinds));
    }
    let most = [1, 5, 100, 1 << 40][random.below(4) as usize];
    let least = [0, -3, -50][random.below(3) as usize];
    let costs: Vec<_> = rows.iter().map(|_| least + random.below(most) as i64).collect();
    let mut range = || (random.below(2) as u32, 1 + random.below(2) as u32);
    let bounds: Vec<_> = if bounds { (0..primary).map(|_| range()).collect() } else { Vec::new() };
    let rows: Vec<Row<'_>> = rows.iter().map(|(mask, kinds)| (*mask, &kinds[..])).collect();
    problem(primary, &bounds, &rows, &costs)
}

#[test]
fn random_problems_by_enumeration() {
    let mut random = Random(3);
    let mut with_covers = 0;
    for round in 0..600 {
        let (primary, secondary) = (4 + random.below(5) as usize, random.below(3) as usize);
        let problem = random_problem(&mut random, primary, secondary, round % 3 == 0);
        let all = by_enumeration(&problem);
        if all.len() > 3000 {
            continue; // too many to be compared
        }
        with_covers += usize::from(!all.is_empty());
        check(&problem, &all);
        check_stopped(&problem, &all, 1);
        check_stopped(&problem, &all, 4);
        // Everything that contains some option.
        let assumed: Vec<_> = problem.options().filter(|_| random.below(9) == 0).collect();
        if let Ok(mut solver) = problem.solver().assume(assumed.iter().copied()) {
            let best = solver.min_cost();
            let mut with = all.iter().filter(|(_, cover)| assumed.iter().all(|o| cover.contains(o)));
            assert_eq!(best.lower_bound, with.next().map(|(cost, _)| *cost), "{}", show(&problem));
            assert_eq!(best.cover.map(|cover| cover.cost), best.lower_bound);
        }
    }
    assert!(with_covers > 200, "{with_covers}");
}

#[test]
fn costs_at_the_edge_of_their_type() {
    for costs in
        [[i64::MAX; 3], [i64::MIN; 3], [i64::MIN, i64::MAX, -1], [i64::MAX, i64::MAX - 1, i64::MIN + 1]]
    {
        let rows: [Row<'_>; 6] = [(1, &[]), (2, &[]), (4, &[]), (1, &[]), (2, &[]), (4, &[])];
        let costs = [&costs[..], &[i64::MAX - 2, i64::MIN + 2, 0]].concat();
        let problem = problem(3, &[], &rows, &costs);
        check(&problem, &by_brute_force(&problem));
    }
}

#[test]
fn a_difference_that_floats_cannot_hold() {
    let costs = [9_007_199_254_740_994, 9_007_199_254_740_993, 9_007_199_254_740_995];
    let problem = problem(1, &[], &[(1, &[]), (1, &[]), (1, &[])], &costs);
    assert_eq!(problem.solver().min_cost().lower_bound, Some(9_007_199_254_740_993));
    check(&problem, &by_brute_force(&problem));
}

#[test]
fn a_cancelled_search_says_so() {
    let problem = random_problem(&mut Random(4), 8, 0, false);
    let token = CancelToken::new();
    token.cancel();
    let best = problem.solver().cancel(&token).min_cost();
    assert_eq!(best.outcome, Outcome::Stopped(StopReason::Cancelled));
    assert!(best.lower_bound.is_some());
}

#[test]
fn a_limit_of_solutions_holds_for_those_up_to_a_cost() {
    let problem = problem(1, &[], &[(1, &[]), (1, &[]), (1, &[])], &[1, 2, 3]);
    let mut count = 0;
    let (outcome, _) = problem.solver().limit(Limits::none().solutions(2)).at_most(9, |_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((outcome, count), (Outcome::Stopped(StopReason::Solutions), 2));
}

#[cfg(feature = "parallel")]
mod together {
    use std::collections::HashSet;
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    use super::*;

    fn check_together(problem: &Problem, all: &[(i128, OwnedSolution)]) {
        for k in [1, 3] {
            check_cheapest(problem, all, k, &problem.parallel(2).cheapest(k));
        }
        let most = all.get(all.len() / 2).map_or(0, |(cost, _)| *cost);
        check_at_most(problem, all, most, |f| problem.parallel(2).at_most(most, f));
    }

    #[test]
    fn all_small_problems() {
        let mut random = Random(5);
        let mut covers = 0;
        for (primary, secondary) in [(1, 1), (2, 0), (2, 1), (3, 0)] {
            for options in small(primary, secondary) {
                let rows: Vec<Row<'_>> = options.iter().map(|(mask, kinds)| (*mask, &kinds[..])).collect();
                let costs: Vec<i64> = rows.iter().map(|_| random.below(5) as i64 - 1).collect();
                let most = random.below(2) as u32;
                let bounds: Vec<_> = (0..primary).map(|_| (random.below(2) as u32, 1 + most)).collect();
                let problem = problem(primary, &bounds, &rows, &costs);
                let all = by_brute_force(&problem);
                check_together(&problem, &all);
                covers += all.len();
            }
        }
        assert!(covers > 5000, "{covers}");
    }

    #[test]
    fn random_problems_by_enumeration() {
        let mut random = Random(6);
        for round in 0..200 {
            let (primary, secondary) = (5 + random.below(5) as usize, random.below(3) as usize);
            let problem = random_problem(&mut random, primary, secondary, round % 3 == 0);
            let all = by_enumeration(&problem);
            if all.len() > 2000 {
                continue;
            }
            check_together(&problem, &all);
            if let Some(option) = problem.options().find(|option| option.index() == round % 12) {
                let best = problem.parallel(2).assume([option]).unwrap().min_cost();
                let with = all.iter().find(|(_, cover)| cover.contains(&option));
                assert_eq!(best.lower_bound, with.map(|(cost, _)| *cost), "{}", show(&problem));
            }
            for nodes in [1, 2, 3, 5, 8, 13, 21, 34, 80, 1000] {
                let limits = Limits::none().nodes(nodes);
                for k in [1, 4] {
                    check_bound(&problem, &all, nodes, &problem.parallel(3).limit(limits).cheapest(k));
                }
            }
        }
    }

    /// A problem whose covers are all as good as the others, so that they all must be visited.
    fn many_covers() -> Problem {
        let rows: Vec<Row<'_>> = (0..24).map(|at| (1 << (at / 3), &[][..])).collect();
        problem(8, &[], &rows, &[1; 24])
    }

    #[test]
    fn threads_share_a_search() {
        let mut by: HashSet<ThreadId> = HashSet::new();
        let mut covers = HashSet::new();
        let (outcome, statistics) = many_covers().parallel(3).at_most(8, |cover, _| {
            thread::sleep(Duration::from_micros(20)); // others take their parts meanwhile
            by.insert(thread::current().id());
            covers.insert(cover.sorted());
            ControlFlow::Continue(())
        });
        assert_eq!((outcome, statistics.solutions, covers.len()), (Outcome::Exhausted, 6561, 6561));
        assert!(by.len() > 1);
    }

    #[test]
    fn whoever_has_enough_stops_all() {
        let problem = many_covers();
        let mut count = 0;
        let mut visit = |_: Solution<'_>, _: i128| {
            count += 1;
            ControlFlow::Continue(())
        };
        let (outcome, statistics) =
            problem.parallel(3).limit(Limits::none().solutions(100)).at_most(8, &mut visit);
        assert_eq!(outcome, Outcome::Stopped(StopReason::Solutions));
        assert_eq!((statistics.solutions, count), (100, 100));
        let (outcome, statistics) = problem.parallel(3).at_most(8, |_, _| ControlFlow::Break(()));
        assert_eq!((outcome, statistics.solutions), (Outcome::Stopped(StopReason::Paused), 1));
        let token = CancelToken::new();
        let (outcome, _) = problem.parallel(3).cancel(&token).at_most(8, |_, _| {
            token.cancel();
            ControlFlow::Continue(())
        });
        assert_eq!(outcome, Outcome::Stopped(StopReason::Cancelled));
        let found = problem.parallel(3).limit(Limits::none().time(Duration::ZERO)).cheapest(7000);
        assert_eq!(found.outcome, Outcome::Stopped(StopReason::Time));
        assert!(found.lower_bound.is_some_and(|bound| bound <= 8));
    }

    #[test]
    fn a_panic_of_the_caller_ends_all_threads() {
        let ended = std::panic::catch_unwind(|| {
            let mut count = 0;
            many_covers().parallel(3).at_most(8, |_, _| {
                count += 1;
                assert!(count < 50, "enough");
                ControlFlow::Continue(())
            })
        });
        assert!(ended.is_err());
    }
}
