//! Problems that say nothing and break much: forced choices by the thousand, endless rings, equal options, one option
//! over everything. Their counts are by argument.

use crate::{Entry, Instance, Known};

fn instance(
    name: String,
    items: usize,
    options: impl Iterator<Item = Vec<usize>>,
    count: Option<u128>,
) -> Instance {
    let entries = |items: Vec<usize>| -> Vec<Entry> { items.into_iter().map(|item| (item, None)).collect() };
    Instance {
        name,
        primary: (0..items).map(|item| format!("p{item}")).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: options.map(entries).collect(),
        known: count.map(|count| Known { count, source: "argument" }),
    }
}

/// n items, each with an option of its own: one solution, n forced choices deep.
///
/// ```
/// use dlx_tests::generators::identity;
///
/// assert_eq!(identity(2).to_string(), "p0 p1\np0\np1\n");
/// ```
#[must_use]
pub fn identity(n: usize) -> Instance {
    instance(format!("identity {n}"), n, (0..n).map(|item| vec![item]), Some(1))
}

/// n items in a ring, each two neighbours an option: two solutions where n is even, none where it is odd. At least 2
/// items; fewer give no option.
///
/// ```
/// use dlx_tests::{brute, generators::cycle};
///
/// assert_eq!(brute::search(&cycle(6)).len(), 2);
/// assert_eq!(brute::search(&cycle(7)).len(), 0);
/// ```
#[must_use]
pub fn cycle(n: usize) -> Instance {
    let pairs = (0..n).filter(|_| n >= 2).map(|item| vec![item, (item + 1) % n]);
    let count = (n >= 2).then_some(if n.is_multiple_of(2) { 2 } else { 0 });
    instance(format!("cycle {n}"), n, pairs, count)
}

/// n groups of three items with each two of them and all three as options: one solution, since two leave the third
/// alone; but a search branches at every level before it sees that.
///
/// ```
/// use dlx_tests::{brute, generators::triangles};
///
/// assert_eq!(brute::search(&triangles(3)), [[3, 7, 11]]);
/// ```
#[must_use]
pub fn triangles(n: usize) -> Instance {
    let group =
        |first: usize| [vec![0, 1], vec![1, 2], vec![2, 0], vec![0, 1, 2]].map(|items| moved(items, first));
    instance(format!("triangles {n}"), 3 * n, (0..n).flat_map(|k| group(3 * k)), Some(1))
}

fn moved(items: Vec<usize>, by: usize) -> Vec<usize> {
    items.into_iter().map(|item| item + by).collect()
}

/// n items, each with two equal options: 2^n solutions, since equal options are different choices.
///
/// ```
/// use dlx_tests::generators::choices;
///
/// assert_eq!(choices(100).known.unwrap().count, 1 << 100);
/// ```
#[must_use]
pub fn choices(n: usize) -> Instance {
    let count = u32::try_from(n).ok().and_then(|n| 1_u128.checked_shl(n));
    instance(format!("choices {n}"), n, (0..n).flat_map(|item| [vec![item], vec![item]]), count)
}

/// One item with n equal options: n solutions.
///
/// ```
/// use dlx_tests::generators::duplicates;
///
/// assert_eq!(duplicates(3).to_string(), "p0\np0\np0\np0\n");
/// ```
#[must_use]
pub fn duplicates(n: usize) -> Instance {
    instance(format!("duplicates {n}"), 1, (0..n).map(|_| vec![0]), Some(n as u128))
}

/// One option with all n items, then each item alone: two solutions. At least 1 item; none gives one empty option.
///
/// ```
/// use dlx_tests::{brute, generators::wide};
///
/// assert_eq!(brute::search(&wide(3)), [vec![0], vec![1, 2, 3]]);
/// ```
#[must_use]
pub fn wide(n: usize) -> Instance {
    let options = [(0..n).collect()].into_iter().chain((0..n).map(|item| vec![item]));
    instance(format!("wide {n}"), n, options, (n >= 1).then_some(2))
}
