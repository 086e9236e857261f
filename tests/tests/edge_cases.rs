//! The odd corners that other solvers get wrong, one by one and by name.

use std::ops::ControlFlow;

use dlx_core::format::knuth;
use dlx_core::{
    BuildError, EngineKind, ItemId, Limits, OptionId, Outcome, Problem, ProblemBuilder, SolutionStore,
    StopReason,
};
use dlx_tests::brute;
use dlx_tests::generators::{self, QueenOrder, queens};
use itertools::{Itertools as _, iproduct};

use crate::support::{assert_contract, engines, ids, places, rest};

/// A problem from item names and options in words, all without colors.
fn problem(primary: &str, secondary: &str, options: &[&str]) -> Problem {
    let mut builder = ProblemBuilder::new();
    for name in primary.split_whitespace() {
        builder.primary(name).unwrap();
    }
    for name in secondary.split_whitespace() {
        builder.secondary(name).unwrap();
    }
    for option in options {
        let items: Vec<_> = option.split_whitespace().map(|name| builder.item_named(name).unwrap()).collect();
        builder.option(items).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn no_items_at_all_has_the_empty_solution() {
    assert_contract(&ProblemBuilder::new().build().unwrap(), &[vec![]], "nothing");
}

#[test]
fn no_primary_items_has_the_empty_solution() {
    assert_contract(&problem("", "s t", &["s", "s t", ""]), &[vec![]], "secondary items only");
}

#[test]
fn primary_items_without_options_have_no_solution() {
    assert_contract(&problem("a b", "s", &[]), &[], "no options");
}

#[test]
fn an_item_that_no_option_contains_is_found_at_once() {
    assert_contract(&problem("a b z", "", &["a b", "a", "b"]), &[], "z is in no option");
    // 2^40 ways to cover the other items must not be walked through, wherever the lonely item is.
    let choices = generators::choices(40);
    for lonely in [0, 20, 40] {
        let mut builder = ProblemBuilder::new();
        let items = builder.unnamed_primaries(41).unwrap();
        let covered: Vec<_> = items.into_iter().enumerate().filter(|(at, _)| *at != lonely).collect();
        for option in &choices.options {
            builder.option(option.iter().map(|&(item, _)| covered[item].1)).unwrap();
        }
        let mut solver = builder.build().unwrap().solver();
        assert!(solver.next_solution().is_none());
        assert_eq!(solver.outcome(), Outcome::Exhausted);
        assert!(solver.statistics().nodes <= 2, "{:?}", solver.statistics());
    }
}

#[test]
fn an_item_without_options_behind_many_forced_ones() {
    let instance = generators::identity(1000);
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(1001).unwrap();
    for option in &instance.options {
        builder.option(option.iter().map(|&(item, _)| items[item])).unwrap();
    }
    assert_contract(&builder.build().unwrap(), &[], "the last item is in no option");
}

#[test]
fn options_without_a_primary_item_are_never_chosen_but_numbered() {
    let problem = problem("a", "s", &["s", "a s", "s", "a", ""]);
    assert_contract(&problem, &[vec![1], vec![3]], "secondary options between others");
    assert_eq!(problem.option_count(), 5);
}

#[test]
fn equal_options_are_different_choices() {
    assert_contract(
        &problem("a b", "", &["a b", "a b", "a", "a", "b"]),
        &[vec![0], vec![1], vec![2, 4], vec![3, 4]],
        "",
    );
}

#[test]
fn a_secondary_item_may_stay_uncovered() {
    assert_contract(&problem("a", "s t", &["a s"]), &[vec![0]], "t is in no option");
}

#[test]
fn secondary_items_may_be_declared_before_and_between_primary_ones() {
    let mut builder = ProblemBuilder::new();
    let s = builder.secondary("s").unwrap();
    let a = builder.primary("a").unwrap();
    let t = builder.secondary("t").unwrap();
    let b = builder.primary("b").unwrap();
    for option in [&[s, a][..], &[t, b], &[b, s], &[a, t], &[s, t]] {
        builder.option(option.iter().copied()).unwrap();
    }
    let problem = builder.build().unwrap();
    assert_contract(&problem, &[vec![0, 1], vec![2, 3]], "mixed declarations");
    let primary: Vec<bool> = problem.items().map(|item| problem.is_primary(item)).collect();
    assert_eq!(primary, [false, true, false, true]);
}

#[test]
fn items_may_be_declared_after_options() {
    let mut builder = ProblemBuilder::new();
    let a = builder.primary("a").unwrap();
    builder.option([a]).unwrap();
    let b = builder.primary("b").unwrap();
    builder.option([b, a]).unwrap();
    builder.option([b]).unwrap();
    assert_contract(&builder.build().unwrap(), &[vec![0, 2], vec![1]], "late declaration");
}

#[test]
fn an_option_that_names_an_item_twice_is_refused() {
    let mut builder = ProblemBuilder::new();
    let [a, b] = builder.primaries(["a", "b"]).unwrap();
    let s = builder.secondary("s").unwrap();
    let red = builder.color("red").unwrap();
    let option = OptionId::new(0).unwrap();
    let refused = builder.option([a, b, a]);
    assert_eq!(refused, Err(BuildError::RepeatedItem { option, item: a, name: "a".into() }));
    for second in [None, Some(red)] {
        let refused = builder.option([(a, None), (s, Some(red)), (s, second)]);
        assert_eq!(refused, Err(BuildError::RepeatedItem { option, item: s, name: "s".into() }));
    }
    // The builder is as it was: the same items do for an option now, which takes the id.
    assert_eq!(builder.option([a, b]), Ok(option));
    let problem = builder.build().unwrap();
    assert_eq!((problem.option_count(), problem.entry_count()), (1, 2));
    assert_contract(&problem, &[vec![0]], "after refusals");
}

#[test]
fn an_item_that_is_declared_twice_is_refused() {
    let mut builder = ProblemBuilder::new();
    builder.primary("a").unwrap();
    let twice = Err(BuildError::DuplicateItem { name: "a".into() });
    assert_eq!(builder.primary("a"), twice);
    assert_eq!(builder.secondary("a"), twice);
    assert_eq!(builder.build().unwrap().item_count(), 1);
}

#[test]
fn an_empty_name_is_refused() {
    let mut builder = ProblemBuilder::new();
    assert_eq!(builder.primary(""), Err(BuildError::EmptyName));
    assert_eq!(builder.secondary(""), Err(BuildError::EmptyName));
    assert_eq!(builder.color(""), Err(BuildError::EmptyName));
}

#[test]
fn a_color_on_a_primary_item_is_refused() {
    let mut builder = ProblemBuilder::new();
    let a = builder.primary("a").unwrap();
    let s = builder.secondary("s").unwrap();
    let red = builder.color("red").unwrap();
    let option = OptionId::new(0).unwrap();
    let refused = builder.option([(s, red), (a, red)]);
    assert_eq!(refused, Err(BuildError::ColorOnPrimary { option, item: a, name: "a".into() }));
    assert_eq!(builder.option([a]), Ok(option));
    let problem = builder.build().unwrap();
    assert_eq!(problem.option(option).to_string(), "a");
    assert_contract(&problem, &[vec![0]], "after a refusal");
}

#[test]
fn items_and_colors_of_another_builder_are_refused() {
    let mut large = ProblemBuilder::new();
    let [_, b] = large.primaries(["a", "b"]).unwrap();
    let red = large.color("red").unwrap();
    let mut small = ProblemBuilder::new();
    let s = small.secondary("s").unwrap();
    let option = OptionId::new(0).unwrap();
    assert_eq!(small.option([b]), Err(BuildError::UnknownItem { option, item: b }));
    assert_eq!(small.option([(s, red)]), Err(BuildError::UnknownColor { option, color: red }));
}

#[test]
fn the_same_color_name_is_the_same_color() {
    let mut builder = ProblemBuilder::new();
    let red = builder.color("red").unwrap();
    let rose = builder.color("rose").unwrap();
    assert_ne!(red, rose);
    assert_eq!(builder.color("red"), Ok(red));
    let problem = builder.build().unwrap();
    assert_eq!((problem.color_name(red), problem.color_name(rose)), ("red", "rose"));
}

#[test]
fn colors_are_told_apart_beyond_a_byte_and_two() {
    let mut builder = ProblemBuilder::new();
    let [a, b] = builder.primaries(["a", "b"]).unwrap();
    let s = builder.secondary("s").unwrap();
    let colors: Vec<_> = (0..70_000).map(|n| builder.color(&n.to_string()).unwrap()).collect();
    for (item, color) in iproduct!([a, b], [0, 1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999]) {
        builder.option([(item, None), (s, Some(colors[color]))]).unwrap();
    }
    let solutions: Vec<_> = (0..9).map(|color| vec![color, color + 9]).collect();
    assert_contract(&builder.build().unwrap(), &solutions, "nine of 70,000 colors");
}

#[test]
fn an_option_may_be_longer_than_a_byte_counts() {
    let instance = generators::wide(70_000);
    let solutions = rest(&mut instance.problem().unwrap().solver());
    assert_eq!(solutions.iter().map(Vec::len).collect_vec(), [1, 70_000]);
}

#[test]
fn names_and_spelling_are_kept() {
    let problem = problem("# $5 <x> (0,1) é 日", "\\ *", &["日 $5", "* é #", "(0,1) <x> \\"]);
    let spelled = problem.options().map(|option| problem.option(option).to_string()).collect_vec();
    assert_eq!(spelled, ["日 $5", "* é #", "(0,1) <x> \\"]);
    assert!(problem.items().all(|item| problem.item(problem.item_name(item).unwrap()) == Some(item)));
    assert_eq!(problem.item("no such"), None);
}

#[test]
fn asking_after_the_last_solution_stays_at_none() {
    let problem = queens(6, QueenOrder::Natural).problem().unwrap();
    let mut solver = problem.solver();
    assert_eq!(rest(&mut solver).len(), 4);
    let statistics = solver.statistics();
    for _ in 0..3 {
        assert!(solver.next_solution().is_none());
        assert!(solver.owned().next().is_none());
        assert_eq!(solver.for_each(|_| panic!("one more solution")), Outcome::Exhausted);
        let count = solver.count();
        assert_eq!((count.value.to_string(), count.outcome), ("0".into(), Outcome::Exhausted));
        assert!(matches!(solver.step(1000), dlx_core::Step::Done(Outcome::Exhausted)));
    }
    assert_eq!(solver.statistics(), statistics);
}

#[test]
fn the_ways_to_ask_may_take_turns() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let all = rest(&mut problem.solver());
    let mut solver = problem.solver();
    let mut found = vec![places(solver.next_solution().unwrap().options())];
    found.extend(solver.owned().take(10).map(|solution| places(&solution)));
    let outcome = solver.for_each(|solution| {
        found.push(places(solution.options()));
        if found.len() == 30 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(outcome, Outcome::Stopped(StopReason::Paused));
    loop {
        match solver.step(7) {
            dlx_core::Step::Solution(solution) => found.push(places(solution.options())),
            dlx_core::Step::Paused if found.len() >= 50 => break,
            dlx_core::Step::Paused => {}
            dlx_core::Step::Done(outcome) => panic!("{outcome:?} after {} solutions", found.len()),
        }
    }
    let count = solver.count();
    assert!(count.outcome.is_exhausted());
    assert_eq!(count.value.to_string(), (92 - found.len()).to_string());
    assert!(found.iter().all_unique() && found.iter().all(|solution| all.contains(solution)));
}

#[test]
fn a_solver_says_paused_before_it_is_asked() {
    let problem = generators::identity(3).problem().unwrap();
    let mut solver = problem.solver();
    assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Paused));
    assert_eq!(solver.statistics(), dlx_core::Statistics::default());
    assert!(solver.next_solution().is_some());
    assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Paused));
}

