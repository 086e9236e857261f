//! Problems that are very deep or very wide, solved on a small stack: the search does not recurse.

use std::thread;

use dlx_core::ProblemBuilder;
use dlx_core::format::knuth;
use dlx_tests::generators::{self, QueenOrder};

/// Enough for the frames of a few functions, not for a frame a level.
const STACK: usize = 64 * 1024;

fn count_on_a_small_stack(instance: &dlx_tests::Instance) -> String {
    let problem = instance.problem().unwrap();
    let search = move || {
        let mut solver = problem.solver();
        let count = solver.count();
        assert!(count.outcome.is_exhausted());
        solver.reset();
        let first = solver.next_solution().map(|solution| solution.options().len());
        drop(solver); // half way
        (count.value.to_string(), first)
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(search).unwrap();
    thread.join().unwrap().0
}

#[test]
fn ring_of_200_000_items() {
    assert_eq!(count_on_a_small_stack(&generators::cycle(200_000)), "2");
    assert_eq!(count_on_a_small_stack(&generators::cycle(200_001)), "0");
}

#[test]
fn identity_of_100_000_items() {
    assert_eq!(count_on_a_small_stack(&generators::identity(100_000)), "1");
}

#[test]
fn one_option_over_100_000_items() {
    assert_eq!(count_on_a_small_stack(&generators::wide(100_000)), "2");
}

#[test]
fn branching_at_each_of_500_levels() {
    assert_eq!(count_on_a_small_stack(&generators::triangles(500)), "1");
}

#[test]
fn a_million_equal_options() {
    assert_eq!(count_on_a_small_stack(&generators::duplicates(1_000_000)), "1000000");
}

/// Six queens beside many items with an option each and one item with many options: long lists and many items at once,
/// whose product does not fit in 32 bits.
#[test]
fn long_lists_among_many_items() {
    let queens = generators::queens(6, QueenOrder::Natural);
    let (many, before) = (40_000, queens.primary.len());
    let mut builder = ProblemBuilder::new();
    let items = builder.unnamed_primaries(before + many + 1).unwrap();
    let diagonals = builder.unnamed_secondaries(queens.secondary.len()).unwrap();
    for option in &queens.options {
        let item =
            |&(item, _): &(usize, _)| if item < before { items[item] } else { diagonals[item - before] };
        builder.option(option.iter().map(item)).unwrap();
    }
    for place in 0..many {
        builder.option([items[before + place]]).unwrap();
        builder.option([items[before + many]]).unwrap();
    }
    let count = builder.build().unwrap().solver().count();
    assert!(count.outcome.is_exhausted());
    assert_eq!(count.value.to_string(), (4 * many).to_string());
}

#[test]
fn a_deep_problem_from_text() {
    let text = generators::cycle(100_000).to_string();
    let search = move || knuth::parse(text.as_bytes()).unwrap().solver().count().value.to_string();
    let thread = thread::Builder::new().stack_size(STACK).spawn(search).unwrap();
    assert_eq!(thread.join().unwrap(), "2");
}
