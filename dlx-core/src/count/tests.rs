//! Counting by every method against plain enumeration and against known numbers.
#![allow(clippy::unwrap_used)]

use alloc::vec::Vec;

use super::plan::Layout;
use super::residual::Residual;
use super::sweep::{Counts, Status, sweep};
use super::{CountMethod, order};
use crate::{BigUint, CancelToken, Entry, Limits, OptionId, Outcome, Problem, ProblemBuilder, StopReason};

const METHODS: [CountMethod; 3] = [CountMethod::Auto, CountMethod::Enumerate, CountMethod::Memoize];

/// A random number generator (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}

/// Primary items that fall into the given number of groups that have nothing to do with one another, secondary items, colors,
/// options that are empty, repeated or without a primary item.
pub(crate) fn random_problem(random: &mut Random) -> Problem {
    let mut builder = ProblemBuilder::new();
    let (groups, colors) = (1 + random.below(3), random.below(4));
    let mut items: Vec<Vec<Entry>> = (0..groups).map(|_| Vec::new()).collect();
    for _ in 0..random.below(10) {
        let primary = random.below(4) > 0;
        let make =
            if primary { ProblemBuilder::unnamed_primaries } else { ProblemBuilder::unnamed_secondaries };
        items[random.below(groups)].push(make(&mut builder, 1).unwrap()[0].into());
    }
    let names = ["red", "green", "blue"];
    for _ in 0..random.below(24) {
        let group = &items[random.below(groups)];
        let mut entries: Vec<Entry> = group.iter().copied().filter(|_| random.below(3) == 0).collect();
        for entry in &mut entries {
            if builder.is_primary(entry.item) == Some(false) && random.below(3) < colors {
                entry.color = Some(builder.color(names[random.below(colors.min(3))]).unwrap());
            }
        }
        for _ in 0..=random.below(8) / 7 {
            builder.option(entries.iter().copied()).unwrap();
        }
    }
    builder.build().unwrap()
}

pub(crate) fn random_assumptions(random: &mut Random, problem: &Problem) -> Vec<OptionId> {
    let useful: Vec<OptionId> =
        problem.options().filter(|&option| problem.has_primary_item(option)).collect();
    match useful.len() {
        0 => Vec::new(),
        n => (0..random.below(3)).map(|_| useful[random.below(n)]).collect(),
    }
}

#[test]
fn every_method_counts_random_problems_alike() {
    let mut random = Random(1);
    let (mut colored, mut several) = (0, 0);
    for _ in 0..4000 {
        let problem = random_problem(&mut random);
        let assumed = random_assumptions(&mut random, &problem);
        let mut solver = problem.solver().assume(assumed.iter().copied()).unwrap();
        let expected = solver.owned().count();
        for method in METHODS {
            solver.reassume(assumed.iter().copied()).unwrap();
            let count = solver.count_by(method);
            assert_eq!(
                count.value,
                expected.into(),
                "{method:?} {assumed:?} {:?}",
                problem.options().map(|o| problem.option(o)).collect::<Vec<_>>()
            );
            assert_eq!(count.outcome, Outcome::Exhausted);
            assert_eq!(solver.statistics().solutions, expected as u64);
            assert!(solver.next_solution().is_none());
            assert_eq!(solver.count_by(method).value, BigUint::ZERO, "none are left");
        }
        colored += usize::from(problem.has_colors());
        several += usize::from(expected > 1);
    }
    assert!(colored > 500 && several > 500, "{colored} {several}");
}

#[test]
fn the_sweep_is_right_along_any_order_and_in_pieces() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let problem = random_problem(&mut random);
        let expected = problem.solver().owned().count();
        let residual = Residual::new(&problem, &[]);
        let mut shuffled: Vec<u32> = (0..residual.primaries as u32).collect();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, random.below(at + 1));
        }
        for order in [shuffled, order::frontier(&residual, 8).unwrap()] {
            let mut sweep = sweep(&residual, &Layout::new(&residual, &order), Counts::new()).unwrap();
            // More memory whenever it is full: nothing may be lost or counted twice.
            let mut memory = 0;
            loop {
                match sweep.run(1 + random.below(5) as u64, memory) {
                    Status::Paused => (),
                    Status::Full => memory += 100,
                    Status::Done => break,
                }
            }
            assert_eq!(sweep.kept().total(), expected.into());
        }
    }
}