#[test]
fn reset_half_way_begins_anew() {
    let problem = queens(8, QueenOrder::OrganPipe).problem().unwrap();
    let all = rest(&mut problem.solver());
    let mut solver = problem.solver();
    for solutions in 0..=92 {
        for _ in 0..solutions {
            assert!(solver.next_solution().is_some());
        }
        solver.reset();
        assert_eq!(solver.outcome(), Outcome::Stopped(StopReason::Paused));
        assert_eq!(solver.statistics(), dlx_core::Statistics::default());
    }
    assert_eq!(rest(&mut solver), all);
}

#[test]
fn reset_at_every_node_begins_anew() {
    for instance in [generators::latin_squares(3), generators::pipes(3, 3), generators::langford(4)] {
        let problem = instance.problem().unwrap();
        for engine in engines() {
            let mut solver = problem.solver_on(engine);
            let all: Vec<_> = solver.owned().collect();
            let total = solver.statistics();
            for nodes in 1..total.nodes {
                solver.reset();
                solver = solver.limit(Limits::none().nodes(nodes));
                solver.owned().for_each(drop);
                solver.reset();
                solver = solver.limit(Limits::none());
                assert_eq!(solver.owned().collect::<Vec<_>>(), all, "{} on {engine}, {nodes}", instance.name);
                assert_eq!(solver.statistics(), total, "{} on {engine}, {nodes}", instance.name);
            }
        }
    }
}

