//! Against the links engine, on random problems; and all vectors against one another.
#![allow(clippy::unwrap_used)]

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::vector::{Joined, Vector};
use super::{Layout, Planes, Users, boxed};
use crate::engine::links::Links;
use crate::search::{Drive, Event, Search, Statistics};
use crate::{Color, EngineKind, Entry, ItemId, Limits, OptionId, Problem, ProblemBuilder, Step};

/// A small generator of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// Up to 8 primary and 4 secondary items in mixed order, up to 32 options, all kinds of oddities among them.
fn random_problem(random: &mut Random) -> Problem {
    let mut builder = ProblemBuilder::new();
    let (primaries, secondaries) = (random.below(9), random.below(3) * random.below(3));
    let mut primary = Vec::new();
    let mut secondary = Vec::new();
    while primary.len() < primaries || secondary.len() < secondaries {
        if secondary.len() < secondaries && (primary.len() == primaries || random.below(2) == 0) {
            secondary.extend(builder.unnamed_secondaries(1).unwrap());
        } else {
            primary.extend(builder.unnamed_primaries(1).unwrap());
        }
    }
    let colors: Vec<Color> = ["r", "g", "b"].iter().map(|name| builder.color(name).unwrap()).collect();
    let density = 1 + random.below(3);
    for _ in 0..random.below(33) {
        let mut entries: Vec<Entry> = Vec::new();
        for item in primary.iter().filter(|_| random.below(4) < density) {
            entries.push((*item).into());
        }
        for item in &secondary {
            if random.below(3) == 0 {
                entries.push((*item, colors.get(random.below(5)).copied()).into());
            }
        }
        for k in (1..entries.len()).rev() {
            entries.swap(k, random.below(k + 1));
        }
        builder.option(entries).unwrap();
    }
    builder.build().unwrap()
}

/// Every row has each value once, every column has each value once.
fn latin(size: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(3 * size * size).unwrap();
    let item = |kind, a, b| items[(kind * size + a) * size + b];
    for (row, column, value) in itertools::iproduct!(0..size, 0..size, 0..size) {
        builder.option([item(0, row, column), item(1, row, value), item(2, column, value)]).unwrap();
    }
    builder.build().unwrap()
}

/// The solutions in the order in which they come, each in the order in which it was chosen.
fn solutions(drive: &mut dyn Drive, assumed: &[OptionId]) -> Vec<Vec<OptionId>> {
    drive.reset();
    drive.assume(assumed);
    let mut solutions = Vec::new();
    while drive.run(u64::MAX, 1) == Event::Quota {
        solutions.push(drive.solution().to_vec());
    }
    assert_eq!(drive.statistics().solutions, solutions.len() as u64);
    solutions
}

fn sorted(mut solutions: Vec<Vec<OptionId>>) -> Vec<Vec<OptionId>> {
    solutions.iter_mut().for_each(|solution| solution.sort_unstable());
    solutions.sort_unstable();
    solutions
}

/// Options that agree with one another, chosen at random.
fn assumptions(problem: &Problem, random: &mut Random) -> Vec<OptionId> {
    let usable: Vec<OptionId> = problem.options().filter(|o| problem.has_primary_item(*o)).collect();
    let mut assumed: Vec<OptionId> = Vec::new();
    for _ in 0..random.below(3).min(usable.len()) {
        let option = usable[random.below(usable.len())];
        let clash = |a: Entry, b: Entry| a.item == b.item && (a.color.is_none() || a.color != b.color);
        let clashes = |other: &OptionId| {
            let (a, b) = (problem.option(option).entries(), problem.option(*other).entries());
            itertools::iproduct!(a, b).any(|(a, b)| clash(a, b))
        };
        if !assumed.iter().any(clashes) {
            assumed.push(option);
        }
    }
    assumed
}

#[test]
fn finds_what_links_find() {
    let random = &mut Random(1);
    let mut several = 0;
    for _ in 0..4000 {
        let problem = random_problem(random);
        let users = &Users::new(&problem);
        let mut links = Search::new(Links::<true>::new(&problem));
        let mut planes: [Box<dyn Drive>; 3] = [
            boxed::<[u64; 1], 32>(&problem, users),
            boxed::<[u64; 2], 32>(&problem, users),
            super::sized::<32>(&problem, users, super::Level::detect()),
        ];
        for round in 0..3 {
            let assumed = if round == 0 { Vec::new() } else { assumptions(&problem, random) };
            let expected = sorted(solutions(&mut links, &assumed));
            several += usize::from(expected.len() > 1);
            for planes in &mut planes {
                let found = solutions(&mut **planes, &assumed);
                assert!(found.iter().all(|solution| solution.starts_with(&assumed)));
                assert_eq!(
                    sorted(found),
                    expected,
                    "{problem:?} {:?}",
                    problem.options().map(|o| problem.option(o)).collect::<Vec<_>>()
                );
            }
        }
    }
    assert!(several > 2000, "{several}");
}