#[test]
fn components_multiply() {
    let mut random = Random(3);
    let mut split = 0;
    for _ in 0..1000 {
        let problem = random_problem(&mut random);
        let parts = Residual::new(&problem, &[]).components();
        let product: usize =
            parts.iter().map(|part| part.to_problem().unwrap().solver().owned().count()).product();
        assert_eq!(product, problem.solver().owned().count());
        split += usize::from(parts.len() > 1);
    }
    assert!(split > 200, "{split}");
}

/// The cells of a board that is given by a test, and an option for every domino on it.
pub(crate) fn dominoes(size: usize, inside: impl Fn(usize, usize) -> bool) -> Problem {
    let mut builder = ProblemBuilder::new();
    let cells: Vec<Vec<_>> = (0..size)
        .map(|y| (0..size).map(|x| inside(x, y).then(|| builder.unnamed_primaries(1).unwrap()[0])).collect())
        .collect();
    for y in 0..size {
        for x in 0..size {
            for other in [cells[y].get(x + 1), cells.get(y + 1).map(|row| &row[x])] {
                if let (Some(cell), Some(&Some(other))) = (cells[y][x], other) {
                    builder.option([cell, other]).unwrap();
                }
            }
        }
    }
    builder.build().unwrap()
}

fn assert_counts(problem: &Problem, expected: &BigUint) {
    for method in [CountMethod::Auto, CountMethod::Memoize] {
        let count = problem.solver().count_by(method);
        assert_eq!((&count.value, count.outcome), (expected, Outcome::Exhausted), "{method:?}");
    }
}

#[test]
fn tilings_of_squares_with_dominoes() {
    // Temperley and Fisher, Kasteleyn; OEIS A004003.
    let expected = [
        "2",
        "36",
        "6728",
        "12988816",
        "258584046368",
        "53060477521960000",
        "112202208776036178000000",
        "2444888770250892795802079170816",
        "548943583215388338077567813208427340288",
    ];
    for (half, expected) in (1..).zip(expected) {
        assert_counts(&dominoes(2 * half, |_, _| true), &expected.parse().unwrap());
    }
    assert_counts(&dominoes(7, |_, _| true), &BigUint::ZERO);
}

#[test]
fn tilings_of_aztec_diamonds() {
    // Elkies, Kuperberg, Larsen, Propp: 2^(n(n+1)/2).
    for n in [1, 2, 5, 9, 12] {
        // The last one is quick only along an order that begins with all of one side.
        let inside = |x: usize, y: usize| {
            let far = |v: usize| (2 * v + 1).abs_diff(2 * n);
            far(x) + far(y) <= 2 * n
        };
        assert_counts(&dominoes(2 * n, inside), &(BigUint::from(1u32) << (n * (n + 1) / 2)));
    }
}

