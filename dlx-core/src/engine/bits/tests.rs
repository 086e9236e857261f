#![allow(clippy::unwrap_used)]
//! The engine against links, which shares nothing with it: the same solutions, whatever the instruction set and
//! wherever it lays problems out anew.

use alloc::vec::Vec;

use super::{Bits, Bounded, Cpu, Tuning};
use crate::engine::contract::{Dice, random_bounded_problem};
use crate::engine::links::{self, Links};
use crate::search::{Drive, Event, Search};
use crate::{Entry, OptionId, Problem, ProblemBuilder};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

fn random_problem(rng: &mut Rng) -> Problem {
    let (primaries, secondaries, colors) = (rng.below(9), rng.below(5), rng.below(4));
    let mut b = ProblemBuilder::new();
    // Declared in no order, so that the numbers of primary and secondary items are mixed.
    let mut items = Vec::new();
    for k in 0..primaries + secondaries {
        let primary = rng.below(primaries + secondaries - k)
            < primaries - items.iter().filter(|i: &&(_, bool)| i.1).count();
        let id = if primary { b.unnamed_primaries(1) } else { b.unnamed_secondaries(1) };
        items.push((id.unwrap()[0], primary));
    }
    let colors: Vec<_> =
        ["red", "green", "blue"][..colors].iter().map(|name| b.color(name).unwrap()).collect();
    let most = 1 + rng.below(4);
    for _ in 0..rng.below(60) {
        let mut entries: Vec<Entry> = Vec::new();
        for &(item, primary) in &items {
            if rng.below(items.len()) < most {
                let color = (!primary && !colors.is_empty() && rng.below(4) > 0)
                    .then(|| colors[rng.below(colors.len())]);
                entries.push((item, color).into());
            }
        }
        let copies = 1 + usize::from(rng.below(8) == 0);
        (0..copies).for_each(|_| {
            b.option(entries.clone()).unwrap();
        });
    }
    b.build().unwrap()
}

/// Dominoes on a board: many items, two for each option, and so small layouts of many widths.
fn dominoes(height: usize, width: usize) -> Problem {
    let mut b = ProblemBuilder::new();
    let cells = b.unnamed_primaries(height * width).unwrap();
    for (at, &cell) in cells.iter().enumerate() {
        if at % width + 1 < width {
            b.option([cell, cells[at + 1]]).unwrap();
        }
        if at + width < cells.len() {
            b.option([cell, cells[at + width]]).unwrap();
        }
    }
    b.build().unwrap()
}

/// All ways of cutting a row of cells into pieces, several alike: many options on few items.
fn cuts(cells: usize, alike: usize) -> Problem {
    let mut b = ProblemBuilder::new();
    let items = b.unnamed_primaries(cells).unwrap();
    for from in 0..cells {
        for to in from + 1..=cells {
            for _ in 0..alike {
                b.option(items[from..to].iter().copied()).unwrap();
            }
        }
    }
    b.build().unwrap()
}

fn solutions(search: &mut dyn Drive, fuel: u64) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    loop {
        match search.run(fuel, 1) {
            Event::Exhausted => break,
            Event::Fuel => (),
            Event::Quota => {
                let mut solution = search.solution().to_vec();
                solution.sort_unstable();
                found.push(solution);
            }
        }
    }
    found.sort_unstable();
    found
}

fn cpus() -> Vec<Cpu> {
    let best = Cpu::detect();
    Cpu::ALL.into_iter().filter(|cpu| *cpu <= best).collect()
}

fn tunings() -> [Tuning; 4] {
    [
        Tuning::default(),
        Tuning { patience: 0, ..Tuning::default() },
        Tuning { options: 0, ..Tuning::default() },
        Tuning { options: 8, items: 6, patience: 0 },
    ]
}

/// Options that can be assumed together.
fn some_assumptions(problem: &Problem, rng: &mut Rng) -> Vec<OptionId> {
    let mut assumed: Vec<OptionId> = Vec::new();
    let clash = |a: Entry, b: Entry| a.item == b.item && (a.color.is_none() || a.color != b.color);
    for option in problem.options().filter(|option| problem.has_primary_item(*option)) {
        let entries = || problem.option(option).entries();
        let agrees =
            |other: &OptionId| entries().all(|a| problem.option(*other).entries().all(|b| !clash(a, b)));
        if rng.below(10) == 0 && assumed.iter().all(agrees) {
            assumed.push(option);
        }
    }
    assumed
}