#[test]
fn clashing_assumptions_leave_nothing() {
    let random = &mut Random(2);
    let mut clashes = 0;
    for _ in 0..500 {
        let problem = random_problem(random);
        let usable: Vec<OptionId> = problem.options().filter(|o| problem.has_primary_item(*o)).collect();
        if usable.is_empty() {
            continue;
        }
        let assumed: Vec<OptionId> = (0..3).map(|_| usable[random.below(usable.len())]).collect();
        let counts = [EngineKind::Links, EngineKind::Planes].map(|kind| {
            let mut solver = problem.solver_on(kind).assume(assumed.iter().copied()).unwrap();
            (solver.owned().count(), solver.outcome())
        });
        assert_eq!(counts[0], counts[1]);
        clashes += usize::from(counts[0].0 == 0);
    }
    assert!(clashes > 100);
}

/// Solutions in order, and the figures, of one kind of vector.
fn trace<V: Vector, const S: usize>(problem: &Problem, limit: usize) -> (Vec<Vec<OptionId>>, Statistics) {
    let mut search = Search::new(Planes::<V, _, S>::new(
        problem,
        &Users::new(problem),
        &Layout::plain(problem),
        super::NoneAcross,
    ));
    let mut solutions = Vec::new();
    while solutions.len() < limit && search.run(u64::MAX, 1) == Event::Quota {
        solutions.push(search.solution().to_vec());
    }
    (solutions, search.statistics())
}

/// The same with items that are read across others.
fn trace_across<V: Joined, const S: usize>(
    problem: &Problem,
    limit: usize,
) -> (Vec<Vec<OptionId>>, Statistics) {
    let users = &Users::new(problem);
    let layout = Layout::across(problem, users, V::WORDS, S).unwrap();
    let mut search = super::boxed_across::<V, S>(problem, users, &layout);
    let mut solutions = Vec::new();
    while solutions.len() < limit && search.run(u64::MAX, 1) == Event::Quota {
        solutions.push(search.solution().to_vec());
    }
    (solutions, search.statistics())
}

/// A Latin square with some options less, and with secondary items, some colored: what is left of its grids is read across.
fn torn_latin(size: usize, random: &mut Random) -> Problem {
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(3 * size * size).unwrap();
    let others = builder.unnamed_secondaries(size).unwrap();
    let colors: Vec<Color> = ["r", "g"].iter().map(|name| builder.color(name).unwrap()).collect();
    let item = |kind, a, b| items[(kind * size + a) * size + b];
    let missing = random.below(size * size);
    let colored = random.below(2) == 0;
    for (row, column, value) in itertools::iproduct!(0..size, 0..size, 0..size) {
        if random.below(size * size * size) < missing {
            continue;
        }
        let mut entries: Vec<Entry> =
            [item(0, row, column), item(1, row, value), item(2, column, value)].map(Entry::from).to_vec();
        if colored && random.below(4) == 0 {
            entries.push((others[random.below(size)], colors.get(random.below(3)).copied()).into());
        }
        builder.option(entries).unwrap();
    }
    builder.build().unwrap()
}

fn finds_across_what_links_find<const S: usize>(rounds: usize, random: &mut Random) {
    let mut some = 0;
    for _ in 0..rounds {
        let problem = torn_latin(S, random);
        let users = &Users::new(&problem);
        let Some(layout) = Layout::across(&problem, users, 4, S) else {
            continue; // an item without any option
        };
        let mut links = Search::new(Links::<true>::new(&problem));
        let mut planes: [Box<dyn Drive>; 2] = [
            super::boxed_across::<[u64; 4], S>(&problem, users, &layout),
            super::across::<S>(&problem, users, super::Level::detect()).unwrap(),
        ];
        for round in 0..3 {
            let assumed = if round == 0 { Vec::new() } else { assumptions(&problem, random) };
            let expected = sorted(solutions(&mut links, &assumed));
            some += usize::from(!expected.is_empty());
            for planes in &mut planes {
                assert_eq!(sorted(solutions(&mut **planes, &assumed)), expected, "{problem:?}");
            }
        }
    }
    assert!(some > rounds / 4, "{some}");
}