/// All sets of items of the given sizes as options.
pub(crate) fn sets(items: usize, wanted: impl Fn(u32) -> bool) -> Problem {
    let mut builder = ProblemBuilder::new();
    let all = builder.unnamed_primaries(items).unwrap();
    for set in (1u32..1 << items).filter(|set| wanted(set.count_ones())) {
        builder.option((0..items).filter(|at| set >> at & 1 == 1).map(|at| all[at])).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn matchings_and_partitions_of_sets() {
    assert_counts(&sets(16, |size| size == 2), &2_027_025u32.into()); // 15!!
    assert_counts(&sets(12, |_| true), &4_213_597u32.into()); // the 12th Bell number
}

#[test]
fn many_independent_choices() {
    for (items, options) in [(100, 2), (1000, 3), (64, 1)] {
        let mut builder = ProblemBuilder::new();
        for item in builder.unnamed_primaries(items).unwrap() {
            (0..options).try_for_each(|_| builder.option([item]).map(|_| ())).unwrap();
        }
        assert_counts(&builder.build().unwrap(), &BigUint::from(options as u32).pow(items as u32));
    }
}

#[test]
fn many_independent_boards() {
    // Seven boards of 6x6, declared in turns: 6728^7.
    let board = dominoes(6, |_, _| true);
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(7 * board.item_count()).unwrap();
    for option in board.options() {
        for copy in 0..7 {
            builder.option(board.option(option).entries().map(|e| items[7 * e.item.index() + copy])).unwrap();
        }
    }
    assert_counts(&builder.build().unwrap(), &BigUint::from(6728u32).pow(7));
}

#[test]
fn a_long_ring() {
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(3000).unwrap();
    (0..3000).try_for_each(|at| builder.option([items[at], items[(at + 1) % 3000]]).map(|_| ())).unwrap();
    let problem = builder.build().unwrap();
    assert_counts(&problem, &2u32.into());
    let residual = Residual::new(&problem, &[]);
    assert!(
        sweep(&residual, &Layout::new(&residual, &order::frontier(&residual, 8).unwrap()), Counts::new())
            .is_some(),
        "the greedy order has a small window"
    );
}

#[test]
fn little_memory_changes_nothing() {
    let problem = dominoes(6, |_, _| true);
    for bytes in [0, 1, 300, 3000, 30_000] {
        for method in METHODS {
            let count = problem.solver().limit(Limits::none().memory(bytes)).count_by(method);
            assert_eq!((count.value, count.outcome), (6728u32.into(), Outcome::Exhausted));
        }
    }
}

#[test]
fn limits_hold_and_counting_goes_on() {
    let problem = dominoes(8, |_, _| true);
    for method in METHODS {
        for nodes in [1, 2, 100, 1500, 5000] {
            let mut solver = problem.solver().limit(Limits::none().nodes(nodes));
            let count = solver.count_by(method);
            assert!(solver.statistics().nodes <= nodes);
            if count.outcome == Outcome::Exhausted {
                assert_eq!(count.value, 12_988_816u32.into());
                continue;
            }
            assert_eq!(count.outcome, Outcome::Stopped(StopReason::Nodes));
            let again = problem.solver().limit(Limits::none().nodes(nodes)).count_by(method);
            assert_eq!(again, count, "the same every time");
            let rest = solver.limit(Limits::none()).count_by(CountMethod::Memoize);
            assert_eq!((rest.value + count.value, rest.outcome), (12_988_816u32.into(), Outcome::Exhausted));
        }
        let some = problem.solver().limit(Limits::none().solutions(7)).count_by(method);
        assert_eq!((some.value, some.outcome), (7u32.into(), Outcome::Stopped(StopReason::Solutions)));
        let token = CancelToken::new();
        token.cancel();
        let none = problem.solver().cancel(&token).count_by(method);
        assert_eq!(none.outcome, Outcome::Stopped(StopReason::Cancelled));
    }
}

#[test]
fn solutions_reported_before_are_not_counted_again() {
    let problem = dominoes(6, |_, _| true);
    for method in METHODS {
        let mut solver = problem.solver();
        assert!(solver.owned().take(28).count() == 28);
        assert_eq!(solver.count_by(method).value, 6700u32.into());
    }
}

#[cfg(feature = "parallel")]
#[test]
fn threads_leave_to_one_what_one_does_better() {
    let count = dominoes(14, |_, _| true).parallel(2).count();
    assert_eq!(
        (count.value, count.outcome),
        ("112202208776036178000000".parse().unwrap(), Outcome::Exhausted)
    );
    // Queens, where the threads are better; OEIS A000170.
    let mut builder = ProblemBuilder::new();
    let lines = builder.unnamed_primaries(18).unwrap();
    let diagonals = builder.unnamed_secondaries(34).unwrap();
    for (y, x) in (0..9).flat_map(|y| (0..9).map(move |x| (y, x))) {
        builder.option([lines[y], lines[9 + x], diagonals[x + y], diagonals[17 + 8 + x - y]]).unwrap();
    }
    assert_eq!(builder.build().unwrap().parallel(2).count().value, 352u32.into());
}

#[cfg(feature = "std")]
#[test]
fn the_time_limit_holds() {
    let problem = dominoes(60, |_, _| true);
    for method in METHODS {
        let limits = Limits::none().time(core::time::Duration::from_millis(50)).memory(1 << 20);
        let begun = std::time::Instant::now();
        assert_eq!(
            problem.solver().limit(limits).count_by(method).outcome,
            Outcome::Stopped(StopReason::Time)
        );
        assert!(begun.elapsed().as_secs() < 10);
    }
}
