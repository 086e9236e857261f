//! Every small problem, exhaustively, against trying all sets of options.

use dlx_core::{EngineKind, Entry, Problem, ProblemBuilder, verify};
use dlx_tests::{Instance, brute, small};
use itertools::Itertools as _;

use crate::support::{assert_contract, ids, rest};

/// The problem with its secondary items declared first and no names: other ids, other ties, other columns.
fn secondary_first(instance: &Instance) -> Problem {
    let mut builder = ProblemBuilder::new();
    let secondary = builder.unnamed_secondaries(instance.secondary.len()).unwrap();
    let primary = builder.unnamed_primaries(instance.primary.len()).unwrap();
    let items = [primary, secondary].concat();
    for option in &instance.options {
        let entries = option.iter().map(|&(item, color)| {
            let color = color.map(|letter| builder.color(&letter.to_string()).unwrap());
            Entry { item: items[item], color }
        });
        let entries: Vec<Entry> = entries.collect();
        builder.option(entries).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn all_small_problems_in_every_way_to_ask() {
    for instance in small::problems() {
        let expected = brute::all_subsets(&instance);
        assert_contract(&instance.problem().unwrap(), &expected, &instance.name);
    }
}

/// A test of its own, so that both take half the time where there are two cores: they are the longest of all.
#[test]
fn all_small_problems_mirrored_in_every_way_to_ask() {
    for instance in small::problems() {
        let mirrored = small::mirrored(&instance);
        let expected = brute::all_subsets(&mirrored);
        assert_contract(&secondary_first(&mirrored), &expected, &mirrored.name);
    }
}

#[test]
fn small_problems_with_bounds() {
    for (at, instance) in small::bounded_problems().enumerate() {
        let expected = brute::all_subsets(&instance);
        let problem = instance.problem().unwrap();
        for engine in [EngineKind::Links, EngineKind::Bits] {
            assert_eq!(rest(&mut problem.solver_on(engine)), expected, "{instance} on {engine}");
        }
        if at % 32 == 0 {
            assert_contract(&problem, &expected, &instance.to_string());
            let mirrored = small::mirrored(&instance);
            assert_contract(
                &mirrored.problem().unwrap(),
                &brute::all_subsets(&mirrored),
                &mirrored.to_string(),
            );
        }
    }
}

#[test]
fn verify_knows_bounds() {
    for instance in small::bounded_problems().step_by(8) {
        let problem = instance.problem().unwrap();
        for set in (0..instance.options.len()).powerset() {
            let accepted = verify::check(&problem, &ids(&set)).is_ok();
            assert_eq!(accepted, brute::is_solution(&instance, &set), "{instance}: {set:?}");
        }
    }
}

#[test]
fn verify_accepts_the_solutions_of_all_small_problems_and_nothing_else() {
    for instance in small::problems() {
        let problem = instance.problem().unwrap();
        for set in (0..instance.options.len()).powerset() {
            let accepted = verify::check(&problem, &ids(&set)).is_ok();
            assert_eq!(accepted, brute::is_solution(&instance, &set), "{}: {set:?}", instance.name);
        }
    }
}

#[test]
fn the_two_reference_solvers_agree_on_all_small_problems() {
    for instance in small::problems().chain(small::bounded_problems()) {
        assert_eq!(brute::search(&instance), brute::all_subsets(&instance), "{}", instance.name);
    }
}
