//! What every engine must do, as tests: find what the definition says, and leave no trace.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::Engine;
use super::bits::{self, Bits};
use super::links::{Bounded, Links};
use crate::frontier::Piece;
use crate::search::{Drive as _, Event, Search};
use crate::{Entry, ItemId, OptionId, OwnedSolution, Problem, ProblemBuilder, verify};

/// A sequence of numbers that is the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

pub(crate) fn random_problem(dice: &mut Dice, colored: bool) -> Problem {
    random_builder(dice, colored).build().unwrap()
}

/// The same with bounds on some items.
pub(crate) fn random_bounded_problem(dice: &mut Dice, colored: bool) -> Problem {
    let mut b = random_builder(dice, colored);
    for item in (0..5).filter_map(ItemId::new) {
        if b.is_primary(item) == Some(true) && dice.below(3) > 0 {
            let least = dice.below(3) as u32;
            b.set_bounds(item, least..=least + dice.below(3) as u32).unwrap();
        }
    }
    b.build().unwrap()
}

/// Either, with or without colors.
pub(crate) fn any_problem(dice: &mut Dice) -> Problem {
    let colored = dice.below(2) == 0;
    if dice.below(3) == 0 { random_bounded_problem(dice, colored) } else { random_problem(dice, colored) }
}

fn random_builder(dice: &mut Dice, colored: bool) -> ProblemBuilder {
    let mut b = ProblemBuilder::new();
    let mut items = b.unnamed_primaries(1 + dice.below(5)).unwrap();
    let primaries = items.len();
    items.extend(b.unnamed_secondaries(dice.below(4)).unwrap());
    let colors = ["x", "y"].map(|name| b.color(name).unwrap());
    for _ in 0..dice.below(10) {
        let mut entries: Vec<Entry> = Vec::new();
        for (at, &item) in items.iter().enumerate() {
            if dice.below(5) < 2 {
                let color = (colored && at >= primaries && dice.below(3) > 0).then(|| colors[dice.below(2)]);
                entries.push((item, color).into());
            }
        }
        b.option(entries).unwrap();
    }
    b
}

/// All solutions that contain the given options, by trying every set of options.
pub(crate) fn by_definition(problem: &Problem, assumed: &[OptionId]) -> BTreeSet<OwnedSolution> {
    let all: Vec<_> = problem.options().collect();
    (0u32..1 << all.len())
        .map(|set| all.iter().copied().filter(|o| set >> o.index() & 1 == 1).collect::<Vec<_>>())
        .filter(|set| assumed.iter().all(|o| set.contains(o)) && verify::check(problem, set).is_ok())
        .map(|set| OwnedSolution::new(&set))
        .collect()
}

/// Runs a search to its end, `fuel` nodes at a time.
fn exhaust<E: Engine + Send>(search: &mut Search<E>, fuel: u64) -> BTreeSet<OwnedSolution> {
    let mut found = BTreeSet::new();
    loop {
        match search.run(fuel, 1) {
            Event::Quota => assert!(found.insert(OwnedSolution::new(search.solution())), "found twice"),
            Event::Fuel => (),
            Event::Exhausted => return found,
        }
    }
}

fn check<E: Engine + Send>(
    problem: &Problem,
    dice: &mut Dice,
    make: fn(&Problem) -> E,
    state: fn(&E) -> Vec<u32>,
) {
    let mut search = Search::new(make(problem));
    let fresh = state(search.engine());
    assert_eq!(exhaust(&mut search, u64::MAX), by_definition(problem, &[]));
    assert_eq!(state(search.engine()), fresh, "a finished search leaves traces");

    let nodes = search.statistics().nodes;
    search.reset();
    search.run(dice.below(nodes as usize + 1) as u64, 1 + dice.below(3) as u64);
    search.reset();
    assert_eq!(state(search.engine()), fresh, "a reset search leaves traces");

    #[cfg(feature = "parallel")]
    check_parts(problem, dice, &mut search);
    assert_eq!(state(search.engine()), fresh, "parts leave traces");
    check_left(problem, dice, &mut search);
    assert_eq!(state(search.engine()), fresh, "looking at what is left leaves traces");

    let possible = |o: &OptionId| problem.option(*o).entries().all(|entry| problem.most(entry.item) > 0);
    let usable: Vec<_> =
        problem.options().filter(|o| problem.has_primary_item(*o)).filter(possible).collect();
    if usable.is_empty() {
        return;
    }
    let assumed = [usable[dice.below(usable.len())]];
    search.assume(&assumed);
    assert_eq!(exhaust(&mut search, 1), by_definition(problem, &assumed));
    search.reset();
    assert_eq!(state(search.engine()), fresh, "an assumption leaves traces");
    assert_eq!(exhaust(&mut search, 3), by_definition(problem, &[]));
    assert_eq!(search.statistics().nodes, nodes, "the same search has another size");
}

