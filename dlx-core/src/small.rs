//! Small problems for tests, and their solutions by brute force.

use alloc::vec;
use alloc::vec::Vec;

use itertools::iproduct;

use crate::{Entry, ItemId, OwnedSolution, Problem, ProblemBuilder, verify};

pub(crate) const ONCE: (u32, u32) = (1, 1);
pub(crate) const BOUNDS: [(u32, u32); 9] =
    [ONCE, (0, 0), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)];

/// An option as the primary items, as bits, and the kind of each secondary one: 0 absent, 1 uncolored, 2 and 3 colors.
pub(crate) type Row = (u32, Vec<usize>);

pub(crate) fn problem(bounds: &[(u32, u32)], options: &[&Row], costs: &[i64]) -> Problem {
    let mut b = ProblemBuilder::new();
    let primary = b.unnamed_primaries(bounds.len()).unwrap();
    for (&item, &(least, most)) in primary.iter().zip(bounds) {
        b.set_bounds(item, least..=most).unwrap();
    }
    let secondary = b.unnamed_secondaries(options.first().map_or(0, |(_, kinds)| kinds.len())).unwrap();
    let colors = [None, Some(b.color("red").unwrap()), Some(b.color("blue").unwrap())];
    for (at, (mask, kinds)) in options.iter().enumerate() {
        let of = |item: ItemId, color| Entry { item, color };
        let covered = primary.iter().filter(|item| mask >> item.index() & 1 == 1).map(|item| of(*item, None));
        let used = secondary.iter().zip(kinds).filter(|(_, kind)| **kind > 0);
        let option = b.option(covered.chain(used.map(|(item, kind)| of(*item, colors[kind - 1])))).unwrap();
        b.set_cost(option, costs.get(at).copied().unwrap_or(0)).unwrap();
    }
    b.build().unwrap()
}

pub(crate) fn rows(primary: u32, secondary: u32) -> Vec<Row> {
    let kinds = |number: usize| (0..secondary).map(|at| number >> (2 * at) & 3).collect();
    iproduct!(0..1 << primary, 0..1 << (2 * secondary)).map(|(mask, number)| (mask, kinds(number))).collect()
}

/// All ascending lists of `n` numbers below `end`, repeats included.
pub(crate) fn lists(n: usize, end: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |shorter, _| {
        let longer = |list: Vec<usize>| {
            (list.last().copied().unwrap_or(0)..end).map(move |next| [&list[..], &[next]].concat())
        };
        shorter.into_iter().flat_map(longer).collect()
    })
}

pub(crate) fn sorted<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.into_iter().collect();
    all.sort();
    all
}

/// Every set of options against the checker.
pub(crate) fn by_brute_force(problem: &Problem) -> Vec<OwnedSolution> {
    let set = |bits: u32| problem.options().filter(move |option| bits >> option.index() & 1 == 1);
    let sets = (0..1 << problem.option_count()).map(|bits| set(bits).collect::<Vec<_>>());
    sorted(sets.filter(|set| verify::check(problem, set).is_ok()).map(|set| OwnedSolution::new(&set)))
}
