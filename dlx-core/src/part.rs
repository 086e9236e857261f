//! Problems made of the items and options of another one.

use alloc::vec;

use crate::problem::Bounds;
use crate::{BuildError, Color, Entry, ItemId, OptionId, Problem, ProblemBuilder};

/// These items of a problem, with bounds of their own if they are primary, and these of its options without other items, each in
/// the order that is given. Colors keep their numbers.
pub(crate) fn part(
    problem: &Problem,
    items: impl Iterator<Item = (ItemId, Bounds)>,
    options: &[OptionId],
) -> Problem {
    // What was built once is not too large, and its names differ.
    #[allow(clippy::expect_used)]
    build(problem, items, options).expect("a part of a problem is one")
}

fn build(
    problem: &Problem,
    items: impl Iterator<Item = (ItemId, Bounds)>,
    options: &[OptionId],
) -> Result<Problem, BuildError> {
    let mut b = ProblemBuilder::new();
    let mut places = vec![None; problem.item_count()];
    for (item, bounds) in items {
        let place = match (problem.is_primary(item), problem.item_name(item)) {
            (true, Some(name)) => b.primary(name)?,
            (false, Some(name)) => b.secondary(name)?,
            (true, None) => b.unnamed_primaries(1)?[0],
            (false, None) => b.unnamed_secondaries(1)?[0],
        };
        if problem.is_primary(item) {
            b.set_bounds(place, bounds.least..=bounds.most)?;
        }
        places[item.index()] = Some(place);
    }
    for color in (0..problem.color_count() as u32).filter_map(Color::new) {
        b.color(problem.color_name(color))?;
    }
    for &option in options {
        let place = |Entry { item, color }| places[item.index()].map(|item| Entry { item, color });
        let new = b.option(problem.option(option).entries().filter_map(place))?;
        b.set_cost(new, problem.cost(option))?;
    }
    b.build()
}
