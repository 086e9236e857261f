//! Arrangements of numbers, subsets and pairs: Langford pairs, Latin squares, partitions, matchings, triple systems.

use itertools::{Itertools, iproduct};

use super::table;
use crate::{Entry, Instance};

/// Items as entries of an option.
fn plain<I: IntoIterator<Item = usize>>(items: I) -> Vec<Entry> {
    items.into_iter().map(|item| (item, None)).collect()
}

/// Langford pairs: 1, 1, 2, 2, .. n, n in a row, with k numbers between the two k's. Each arrangement and its reversal
/// are two solutions. Source of the counts: OEIS A014552, twice.
///
/// ```
/// use dlx_tests::generators::langford;
///
/// let seven = langford(7);
/// assert_eq!((seven.primary.len(), seven.options.len()), (21, 63));
/// assert_eq!(seven.known.unwrap().count, 52);
/// ```
#[must_use]
pub fn langford(n: usize) -> Instance {
    let numbers = (1..=n).map(|k| k.to_string());
    let places = (0..2 * n).map(|place| format!("s{place}"));
    let pairs = (1..=n).flat_map(|k| (0..(2 * n).saturating_sub(k + 1)).map(move |place| (k, place)));
    Instance {
        name: format!("langford {n}"),
        primary: numbers.chain(places).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: pairs.map(|(k, place)| plain([k - 1, n + place, n + place + k + 1])).collect(),
        known: table(
            "OEIS A014552, both directions",
            1,
            &[0, 0, 2, 2, 0, 0, 52, 300, 0, 0, 35_584, 216_288, 0, 0, 79_619_280, 653_443_600],
            n,
        ),
    }
}

/// Latin squares of order n: cells, rows with a number, columns with a number are primary. Source of the counts: OEIS
/// A002860.
///
/// ```
/// use dlx_tests::generators::latin_squares;
///
/// let five = latin_squares(5);
/// assert_eq!((five.primary.len(), five.options.len()), (75, 125));
/// assert_eq!(five.known.unwrap().count, 161_280);
/// ```
#[must_use]
pub fn latin_squares(n: usize) -> Instance {
    let names = iproduct!(["p", "r", "c"], 0..n, 0..n).map(|(kind, i, j)| format!("{kind}{i},{j}"));
    let (row, column) = (n * n, 2 * n * n);
    let option = |(i, j, k)| plain([i * n + j, row + i * n + k, column + j * n + k]);
    Instance {
        name: format!("latin squares {n}"),
        primary: names.collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: iproduct!(0..n, 0..n, 0..n).map(option).collect(),
        known: table("OEIS A002860", 1, &[1, 2, 12, 576, 161_280, 812_851_200], n),
    }
}

/// Partitions of a set of n items: every subset but the empty one is an option. Source of the counts: Bell numbers,
/// OEIS A000110.
///
/// ```
/// use dlx_tests::generators::set_partitions;
///
/// assert_eq!(set_partitions(11).options.len(), 2047);
/// assert_eq!(set_partitions(11).known.unwrap().count, 678_570);
/// ```
#[must_use]
pub fn set_partitions(n: usize) -> Instance {
    Instance {
        name: format!("set partitions {n}"),
        primary: (0..n).map(|item| format!("p{item}")).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: (0..n).powerset().skip(1).map(plain).collect(),
        known: table(
            "OEIS A000110",
            0,
            &[1, 1, 2, 5, 15, 52, 203, 877, 4140, 21_147, 115_975, 678_570, 4_213_597, 27_644_437],
            n,
        ),
    }
}

/// Perfect matchings of the complete graph of 2n vertices. Source of the counts: (2n - 1)!!, OEIS A001147.
///
/// ```
/// use dlx_tests::generators::perfect_matchings;
///
/// assert_eq!(perfect_matchings(8).known.unwrap().count, 2_027_025);
/// ```
#[must_use]
pub fn perfect_matchings(n: usize) -> Instance {
    Instance {
        name: format!("matchings K{}", 2 * n),
        primary: (0..2 * n).map(|vertex| format!("v{vertex}")).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: (0..2 * n).array_combinations().map(plain::<[usize; 2]>).collect(),
        known: table(
            "OEIS A001147",
            0,
            &[1, 1, 3, 15, 105, 945, 10_395, 135_135, 2_027_025, 34_459_425, 654_729_075],
            n,
        ),
    }
}

/// Steiner triple systems on v points, labelled: triples so that every pair of points is in exactly one. The counts are
/// by orbits: 7!/168 planes of order 2, 9!/432 affine planes of order 3.
///
/// ```
/// use dlx_tests::generators::steiner_triple_systems;
///
/// assert_eq!(steiner_triple_systems(7).known.unwrap().count, 30);
/// ```
#[must_use]
pub fn steiner_triple_systems(v: usize) -> Instance {
    let pairs: Vec<[usize; 2]> = (0..v).array_combinations().collect();
    // Pairs (0, 1), (0, 2) .. (0, v - 1), (1, 2) ..: before those of `a` come a rows of v - 1, v - 2, .. pairs.
    let item = |a: usize, b: usize| a * (2 * v - a - 1) / 2 + b - a - 1;
    let triples = (0..v).array_combinations();
    Instance {
        name: format!("Steiner triple systems {v}"),
        primary: pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: triples.map(|[a, b, c]| plain([item(a, b), item(a, c), item(b, c)])).collect(),
        known: match v {
            3 => table("the triple itself", 3, &[1], v),
            7 => table("7!/168", 7, &[30], v),
            9 => table("9!/432", 9, &[840], v),
            _ => None,
        },
    }
}
