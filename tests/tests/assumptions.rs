//! Assumed options: the solutions that contain them, no more and no less; clashes are no error, and errors change
//! nothing.

use dlx_core::{AssumeError, EngineKind, OptionId, Outcome, Solver};
use dlx_tests::generators::{self, QueenOrder, queens};
use dlx_tests::{brute, small};
use itertools::Itertools as _;

use crate::support::{engines, ids, places, rest};

/// `assumed` on a solver that was used before, and on one made for it if an engine is given: the solutions of `all` that
/// contain them.
fn assert_assumed(
    reused: &mut Solver,
    anew: Option<EngineKind>,
    assumed: &[usize],
    all: &[Vec<usize>],
    name: &str,
) {
    let contained = |solution: &&Vec<usize>| assumed.iter().all(|option| solution.contains(option));
    let expected: Vec<_> = all.iter().filter(contained).cloned().collect();
    reused.reassume(ids(assumed)).unwrap();
    assert_eq!(rest(reused), expected, "{name}, used before, assuming {assumed:?}");
    assert_eq!(reused.outcome(), Outcome::Exhausted);
    if let Some(engine) = anew {
        let mut solver = reused.problem().solver_on(engine).assume(ids(assumed)).unwrap();
        assert_eq!(rest(&mut solver), expected, "{name} assuming {assumed:?}");
        assert_eq!(reused.statistics(), solver.statistics(), "{name} assuming {assumed:?}");
    }
}

#[test]
fn all_sets_of_up_to_two_options_in_all_small_problems() {
    let engines_with_bounds = [EngineKind::Links, EngineKind::Bits];
    let with_bounds = small::bounded_problems().step_by(8).cartesian_product(engines_with_bounds);
    for (instance, engine) in small::problems().cartesian_product(engines()).chain(with_bounds) {
        let all = brute::all_subsets(&instance);
        let mut reused = instance.problem().unwrap().solver_on(engine);
        let usable: Vec<usize> = (0..instance.options.len()).filter(|&o| instance.has_primary(o)).collect();
        let name = format!("{} on {engine}", instance.name);
        for (&a, &b) in usable.iter().cartesian_product(&usable) {
            // Pairs in both orders; and one alone, where a pair would be twice the same, which is harmless.
            assert_assumed(&mut reused, (a < b).then_some(engine), &[a, b], &all, &name);
            if a == b {
                assert_assumed(&mut reused, Some(engine), &[a], &all, &name);
            }
        }
        reused.reset();
        assert_eq!(rest(&mut reused), all, "{} after all assumptions are dropped", instance.name);
    }
}

#[test]
fn options_without_a_primary_item_and_unknown_ones_are_refused() {
    for instance in small::problems().filter(|instance| instance.options.len() <= 2) {
        let problem = instance.problem().unwrap();
        let useless = (0..instance.options.len()).filter(|&option| !instance.has_primary(option));
        for option in problem.options().filter(|option| useless.clone().contains(&option.index())) {
            let refused = problem.solver().assume([option]);
            assert_eq!(refused.err(), Some(AssumeError::NoPrimaryItem { option }), "{}", instance.name);
        }
        let count = instance.options.len();
        let option = ids(&[count])[0];
        let refused = problem.solver().assume([option]);
        assert_eq!(refused.err(), Some(AssumeError::UnknownOption { option, count }), "{}", instance.name);
    }
}

#[test]
fn assumed_options_come_first_in_a_solution() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let assumed = ids(&[60, 0]); // r7 c4 and r0 c0
    let mut solver = problem.solver().assume(assumed.clone()).unwrap();
    let solution: Vec<OptionId> = solver.next_solution().unwrap().options().to_vec();
    assert_eq!(solution.len(), 8);
    assert_eq!(places(&solution[..2]), [0, 60]);
    assert!(!solution[2..].iter().any(|option| assumed.contains(option)));
}

#[test]
fn a_solution_assumed_as_a_whole_is_found_alone() {
    let instance = queens(6, QueenOrder::OrganPipe);
    let problem = instance.problem().unwrap();
    for solution in brute::search(&instance) {
        let mut solver = problem.solver().assume(ids(&solution)).unwrap();
        assert_eq!(rest(&mut solver), [solution]);
        assert_eq!(solver.outcome(), Outcome::Exhausted);
    }
}

#[test]
fn a_queen_in_the_corner_leaves_four_of_ninety_two() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let mut solver = problem.solver().assume(ids(&[0])).unwrap();
    assert_eq!(solver.count().value.to_string(), "4");
    solver.reassume(ids(&[0, 9])).unwrap(); // one diagonal: they clash
    assert_eq!(rest(&mut solver), [[0; 0]; 0]);
    assert_eq!(solver.outcome(), Outcome::Exhausted);
    solver.reassume([]).unwrap();
    assert_eq!(solver.count().value.to_string(), "92");
}

#[test]
fn assumptions_made_in_several_calls_add_up() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let one_call = rest(&mut problem.solver().assume(ids(&[0, 60])).unwrap());
    let two_calls = rest(&mut problem.solver().assume(ids(&[0])).unwrap().assume(ids(&[60])).unwrap());
    assert_eq!(one_call, two_calls);
    assert!(!one_call.is_empty());
}

#[test]
fn equal_assumptions_count_once_in_any_order() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    for engine in engines() {
        let once = rest(&mut problem.solver_on(engine).assume(ids(&[0, 60])).unwrap());
        let mut solver = problem.solver_on(engine).assume(ids(&[60, 0, 60, 60, 0])).unwrap();
        let first = solver.next_solution().unwrap().options().to_vec();
        assert_eq!((&first[..2], first.len()), (&ids(&[60, 0])[..], 8), "{engine}");
        solver.reassume(ids(&[60, 0, 60, 60, 0])).unwrap();
        assert_eq!(rest(&mut solver), once, "{engine}");
    }
}

#[test]
fn assumptions_may_change_half_way() {
    let instance = generators::pipes(3, 4);
    let problem = instance.problem().unwrap();
    let all = brute::search(&instance);
    for engine in engines() {
        let mut solver = problem.solver_on(engine);
        for option in 0..instance.options.len() {
            solver.reassume(ids(&[option])).unwrap();
            let expected = all.iter().filter(|solution| solution.contains(&option));
            assert_eq!(rest(&mut solver), expected.cloned().collect_vec(), "option {option} on {engine}");
            solver.reset();
            assert_eq!(solver.owned().take(option).count(), option.min(all.len())); // and leaves the rest
        }
    }
}

#[test]
fn refused_assumptions_leave_none() {
    let problem = queens(6, QueenOrder::Natural).problem().unwrap();
    let mut solver = problem.solver().assume(ids(&[1])).unwrap();
    assert!(solver.reassume(ids(&[4, 36])).is_err());
    assert_eq!(rest(&mut solver).len(), 4);
}
