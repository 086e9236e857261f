//! Diagrams against trying all sets of options, against plain enumeration, and against known numbers.
#![allow(clippy::unwrap_used)]

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use hashbrown::HashSet;

use super::build::Build;
use super::{BOTTOM, Zdd, ZddError};
use crate::count::Course;
use crate::count::tests::{Random, dominoes, random_assumptions, random_problem, sets};
use crate::small::{BOUNDS, lists};
use crate::{
    BigUint, CancelToken, EngineKind, Entry, Limits, OptionId, OwnedSolution, Problem, ProblemBuilder,
    StopReason, verify,
};

/// The diagram by visiting, or by sweeping, alone.
fn made_by(problem: &Problem, assumed: &[OptionId], sweep: bool) -> Zdd {
    let visitor = problem.solver().assume(assumed.iter().copied()).unwrap();
    let mut build = Build::new(visitor, Course::new(problem, assumed), 1 << 30);
    if sweep {
        build.list = None;
    } else {
        build.sweep = None;
    }
    build.run(assumed).unwrap()
}

/// That no hi is ⊥, no node is there twice or left over, and options are in order on all paths.
fn assert_reduced(zdd: &Zdd, order: &[OptionId]) {
    let place = |option: OptionId| order.iter().position(|&other| other == option).unwrap();
    assert_eq!(zdd.nodes.iter().collect::<HashSet<_>>().len(), zdd.nodes.len());
    let mut led_to: HashSet<u32> = [zdd.root].into();
    for (number, node) in (2..).zip(&zdd.nodes) {
        assert!(node.hi != BOTTOM && node.hi < number && node.lo < number);
        for next in [node.lo, node.hi] {
            assert!(zdd.node(next).is_none_or(|next| place(next.option) > place(node.option)));
            led_to.insert(next);
        }
    }
    assert!((2..).take(zdd.nodes.len()).all(|number| led_to.contains(&number)));
}

/// All that a diagram tells, against the solutions in ascending order.
fn assert_tells(zdd: &Zdd, problem: &Problem, expected: &[OwnedSolution]) {
    let mut all: Vec<_> = zdd.iter().collect();
    assert_eq!((zdd.count(), zdd.is_empty()), (all.len().into(), all.is_empty()));
    all.sort_unstable();
    assert_eq!(all, expected, "{:?}", problem.options().map(|o| problem.option(o)).collect::<Vec<_>>());
    let mut counts = vec![0u32; problem.option_count()];
    expected.iter().flat_map(|s| s.iter()).for_each(|option| counts[option.index()] += 1);
    assert!(zdd.counts_by_option().unwrap().into_iter().eq(counts.into_iter().map(BigUint::from)));
    assert_eq!(zdd.sampler(1).unwrap().take(3).count(), if expected.is_empty() { 0 } else { 3 });
    assert!(zdd.sampler(1).unwrap().take(3).all(|sample| expected.contains(&sample)));
    assert_cheapest(zdd, expected, |option| [3, -2, 0, 0, i64::MAX, i64::MIN][option.index() % 6]);
}

fn assert_cheapest(zdd: &Zdd, expected: &[OwnedSolution], cost: fn(OptionId) -> i64) {
    let sum = |solution: &OwnedSolution| solution.iter().map(|&o| i128::from(cost(o))).sum::<i128>();
    let mut sums: Vec<_> = expected.iter().map(sum).collect();
    sums.sort_unstable();
    let found: Vec<_> = zdd.cheapest(cost).collect();
    assert!(found.iter().map(|(sum, _)| *sum).eq(sums));
    assert!(found.iter().all(|(total, solution)| *total == sum(solution)));
    let different: HashSet<_> = found.iter().map(|(_, solution)| solution.clone()).collect();
    assert!(
        different.len() == expected.len() && expected.iter().all(|solution| different.contains(solution))
    );
    assert!(zdd.cheapest(cost).take(3).eq(found.into_iter().take(3)), "the same every time");
}

/// The solutions among all sets of options.
fn by_trying(problem: &Problem) -> Vec<OwnedSolution> {
    let options: Vec<_> = problem.options().collect();
    let set =
        |bits: u32| options.iter().copied().filter(move |o| bits >> o.index() & 1 == 1).collect::<Vec<_>>();
    let all = (0..1 << options.len()).map(set).filter(|set| verify::check(problem, set).is_ok());
    let mut all: Vec<_> = all.map(|set| OwnedSolution::new(&set)).collect();
    all.sort_unstable();
    all
}