#[test]
fn a_solver_may_be_dropped_half_way() {
    let instance = queens(8, QueenOrder::Natural);
    let problem = instance.problem().unwrap();
    for solutions in 0..5 {
        let mut solver = problem.solver();
        assert_eq!(solver.owned().take(solutions).count(), solutions);
        drop(solver);
    }
    assert_contract(&problem, &brute::search(&instance), "after dropped solvers");
}

#[test]
fn a_solver_outlives_the_problem_it_came_from() {
    let mut solver = queens(6, QueenOrder::Natural).problem().unwrap().solver();
    assert_eq!(rest(&mut solver).len(), 4);
    assert_eq!(solver.problem().option_count(), 36);
}

#[test]
fn a_store_keeps_every_solution() {
    let problem = queens(8, QueenOrder::Natural).problem().unwrap();
    let expected = rest(&mut problem.solver());
    let store = SolutionStore::new();
    assert!(store.is_empty());
    let mut solver = problem.solver();
    let mut kept = Vec::new();
    while let Some(solution) = solver.next_solution() {
        kept.push(store.push(solution.options()));
    }
    assert_eq!((store.len(), store.is_empty()), (92, false));
    assert!(kept.iter().all(|solution| solution.is_sorted()));
    assert_eq!(kept.iter().map(|solution| places(solution)).sorted().collect_vec(), expected);
    assert_eq!(store.into_options().len(), 92 * 8);
}

