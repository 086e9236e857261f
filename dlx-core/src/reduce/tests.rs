//! Reduced problems against all sets of options, on all small problems and on random ones; and against the checker.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use super::{Fate, Reduced};
use crate::engine::contract::Dice;
use crate::small::{BOUNDS, ONCE, Row, by_brute_force, lists, problem, rows, sorted};
use crate::{CancelToken, Limits, OptionId, Outcome, OwnedSolution, Problem, ProblemBuilder, StopReason};

/// Compares everything that can be asked of the reduced problem with all solutions. Returns how many options went.
fn check(problem: &Problem) -> usize {
    let all = by_brute_force(problem);
    let reduced = problem.reduce();
    assert!(reduced.is_complete());
    let found = sorted(reduced.solver().owned());
    assert_eq!(found, all, "{}\n{:?}", show(problem), reduced.0.fates);
    let count = reduced.solver().count();
    assert_eq!((count.value, count.outcome), (all.len().into(), Outcome::Exhausted), "{}", show(problem));
    for option in problem.options() {
        check_option(problem, &reduced, option, &all);
    }
    for (solution, costs) in reduced.problem().solver().owned().map(|cover| {
        let restored = reduced.restore(&cover);
        let forced = problem.total_cost(reduced.forced());
        (
            OwnedSolution::new(&restored),
            (problem.total_cost(&restored), forced + reduced.problem().total_cost(&cover)),
        )
    }) {
        assert!(all.contains(&solution), "{}", show(problem));
        assert_eq!(costs.0, costs.1, "{}", show(problem));
    }
    assert!(reduced.hopeless().is_none() || all.is_empty(), "{}", show(problem));
    problem.option_count() - reduced.problem().option_count()
}

/// What is said of an option, and what follows when it is assumed.
fn check_option(problem: &Problem, reduced: &Reduced, option: OptionId, all: &[OwnedSolution]) {
    let with: Vec<_> = all.iter().filter(|solution| solution.contains(&option)).cloned().collect();
    let swapped = |from: OptionId, to: OptionId| {
        let swap = |o: &OptionId| if *o == from { to } else { *o };
        let swapped = |solution: &OwnedSolution| solution.iter().map(swap).collect::<Vec<_>>();
        sorted(with.iter().map(|solution| OwnedSolution::new(&swapped(solution))))
    };
    match reduced.fate(option).unwrap() {
        Fate::Kept(place) => assert_eq!(reduced.0.kept[place.index()], option),
        Fate::Forced { .. } => {
            let kind = reduced.copies(option).unwrap_or(core::slice::from_ref(&option));
            let once = |solution: &OwnedSolution| kind.iter().filter(|o| solution.contains(o)).count() == 1;
            assert!(all.iter().all(once), "{}", show(problem));
        }
        Fate::NeverChosen | Fate::Useless { .. } | Fate::Excluded { .. } => {
            assert!(with.is_empty(), "{} {option}", show(problem));
        }
        Fate::Duplicate { of } => {
            assert!(of < option && reduced.copies(of).unwrap().contains(&option));
            assert_eq!(problem.cost(of), problem.cost(option));
            let theirs: Vec<_> = all.iter().filter(|solution| solution.contains(&of)).cloned().collect();
            assert_eq!(swapped(option, of), theirs, "{} {option}", show(problem));
        }
    }
    let solver = reduced.solver().assume([option]);
    if !problem.has_primary_item(option) {
        assert!(solver.is_err());
        return;
    }
    let found = sorted(solver.unwrap().owned());
    assert_eq!(found, with, "{} {option}", show(problem));
    let count = reduced.solver().assume([option]).unwrap().count();
    assert_eq!((count.value, count.outcome), (with.len().into(), Outcome::Exhausted));
}

fn show(problem: &Problem) -> String {
    let bounds: Vec<_> = problem.items().map(|item| problem.bounds(item)).collect();
    let options: Vec<_> = problem.options().map(|option| problem.option(option).to_string()).collect();
    format!("{bounds:?} {options:?}")
}

/// All problems with these items and up to so many options, in two orders each.
fn check_all(bounds: &[(u32, u32)], secondary: u32, most: usize) -> usize {
    let rows = rows(bounds.len() as u32, secondary);
    let mut removed = 0;
    for list in (0..=most).flat_map(|n| lists(n, rows.len())) {
        let options: Vec<_> = list.iter().map(|&at| &rows[at]).collect();
        removed += check(&problem(bounds, &options, &[]));
        let mirrored: Vec<_> = options.into_iter().rev().collect();
        removed += check(&problem(bounds, &mirrored, &[0, 1, 0, 1]));
    }
    removed
}

#[test]
fn all_small_problems() {
    assert!(check_all(&[ONCE; 2], 0, 5) > 0);
    assert!(check_all(&[ONCE; 3], 0, 5) > 0);
    assert!(check_all(&[ONCE; 4], 0, 3) > 0);
}