#[test]
fn random_problems_have_the_solutions_that_links_finds() {
    let mut rng = Rng(1);
    let mut total = 0;
    for round in 0..if cfg!(debug_assertions) { 600 } else { 6000 } {
        let problem = random_problem(&mut rng);
        let assumed = some_assumptions(&problem, &mut rng);
        let mut links = Search::new(Links::<true>::new(&problem));
        let expected = solutions(&mut links, u64::MAX);
        links.reset();
        links.assume(&assumed);
        let with_assumptions = solutions(&mut links, u64::MAX);
        total += expected.len();
        for cpu in cpus() {
            for (k, tuning) in tunings().into_iter().enumerate() {
                let what = (round, cpu, k);
                let mut search = Search::new(Bits::with(&problem, cpu, tuning));
                assert_eq!(solutions(&mut search, u64::MAX), expected, "{what:?} {problem:?}");
                search.reset();
                search.run(1 + rng.below(20) as u64, u64::MAX); // is given up in the middle
                search.reset();
                search.assume(&assumed);
                assert_eq!(solutions(&mut search, 1), with_assumptions, "{what:?} {problem:?} {assumed:?}");
                search.reset();
                assert_eq!(solutions(&mut search, 1 + rng.below(5) as u64), expected, "{what:?} {problem:?}");
            }
        }
    }
    assert!(total > 1000); // the problems are worth solving
}

#[test]
fn layouts_of_every_width_count_right() {
    for (problem, expected) in [
        (dominoes(4, 5), 95),             // OEIS A099390
        (dominoes(2, 60), 2504730781961), // a Fibonacci number
        (dominoes(6, 7), 31529),
        (dominoes(8, 12), u64::MAX), // cut off
        (cuts(9, 3), 3 * 4u64.pow(8)),
        (cuts(16, 1), 1 << 15),
        (cuts(40, 1), u64::MAX),
    ] {
        for cpu in cpus() {
            for tuning in tunings() {
                let mut search = Search::new(Bits::with(&problem, cpu, tuning));
                let quota = 40_000;
                let event = search.run(u64::MAX, quota);
                assert_eq!(
                    event,
                    if expected > quota { Event::Quota } else { Event::Exhausted },
                    "{problem:?}"
                );
                assert_eq!(search.statistics().solutions, expected.min(quota), "{problem:?}");
                search.reset();
            }
        }
    }
}

#[test]
fn random_problems_with_bounds_have_the_solutions_that_links_finds() {
    let (mut dice, mut total) = (Dice(7), 0);
    for round in 0..3000 {
        let problem = random_bounded_problem(&mut dice, round % 2 == 0);
        let expected = solutions(&mut Search::new(links::Bounded::<true>::new(&problem)), u64::MAX);
        total += expected.len();
        for cpu in cpus() {
            let mut search = Search::new(Bounded::on(&problem, cpu));
            assert_eq!(solutions(&mut search, 1), expected, "{cpu:?} {problem:?}");
        }
    }
    assert!(total > 1000); // the problems are worth solving
}

/// More options than are counted at a time.
#[test]
fn rows_cut_into_two_or_three_pieces() {
    let mut b = ProblemBuilder::new();
    let cells = b.unnamed_primaries(50).unwrap();
    let pieces = b.primary("pieces").unwrap();
    b.set_bounds(pieces, 2..=3).unwrap();
    for (from, to) in (0..50).flat_map(|from| (from + 1..=50).map(move |to| (from, to))) {
        b.option(cells[from..to].iter().copied().chain([pieces])).unwrap();
    }
    let problem = b.build().unwrap();
    for cpu in cpus() {
        let mut search = Search::new(Bounded::on(&problem, cpu));
        assert_eq!(search.run(u64::MAX, u64::MAX), Event::Exhausted);
        assert_eq!(search.statistics().solutions, 49 + 49 * 48 / 2);
    }
}