#[test]
fn a_store_keeps_the_empty_solution() {
    let store = SolutionStore::new();
    assert_eq!(store.push(&[]).len(), 0);
    assert_eq!(store.push(&ids(&[3, 1])), ids(&[1, 3]));
    assert_eq!(store.push(&[]).len(), 0);
    assert_eq!(store.len(), 3);
}

#[test]
fn bounds_that_make_no_sense_are_refused_and_change_nothing() {
    let mut builder = ProblemBuilder::new();
    let a = builder.primary("a").unwrap();
    let s = builder.secondary("s").unwrap();
    let unknown = ItemId::new(2).unwrap();
    builder.set_bounds(a, 2..=2).unwrap();
    let empty = BuildError::EmptyBounds { item: a, name: "a".into(), least: 3, most: 2 };
    #[allow(clippy::reversed_empty_ranges)]
    let refused = builder.set_bounds(a, 3..=2);
    assert_eq!(refused, Err(empty));
    let on_secondary = BuildError::BoundsOnSecondary { item: s, name: "s".into() };
    assert_eq!(builder.set_bounds(s, 1..=1), Err(on_secondary));
    assert_eq!(builder.set_bounds(unknown, 1..=1), Err(BuildError::BoundsOnUnknown { item: unknown }));
    let problem = builder.build().unwrap();
    assert_eq!((problem.bounds(a), problem.bounds(s)), (Some(2..=2), None));
}

#[test]
fn bounds_of_once_are_none() {
    let mut builder = ProblemBuilder::new();
    let a = builder.primary("a").unwrap();
    builder.set_bounds(a, 0..=2).unwrap();
    builder.set_bounds(a, 1..=1).unwrap();
    assert!(!builder.build().unwrap().has_bounds());
}

/// How many solutions a problem in Knuth's format has.
fn count(text: &str) -> String {
    let problem = knuth::parse(text.as_bytes()).unwrap();
    let count = problem.solver().count();
    assert!(count.outcome.is_exhausted());
    count.value.to_string()
}

#[test]
fn bounds_at_their_ends() {
    assert_eq!(count("0:1|a 0:3|b\n"), "1", "items that need not be covered, and are in no option");
    assert_eq!(count("0|a\na\na\n"), "1", "an item that must not be covered");
    assert_eq!(count("0|a b\na b\n"), "0");
    assert_eq!(count("0|a 0|b\na b\na\n"), "1");
    assert_eq!(count("4294967295|a\na\n"), "0", "more than there are options");
    assert_eq!(count("0:4294967295|a\na\na\na\n"), "8", "every set");
    assert_eq!(count("2:4294967295|a b\na\na b\na\n"), "3");
    assert_eq!(count("1:2|a 2|b\na b\na b\na b\n"), "3", "two of three equal options");
    assert_eq!(count("2|a | s\na s:x\na s:x\na s:y\na s\na\n"), "5", "that agree in color");
}

#[test]
fn assumptions_count_against_bounds() {
    let problem = knuth::parse(b"2|a 0|b 0:3|c\na c\na c\na\nb c\n").unwrap();
    for engine in EngineKind::ALL {
        let mut solver = problem.solver_on(engine);
        for (assumed, solutions) in
            [(vec![], 3), (vec![0], 2), (vec![0, 2], 1), (vec![0, 1, 2], 0), (vec![3], 0), (vec![1, 1], 2)]
        {
            solver.reassume(ids(&assumed)).unwrap();
            assert_eq!(rest(&mut solver).len(), solutions, "{assumed:?} on {engine}");
            assert_eq!(solver.outcome(), Outcome::Exhausted, "{assumed:?} on {engine}");
        }
    }
}