/// Gives parts away at any moment, and finds in what remains and in the parts all there is, once each.
#[cfg(feature = "parallel")]
fn check_parts<E: Engine + Send>(problem: &Problem, dice: &mut Dice, search: &mut Search<E>) {
    let mut found = BTreeSet::new();
    let mut take =
        |more: BTreeSet<_>| more.into_iter().for_each(|one| assert!(found.insert(one), "found twice"));
    let mut parts = Vec::new();
    loop {
        match search.run(1 + dice.below(20) as u64, 1) {
            Event::Quota => take([OwnedSolution::new(search.solution())].into()),
            Event::Fuel => (),
            Event::Exhausted => break,
        }
        if dice.below(4) == 0 {
            parts.extend(search.give());
        }
    }
    for part in parts {
        search_piece(problem, dice, search, part).into_iter().for_each(&mut take);
    }
    search.reset();
    assert_eq!(found, by_definition(problem, &[]), "of the parts");
}

/// Stops at any moment, and finds in what is left all that has not been found, once each.
fn check_left<E: Engine + Send>(problem: &Problem, dice: &mut Dice, search: &mut Search<E>) {
    let mut found = BTreeSet::new();
    let mut share = 1.0;
    let mut left = loop {
        let event = search.run(dice.below(4) as u64, 1);
        if event == Event::Quota {
            found.insert(OwnedSolution::new(search.solution()));
        }
        let (left, now) = (search.left(), search.share_left());
        assert!((left.share() - now).abs() < 1e-9, "{} and {now}", left.share());
        assert!((0.0..share + 1e-9).contains(&now), "{share} was left, and now {now}");
        share = now;
        assert!(event != Event::Exhausted || left.is_empty());
        if event == Event::Exhausted || dice.below(5) == 0 {
            break left;
        }
    };
    while let Some(piece) = left.pop() {
        for more in search_piece(problem, dice, search, piece).into_iter().flatten() {
            assert!(found.insert(more), "found twice");
        }
    }
    search.reset();
    assert_eq!(found, by_definition(problem, &[]), "with what was left");
}

/// What each option of a piece comes to.
fn search_piece<E: Engine + Send>(
    problem: &Problem,
    dice: &mut Dice,
    search: &mut Search<E>,
    piece: Piece,
) -> Vec<BTreeSet<OwnedSolution>> {
    search.reset();
    search.assume(&piece.before);
    let possible = |option: &OptionId| are_compatible(problem, &piece.before, *option);
    search.exclude(&mut piece.without.iter().copied().filter(possible));
    if piece.options.is_empty() {
        return [exhaust(search, 1 + dice.below(3) as u64)].into();
    }
    let mut turn_to = |option| {
        search.turn_to(piece.before.len(), option);
        exhaust(search, 1 + dice.below(3) as u64)
    };
    piece.options.into_iter().map(&mut turn_to).collect()
}

/// Whether an option may be chosen after others.
fn are_compatible(problem: &Problem, chosen: &[OptionId], option: OptionId) -> bool {
    problem.option(option).entries().all(|entry| {
        let others = chosen.iter().flat_map(|o| problem.option(*o).entries());
        let uses: Vec<Entry> = others.filter(|other| other.item == entry.item).collect();
        let agrees = entry.color.is_some() && uses.iter().all(|other| other.color == entry.color);
        agrees || uses.len() < problem.most(entry.item) as usize
    })
}

#[test]
fn bits_keep_the_contract() {
    let mut dice = Dice(2);
    for _ in 0..4000 {
        let colored = dice.below(2) == 1;
        let problem = random_problem(&mut dice, colored);
        check(&problem, &mut dice, Bits::new, |_| Vec::new()); // frames are dropped, not undone
    }
}

#[test]
fn links_keep_the_contract() {
    let mut dice = Dice(1);
    for _ in 0..4000 {
        let problem = random_problem(&mut dice, false);
        check(&problem, &mut dice, Links::<false>::new, Links::state);
        check(&problem, &mut dice, Links::<true>::new, Links::state);
        let problem = random_problem(&mut dice, true);
        check(&problem, &mut dice, Links::<true>::new, Links::state);
    }
}

#[test]
fn links_keep_the_contract_with_bounds() {
    let mut dice = Dice(3);
    for _ in 0..8000 {
        let problem = random_bounded_problem(&mut dice, false);
        check(&problem, &mut dice, Bounded::<false>::new, Bounded::state);
        check(&problem, &mut dice, Bounded::<true>::new, Bounded::state);
        let problem = random_bounded_problem(&mut dice, true);
        check(&problem, &mut dice, Bounded::<true>::new, Bounded::state);
    }
}

#[test]
fn bits_keep_the_contract_with_bounds() {
    let mut dice = Dice(4);
    for _ in 0..8000 {
        let colored = dice.below(2) == 1;
        let problem = random_bounded_problem(&mut dice, colored);
        check(&problem, &mut dice, bits::Bounded::new, |_| Vec::new());
    }
}