#[test]
fn items_are_read_across_others() {
    let random = &mut Random(4);
    finds_across_what_links_find::<3>(2000, random);
    finds_across_what_links_find::<4>(300, random);
    let square = latin(9);
    let expected = trace_across::<[u64; 4], 9>(&square, 1000);
    assert_eq!(expected.0.len(), 1000);
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::*;

        use super::vector::{Level, Ternary};
        assert_eq!(trace_across::<[__m128i; 2], 9>(&square, 1000), expected);
        if Level::Avx2.available() {
            assert_eq!(trace_across::<[__m256i; 1], 9>(&square, 1000), expected);
        }
        if Level::Avx512.available() {
            assert_eq!(trace_across::<[Ternary; 1], 9>(&square, 1000), expected);
        }
    }
}

#[test]
fn only_whole_grids_are_read_across() {
    let is_across =
        |problem: &Problem, slots| Layout::across(problem, &Users::new(problem), 4, slots).is_some();
    assert!(is_across(&latin(9), 9));
    assert!(!is_across(&latin(9), 10)); // the strips would have room left
    assert!(!is_across(&latin(12), 12)); // too many strips
    let grid = |square_used_again: bool| {
        let mut builder = ProblemBuilder::new();
        let rows = builder.unnamed_primaries(4).unwrap();
        let columns = builder.unnamed_primaries(4).unwrap();
        for (&row, &column) in itertools::iproduct!(&rows, &columns) {
            builder.option([row, column]).unwrap();
        }
        if square_used_again {
            builder.option([rows[1], columns[2]]).unwrap();
        }
        builder.build().unwrap()
    };
    assert!(is_across(&grid(false), 4));
    assert!(!is_across(&grid(true), 4));
}

fn all_vectors_agree<const S: usize>(problem: &Problem) {
    let expected = trace::<[u64; 6], S>(problem, 1000);
    assert!(expected.0.len() > 1);
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::*;

        use super::vector::Level;
        assert_eq!(trace::<[__m128i; 3], S>(problem, 1000), expected);
        if Level::Avx2.available() {
            assert_eq!(trace::<[__m256i; 2], S>(problem, 1000), expected);
        }
        if Level::Avx512.available() {
            assert_eq!(trace::<[__m512i; 1], S>(problem, 1000), expected);
        }
    }
    assert_eq!(trace::<[u64; 9], S>(problem, 1000), expected);
}

#[test]
fn vectors_agree() {
    all_vectors_agree::<9>(&latin(9));
    all_vectors_agree::<16>(&latin(9));
    all_vectors_agree::<32>(&latin(11));
}

#[test]
fn latin_squares_are_counted() {
    for (size, count) in [(1, 1_u32), (2, 2), (3, 12), (4, 576), (5, 161_280)] {
        let mut solver = latin(size).solver_on(EngineKind::Planes);
        assert_eq!(solver.count().value, count.into());
    }
}

#[test]
fn pauses_and_goes_on() {
    let problem = latin(4);
    let mut whole = problem.solver_on(EngineKind::Planes);
    let expected: Vec<_> = whole.owned().collect();
    let mut solver = problem.solver_on(EngineKind::Planes);
    let mut found = Vec::new();
    loop {
        match solver.step(1) {
            Step::Solution(solution) => found.push(solution.sorted()),
            Step::Paused => (),
            Step::Done(outcome) => break assert!(outcome.is_exhausted()),
        }
    }
    assert_eq!(found, expected);
    assert_eq!(solver.statistics(), whole.statistics());
}

#[test]
fn begins_anew_from_anywhere() {
    let problem = latin(4);
    let mut solver = problem.solver_on(EngineKind::Planes);
    let first: Vec<_> = solver.owned().take(50).collect();
    let random = &mut Random(3);
    for _ in 0..200 {
        let option = OptionId::new(random.below(64) as u32).unwrap();
        solver.reassume([option, option]).unwrap();
        for _ in 0..random.below(20) {
            let _ = solver.step(1 + random.below(3) as u64);
        }
        solver.reset();
        assert!(solver.owned().take(50).eq(first.iter().cloned()));
        solver.reassume([option]).unwrap();
        assert_eq!(solver.count().value, (576 / 4_u32).into());
        assert!(solver.next_solution().is_none());
    }
}

#[test]
fn unsuited_problems_are_left_to_others() {
    let mut builder = ProblemBuilder::new();
    let a: ItemId = builder.primary("a").unwrap();
    for _ in 0..40 {
        builder.option([a]).unwrap();
    }
    let problem = builder.build().unwrap();
    assert!(super::search(&problem).is_none());
    let mut solver = problem.solver_on(EngineKind::Planes).limit(Limits::none().solutions(50));
    assert_eq!(solver.count().value, 40_u32.into());
}