#[test]
fn all_small_problems_with_colors() {
    assert!(check_all(&[ONCE; 1], 1, 4) > 0);
    assert!(check_all(&[ONCE; 2], 1, 4) > 0);
    assert!(check_all(&[ONCE; 1], 2, 3) > 0);
    assert!(check_all(&[ONCE; 2], 2, 3) > 0);
}

#[test]
fn all_small_problems_with_bounds() {
    for first in BOUNDS {
        assert!(check_all(&[first], 1, 4) > 0);
        for second in BOUNDS {
            assert!(check_all(&[first, second], 0, 5) > 0);
            assert!(check_all(&[first, second], 1, 3) > 0);
        }
    }
}

#[test]
fn random_problems() {
    let mut dice = Dice(12);
    let mut random = |n| dice.below(n);
    let mut removed = 0;
    for number in 0..4000 {
        let (primary, secondary) = (2 + random(4), random(3));
        let bounded = number % 2 == 1;
        let bounds: Vec<_> =
            (0..primary).map(|_| if bounded && random(2) == 0 { BOUNDS[random(9)] } else { ONCE }).collect();
        let options: Vec<Row> = (0..4 + random(8))
            .map(|_| {
                let mask = random(1 << primary) & random(1 << primary);
                (mask as u32, (0..secondary).map(|_| random(6).saturating_sub(2)).collect())
            })
            .collect();
        let costs: Vec<_> = options.iter().map(|_| random(2) as i64).collect();
        removed += check(&problem(&bounds, &options.iter().collect::<Vec<_>>(), &costs));
    }
    assert!(removed > 4000);
}

#[test]
fn limits_leave_a_problem_with_the_same_solutions() {
    let mut dice = Dice(5);
    let mut random = |n| dice.below(n);
    let mut incomplete = 0;
    for number in 0..300 {
        let options: Vec<Row> =
            (0..10).map(|_| ((random(32) & random(32)) as u32, vec![random(6).saturating_sub(2)])).collect();
        let problem = problem(&[ONCE; 5], &options.iter().collect::<Vec<_>>(), &[]);
        let reduced = problem.reducer().updates(number % 60).run();
        incomplete += usize::from(!reduced.is_complete());
        assert_eq!(sorted(reduced.solver().owned()), by_brute_force(&problem));
    }
    assert!((10..300).contains(&incomplete));
    let token = CancelToken::new();
    token.cancel();
    let reduced = problem(&[ONCE], &[&(1, vec![]); 3], &[]).reducer().cancel(&token).run();
    assert_eq!((reduced.is_complete(), reduced.problem().option_count()), (false, 3));
}

/// Items that can be covered in 2 ways each, by duplicates.
fn doubled(items: usize) -> Problem {
    let mut b = ProblemBuilder::new();
    for pair in b.unnamed_primaries(2 * items).unwrap().chunks(2) {
        for option in [&pair[..1], &pair[..1], &pair[1..], &pair[1..], pair] {
            b.option(option.iter().copied()).unwrap();
        }
    }
    b.build().unwrap()
}

#[test]
fn counts_of_duplicates_are_not_visited_and_limits_hold() {
    let reduced = doubled(10).reduce();
    assert_eq!(reduced.problem().option_count(), 30);
    assert_eq!(reduced.solver().count().value, 5u64.pow(10).into());
    assert!(reduced.solver().limit(Limits::none()).count().outcome.is_exhausted());
    let mut some = reduced.solver().limit(Limits::none().solutions(70));
    assert_eq!(some.owned().count(), 70);
    assert_eq!(some.outcome(), Outcome::Stopped(StopReason::Solutions));
    let mut rest = some.limit(Limits::none());
    assert_eq!(rest.count().value, (5u64.pow(10) - 70).into());
    assert_eq!((rest.count().value, rest.next_solution()), (0u32.into(), None));
    let count = reduced.solver().limit(Limits::none().solutions(1000)).count();
    assert_eq!((count.value, count.outcome), (1000u32.into(), Outcome::Stopped(StopReason::Solutions)));
    let count = reduced.solver().limit(Limits::none().nodes(5)).count();
    assert_eq!(count.outcome, Outcome::Stopped(StopReason::Nodes));
}

#[test]
fn a_cancelled_search_stops_among_duplicates() {
    let mut b = ProblemBuilder::new();
    for item in b.unnamed_primaries(100).unwrap() {
        b.option([item]).unwrap();
        b.option([item]).unwrap();
    }
    let token = CancelToken::new();
    let reduced = b.build().unwrap().reduce();
    assert_eq!((reduced.forced().len(), reduced.problem().item_count()), (100, 0));
    assert_eq!(reduced.solver().count().value, (1u128 << 100).into());
    let mut solver = reduced.solver().cancel(&token);
    assert!(solver.next_solution().is_some());
    token.cancel();
    assert!(solver.next_solution().is_none());
    assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Cancelled));
}

#[test]
fn unknown_options_are_refused() {
    let reduced = doubled(1).reduce();
    assert_eq!(reduced.fate(OptionId::new(5).unwrap()), None);
    assert!(reduced.solver().assume(OptionId::new(5)).is_err());
}