/// The problem whose options are numbers, of which each primary item takes a binary digit (there or not), and each secondary one
/// two (absent, uncolored, or one of two colors).
fn numbered(primary: usize, secondary: usize, options: &[usize]) -> Problem {
    let mut builder = ProblemBuilder::new();
    let primary = builder.unnamed_primaries(primary).unwrap();
    let secondary = builder.unnamed_secondaries(secondary).unwrap();
    let colors = ["a", "b"].map(|name| builder.color(name).unwrap());
    for number in options {
        let there = primary.iter().enumerate().filter(|(at, _)| number >> at & 1 == 1);
        let mut entries: Vec<Entry> = there.map(|(_, &item)| item.into()).collect();
        for (at, &item) in secondary.iter().enumerate() {
            match number >> (primary.len() + 2 * at) & 3 {
                0 => (),
                1 => entries.push(item.into()),
                color => entries.push((item, colors[color - 2]).into()),
            }
        }
        builder.option(entries).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn all_small_problems() {
    let mut solved = 0;
    for (primary, secondary, most) in
        [(0, 0, 2), (0, 1, 2), (1, 1, 4), (2, 0, 4), (2, 1, 4), (3, 0, 4), (3, 1, 3), (2, 2, 3)]
    {
        let alphabet = 1 << (primary + 2 * secondary);
        let mut options: Vec<usize> = Vec::new(); // ascending
        loop {
            let problem = numbered(primary, secondary, &options);
            let expected = by_trying(&problem);
            solved += usize::from(!expected.is_empty());
            let order = Course::new(&problem, &[]).order;
            for sweep in [false, true] {
                let zdd = made_by(&problem, &[], sweep);
                assert_tells(&zdd, &problem, &expected);
                assert_reduced(&zdd, &order);
                assert!(by_trying_contains(&zdd, &problem, &expected));
            }
            // The next list.
            if options.len() < most {
                options.push(options.last().copied().unwrap_or(0));
                continue;
            }
            while options.last() == Some(&(alphabet - 1)) {
                options.pop();
            }
            match options.last_mut() {
                Some(last) => *last += 1,
                None => break,
            }
        }
    }
    assert!(solved > 5000, "{solved}");
}

/// Whether the diagram contains these solutions and no other set of options.
fn by_trying_contains(zdd: &Zdd, problem: &Problem, expected: &[OwnedSolution]) -> bool {
    let mut options: Vec<_> = problem.options().collect();
    options.reverse(); // any order will do
    (0..1 << options.len()).all(|bits: u32| {
        let set: Vec<_> = options.iter().copied().filter(|o| bits >> o.index() & 1 == 1).collect();
        zdd.contains(&set) == expected.contains(&OwnedSolution::new(&set))
    })
}

/// The diagram against enumeration, and as visiting and sweeping make it. How many solutions there are.
fn assert_made_both_ways(problem: &Problem, assumed: &[OptionId]) -> usize {
    let mut solver = problem.solver().assume(assumed.iter().copied()).unwrap();
    let mut expected: Vec<_> = solver.owned().collect();
    expected.sort_unstable();
    let zdd = solver.zdd().unwrap();
    assert_tells(&zdd, problem, &expected);
    if !expected.is_empty() {
        // Assumptions that contradict one another are seen by visiting.
        let mut unique = assumed.to_vec();
        unique.sort_unstable();
        unique.dedup();
        let order = Course::new(problem, &unique).order;
        for sweep in [false, true] {
            let same = made_by(problem, &unique, sweep);
            assert_tells(&same, problem, &expected);
            assert_reduced(&same, &order);
            assert_eq!(same.node_count(), zdd.node_count());
        }
    }
    expected.len()
}

#[test]
fn random_problems_with_assumptions() {
    let mut random = Random(1);
    let (mut colored, mut several) = (0, 0);
    for _ in 0..3000 {
        let problem = random_problem(&mut random);
        let assumed = random_assumptions(&mut random, &problem);
        let solutions = assert_made_both_ways(&problem, &assumed);
        colored += usize::from(problem.has_colors());
        several += usize::from(solutions > 1);
    }
    assert!(colored > 500 && several > 500, "{colored} {several}");
}

/// Dominoes with a secondary item in every cell of the middle column: two dominoes beside each other there agree on a color.
fn colored_dominoes() -> Problem {
    let board = dominoes(6, |_, _| true);
    let mut builder = ProblemBuilder::new();
    let cells = builder.unnamed_primaries(36).unwrap();
    let corners = builder.unnamed_secondaries(6).unwrap();
    let colors = ["red", "green"].map(|name| builder.color(name).unwrap());
    for option in board.options() {
        let entries: Vec<Entry> =
            board.option(option).entries().map(|e| cells[e.item.index()].into()).collect();
        let first = board.option(option).entries().next().unwrap().item.index();
        match first % 6 {
            2 | 3 => {
                for color in colors {
                    let entry = Entry::from((corners[first / 6], color));
                    builder.option(entries.iter().copied().chain([entry])).unwrap();
                }
            }
            _ => drop(builder.option(entries).unwrap()),
        }
    }
    builder.build().unwrap()
}

#[test]
fn visiting_and_sweeping_lead_to_the_same_diagram() {
    for problem in
        [dominoes(6, |_, _| true), sets(10, |size| size == 2), sets(8, |_| true), colored_dominoes()]
    {
        let order = Course::new(&problem, &[]).order;
        let [visited, swept] = [false, true].map(|sweep| made_by(&problem, &[], sweep));
        let mut expected: Vec<_> = problem.solver().owned().collect();
        expected.sort_unstable();
        for zdd in [&visited, &swept] {
            assert_reduced(zdd, &order);
            assert_eq!(zdd.count(), expected.len().into());
            assert_eq!(zdd.counts_by_option(), visited.counts_by_option());
            assert!(zdd.iter().eq(visited.iter()));
            assert!(zdd.sampler(5).unwrap().take(100).eq(visited.sampler(5).unwrap().take(100)));
        }
        assert_cheapest(&swept, &expected, |option| (option.index() * 7919 % 100) as i64);
    }
}

/// Pearson's statistic of so many samples, over the solutions.
fn chi_squared(zdd: &Zdd, seed: u64, samples: usize) -> f64 {
    let mut times: BTreeMap<OwnedSolution, u32> = zdd.iter().map(|solution| (solution, 0)).collect();
    for sample in zdd.sampler(seed).unwrap().take(samples) {
        *times.get_mut(&sample).unwrap() += 1;
    }
    let expected = samples as f64 / times.len() as f64;
    let off = |&n: &u32| f64::from(n) - expected;
    times.values().map(|n| off(n) * off(n) / expected).sum()
}

#[test]
fn samples_are_uniform() {
    let mut random = Random(11);
    let mut problems = vec![dominoes(4, |_, _| true), sets(5, |_| true)];
    while problems.len() < 12 {
        let problem = random_problem(&mut random);
        let several = (10..100).contains(&problem.solver().owned().count());
        if several && (problems.len() % 2 == 0 || problem.has_colors()) {
            problems.push(problem);
        }
    }
    for problem in problems {
        let zdd = problem.solver().zdd().unwrap();
        let free = zdd.iter().count() as f64 - 1.0;
        for seed in 0..5 {
            // The mean is `free` and the variance twice that: five standard deviations.
            let off = chi_squared(&zdd, seed, 5000) - free;
            assert!(off * off < 25.0 * 2.0 * free, "{off} {free}");
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_samples() {
    let zdd = dominoes(8, |_, _| true).solver().zdd().unwrap();
    let drawn: Vec<_> = zdd.sampler(2).unwrap().take(2).map(|s| s[..6].to_vec()).collect();
    let numbers: Vec<Vec<usize>> = drawn.iter().map(|s| s.iter().map(|o| o.index()).collect()).collect();
    assert_eq!(numbers, [[0, 4, 8, 12, 15, 19], [0, 4, 8, 13, 14, 16]], "on every machine");
}

#[test]
fn tilings_of_squares_with_dominoes() {
    // OEIS A004003.
    for (size, count) in
        [(2, "2"), (8, "12988816"), (12, "53060477521960000"), (16, "2444888770250892795802079170816")]
    {
        let problem = dominoes(size, |_, _| true);
        let zdd = problem.solver().zdd().unwrap();
        assert_eq!(zdd.count(), count.parse().unwrap());
        for sample in zdd.sampler(3).unwrap().take(20) {
            verify::check(&problem, &sample).unwrap();
            assert!(zdd.contains(&sample));
        }
        // Every tiling has so many dominoes.
        let together: BigUint = zdd.counts_by_option().unwrap().into_iter().sum();
        assert_eq!(together, zdd.count() * (size * size / 2));
        for (_, solution) in zdd.cheapest(|option| -(option.index() as i64)).take(5) {
            verify::check(&problem, &solution).unwrap();
        }
        assert_eq!(
            zdd.iter().take(100).filter(|s| verify::check(&problem, s).is_ok()).count(),
            if size == 2 { 2 } else { 100 }
        );
    }
    assert!(dominoes(7, |_, _| true).solver().zdd().unwrap().is_empty());
}

#[test]
fn little_memory_is_an_error_and_nothing_else() {
    let problem = dominoes(8, |_, _| true);
    let needed = (10..).map(|bits| 1usize << bits);
    let mut failed = 0;
    for limit in [0, 1].into_iter().chain(needed) {
        match problem.solver().limit(Limits::none().memory(limit)).zdd() {
            Ok(zdd) => {
                assert_eq!(zdd.count(), 12_988_816u32.into());
                break;
            }
            Err(error) => assert_eq!(error, ZddError::Memory { limit }),
        }
        failed += 1;
    }
    assert!((5..20).contains(&failed), "{failed}");
}

#[test]
fn few_solutions_fit_where_many_states_do_not() {
    // A board without two opposite corners has no tiling.
    let (problem, limit) = (dominoes(6, |x, y| x + y > 0 && x + y < 10), 2000);
    assert!(problem.solver().limit(Limits::none().memory(limit)).zdd().unwrap().is_empty());
    let mut build = Build::new(problem.solver(), Course::new(&problem, &[]), limit);
    build.list = None;
    assert_eq!(build.run(&[]).err(), Some(ZddError::Memory { limit }));
}

#[test]
fn numbers_that_do_not_fit_are_an_error() {
    let mut builder = ProblemBuilder::new();
    for item in builder.unnamed_primaries(20_000).unwrap() {
        (0..2).for_each(|_| _ = builder.option([item]).unwrap());
    }
    let solver = builder.build().unwrap().solver().limit(Limits::none().memory(10 << 20));
    let zdd = solver.zdd().unwrap();
    assert_eq!(zdd.count(), BigUint::from(1u32) << 20_000);
    let full = ZddError::Memory { limit: 10 << 20 };
    assert_eq!((zdd.sampler(1).err(), zdd.counts_by_option().err()), (Some(full), Some(full)));
    assert_eq!(zdd.iter().next().unwrap().len(), 20_000);
    assert_eq!(zdd.cheapest(|option| option.index() as i64 % 2).nth(1).unwrap().0, 1);
}

#[test]
fn depth_is_no_matter() {
    let n = 200_000;
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(n).unwrap();
    (0..n).for_each(|at| _ = builder.option([items[at], items[(at + 1) % n]]).unwrap());
    let ring = builder.build().unwrap();
    for sweep in [false, true] {
        let zdd = made_by(&ring, &[], sweep);
        assert_eq!((zdd.count(), zdd.node_count()), (2u32.into(), n));
        assert!(zdd.iter().all(|solution| zdd.contains(&solution)));
        assert!(zdd.sampler(1).unwrap().take(4).all(|sample| sample.len() == n / 2));
        assert_eq!(zdd.cheapest(|option| option.index() as i64 & 1).next().unwrap().0, 0);
    }
}

#[test]
fn other_limits_hold() {
    let problem = dominoes(16, |_, _| true);
    for nodes in [1, 100, 50_000] {
        let error = problem.solver().limit(Limits::none().nodes(nodes)).zdd().err();
        assert_eq!(error, Some(ZddError::Stopped(StopReason::Nodes)));
    }
    let token = CancelToken::new();
    token.cancel();
    assert_eq!(problem.solver().cancel(&token).zdd().err(), Some(ZddError::Stopped(StopReason::Cancelled)));
    let zdd = dominoes(4, |_, _| true).solver().limit(Limits::none().solutions(3)).zdd().unwrap();
    assert_eq!(zdd.count(), 36u32.into(), "a limit on solutions is of no concern");
    #[cfg(feature = "std")]
    {
        let limits = Limits::none().time(core::time::Duration::from_millis(20)).memory(8 << 30);
        let error = dominoes(40, |_, _| true).solver().limit(limits).zdd().err();
        assert_eq!(error, Some(ZddError::Stopped(StopReason::Time)));
    }
}

#[test]
fn contradictory_assumptions_leave_nothing_on_any_engine() {
    let problem = sets(6, |size| size == 2);
    for kind in EngineKind::ALL {
        for other in problem.options().skip(1) {
            let assumed = [problem.options().next().unwrap(), other];
            let mut solver = problem.solver_on(kind).assume(assumed).unwrap();
            let zdd = solver.zdd().unwrap();
            assert_eq!(zdd.count(), solver.owned().count().into(), "{kind} {other}");
            assert!(zdd.iter().all(|solution| assumed.iter().all(|option| solution.contains(option))));
        }
    }
}

/// The same problem with these bounds.
fn bounded(problem: &Problem, bounds: &[(u32, u32)]) -> Problem {
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> = problem
        .items()
        .map(|item| match problem.is_primary(item) {
            true => builder.unnamed_primaries(1).unwrap()[0],
            false => builder.unnamed_secondaries(1).unwrap()[0],
        })
        .collect();
    let primary = problem.items().filter(|item| problem.is_primary(*item));
    for (item, &(least, most)) in primary.map(|item| items[item.index()]).zip(bounds) {
        builder.set_bounds(item, least..=most).unwrap();
    }
    for option in problem.options() {
        let entries = problem.option(option).entries().collect::<Vec<_>>();
        let entries = entries.iter().map(|entry| match entry.color {
            Some(color) => (items[entry.item.index()], builder.color(&format!("{color}")).unwrap()).into(),
            None => items[entry.item.index()].into(),
        });
        let entries: Vec<Entry> = entries.collect();
        builder.option(entries).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn all_small_problems_with_bounds() {
    let mut solved = 0;
    for (primary, secondary, most) in [(1, 0, 4), (1, 1, 3), (2, 0, 4), (2, 1, 2)] {
        for list in (0..=most).flat_map(|n| lists(n, 1 << (primary + 2 * secondary))) {
            let once = numbered(primary, secondary, &list);
            for number in 0..BOUNDS.len().pow(primary as u32) {
                let bounds = [BOUNDS[number % BOUNDS.len()], BOUNDS[number / BOUNDS.len() % BOUNDS.len()]];
                let problem = bounded(&once, &bounds[..primary]);
                let expected = by_trying(&problem);
                solved += usize::from(!expected.is_empty());
                let order = Course::new(&problem, &[]).order;
                for sweep in [false, true] {
                    let zdd = made_by(&problem, &[], sweep);
                    assert_tells(&zdd, &problem, &expected);
                    assert_reduced(&zdd, &order);
                }
            }
        }
    }
    assert!(solved > 5000, "{solved}");
}

#[test]
fn random_problems_with_bounds_and_assumptions() {
    let mut random = Random(21);
    let (mut several, mut assumptions) = (0, 0);
    for _ in 0..1500 {
        let problem = random_problem(&mut random);
        let mut range = || (random.below(3) as u32, random.below(3) as u32);
        let bounds = (0..problem.primary_count()).map(|_| range());
        let bounds: Vec<_> = bounds.map(|(least, more)| (least.min(least + more), least + more)).collect();
        let problem = bounded(&problem, &bounds);
        let assumed = random_assumptions(&mut random, &problem);
        let solutions = assert_made_both_ways(&problem, &assumed);
        assumptions += usize::from(solutions > 0 && !assumed.is_empty());
        several += usize::from(solutions > 1);
    }
    assert!(several > 200 && assumptions > 100, "{several} {assumptions}");
}

/// Sets of so many of 60 options: a binomial coefficient of them, of which no search visits all.
#[test]
fn bounds_without_a_visit_to_every_solution() {
    let mut builder = ProblemBuilder::new();
    let item = builder.unnamed_primaries(1).unwrap()[0];
    builder.set_bounds(item, 20..=20).unwrap();
    (0..60).for_each(|_| _ = builder.option([item]).unwrap());
    let zdd = builder.build().unwrap().solver().zdd().unwrap();
    assert_eq!(zdd.count(), "4191844505805495".parse().unwrap()); // 60 over 20
    assert_eq!(zdd.node_count(), 20 * 41);
    assert!(zdd.sampler(1).unwrap().take(9).all(|sample| sample.len() == 20));
}
