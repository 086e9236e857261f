//! Problems whose secondary items take colors, and graph colourings, which do with plain secondary items.

use itertools::{Itertools, iproduct};

use super::table;
use crate::{Entry, Instance, Known};

/// A color for each number: `0` to `9`, `a` to `z`, `A` to `Z`, then letters beyond ASCII.
///
/// # Panics
/// Beyond a million.
///
/// ```
/// use dlx_tests::generators::color_letter;
///
/// assert_eq!([0, 9, 10, 36, 61].map(color_letter), ['0', '9', 'a', 'A', 'Z']);
/// ```
#[must_use]
pub fn color_letter(number: usize) -> char {
    let mut letters = ('0'..='9').chain('a'..='z').chain('A'..='Z').chain('\u{100}'..);
    letters.nth(number).unwrap_or_default()
}

/// The edges of the Petersen graph: a ring 0 to 4, spokes to 5 to 9, and a star there.
#[must_use]
pub fn petersen_graph() -> Vec<(usize, usize)> {
    let around = |i: usize, step: usize| (i + step) % 5;
    (0..5).flat_map(|i| [(i, around(i, 1)), (i, i + 5), (5 + i, 5 + around(i, 2))]).collect()
}

/// Proper colourings of a graph with k colours: a vertex with a colour is an option, an edge with a colour a secondary
/// item, which only one end may take. The number of solutions is the graph's chromatic polynomial at k.
///
/// # Panics
/// Where an edge names a vertex that there is not.
///
/// ```
/// use dlx_tests::{brute, generators::{colorings, petersen_graph}};
///
/// assert_eq!(brute::search(&colorings(10, &petersen_graph(), 3)).len(), 120);
/// ```
#[must_use]
pub fn colorings(vertices: usize, edges: &[(usize, usize)], k: usize) -> Instance {
    let mut options: Vec<Vec<Entry>> =
        iproduct!(0..vertices, 0..k).map(|(vertex, _)| vec![(vertex, None)]).collect();
    for (edge, &(a, b)) in edges.iter().enumerate() {
        for (end, color) in iproduct!([a, b], 0..k) {
            options[end * k + color].push((vertices + edge * k + color, None));
        }
    }
    let edge_names = iproduct!(edges, 0..k).map(|((a, b), color)| format!("e{a}-{b}-{color}"));
    Instance {
        name: format!("{k}-colourings of {vertices} vertices, {} edges", edges.len()),
        primary: (0..vertices).map(|vertex| format!("v{vertex}")).collect(),
        secondary: edge_names.collect(),
        bounds: Vec::new(),
        options,
        known: None,
    }
}

/// Graceful labellings of a graph with m edges: different labels 0 to m on the vertices, so that the differences along
/// the edges are 1 to m, once each. Differences and edges are primary; a vertex takes its label as color, and a label
/// its vertex, so that no label serves twice.
///
/// ```
/// use dlx_tests::{brute, generators::graceful_labellings};
///
/// let path = [(0, 1), (1, 2), (2, 3)];
/// assert_eq!(brute::search(&graceful_labellings(4, &path)).len(), 4); // 0 3 1 2, 1 2 0 3 and their reversals
/// ```
#[must_use]
pub fn graceful_labellings(vertices: usize, edges: &[(usize, usize)]) -> Instance {
    let m = edges.len();
    let vertex = |v: usize, label: usize| (2 * m + v, Some(color_letter(label)));
    let label = |label: usize, v: usize| (2 * m + vertices + label, Some(color_letter(v)));
    let mut options: Vec<Vec<Entry>> = Vec::new();
    for (difference, (edge, &(a, b))) in iproduct!(1..=m, edges.iter().enumerate()) {
        for low in 0..=m - difference {
            let high = low + difference;
            for (x, y) in [(low, high), (high, low)] {
                options.push(vec![
                    (difference - 1, None),
                    (m + edge, None),
                    vertex(a, x),
                    vertex(b, y),
                    label(x, a),
                    label(y, b),
                ]);
            }
        }
    }
    let secondary = (0..vertices).map(|v| format!("v{v}")).chain((0..=m).map(|label| format!("L{label}")));
    Instance {
        name: format!("graceful labellings of {vertices} vertices, {m} edges"),
        primary: (1..=m).map(|d| format!("d{d}")).chain((0..m).map(|edge| format!("E{edge}"))).collect(),
        secondary: secondary.collect(),
        bounds: Vec::new(),
        options,
        known: None,
    }
}

/// Squares of n x n letters with a word of the list in every row and every column, all of them different. Rows and
/// columns are primary; a cell takes its letter as color; a word is a secondary item.
///
/// # Panics
/// Where the words are not all of one length.
///
/// ```
/// use dlx_tests::{brute, generators::word_squares};
///
/// let squares = word_squares(&["it", "no", "in", "to"]);
/// assert_eq!(brute::search(&squares).len(), 2); // it / no, and the same with rows for columns
/// ```
#[must_use]
pub fn word_squares(words: &[&str]) -> Instance {
    let n = words.first().map_or(0, |word| word.chars().count());
    let cells = n * n;
    let mut options = Vec::new();
    for (line, (place, word)) in iproduct!(0..2 * n, words.iter().enumerate()) {
        let cell = |i: usize| if line < n { line * n + i } else { i * n + line - n };
        let letters = word.chars().enumerate().map(|(i, letter)| (2 * n + cell(i), Some(letter)));
        let entries = letters.chain([(2 * n + cells + place, None)]);
        options.push([(line, None)].into_iter().chain(entries).collect());
    }
    assert!(words.iter().all(|word| word.chars().count() == n), "words of different lengths");
    let cell_names = iproduct!(0..n, 0..n).map(|(i, j)| format!("{i},{j}"));
    Instance {
        name: format!("word squares {n}x{n}, {} words", words.len()),
        primary: iproduct!(["across", "down"], 0..n).map(|(kind, i)| format!("{kind}{i}")).collect(),
        secondary: cell_names.chain(words.iter().map(|word| format!("word-{word}"))).collect(),
        bounds: Vec::new(),
        options,
        known: None,
    }
}

/// De Bruijn tori of zeros and ones: an R x S torus that shows each u x v pattern exactly once. Window positions and
/// patterns are primary, cells take 0 or 1 as color. There are none unless R * S = 2^(u * v); all R * S shifts of a
/// torus are solutions.
///
/// Source of the counts: with one row, 2^(2^(v - 1) - v) de Bruijn cycles (OEIS A016031) in 2^v shifts each; 4 x 4 with
/// windows 2 x 2, a look at each of the 2^16 tori.
///
/// # Panics
/// Where windows have more than 20 cells.
///
/// ```
/// use dlx_tests::{brute, generators::de_bruijn_tori};
///
/// assert_eq!(brute::search(&de_bruijn_tori((1, 8), (1, 3))).len(), 16); // 00010111, its reversal, and their shifts
/// assert_eq!(de_bruijn_tori((4, 4), (2, 2)).known.unwrap().count, 32);
/// ```
#[must_use]
pub fn de_bruijn_tori(torus: (usize, usize), window: (usize, usize)) -> Instance {
    let ((rows, columns), (u, v)) = (torus, window);
    assert!(u * v <= 20, "too large a window");
    let (cells, patterns) = (rows * columns, 1_usize << (u * v));
    let option = |(i, j, pattern): (usize, usize, usize)| {
        let bits = iproduct!(0..u, 0..v).enumerate().map(|(bit, (di, dj))| {
            let cell = (i + di) % rows * columns + (j + dj) % columns;
            (cells + patterns + cell, Some(color_letter(pattern >> bit & 1)))
        });
        [(i * columns + j, None), (cells + pattern, None)].into_iter().chain(bits).collect()
    };
    let known = match (torus, window) {
        ((4, 4), (2, 2)) => Some(Known { count: 32, source: "all 2^16 tori tried" }),
        ((1, columns), (1, v)) if columns == 1 << v => {
            table("OEIS A016031, in 2^v shifts", 1, &[2, 4, 16, 256, 65_536, 4_294_967_296], v)
        }
        _ => None,
    };
    let names =
        |kind: &'static str| iproduct!(0..rows, 0..columns).map(move |(i, j)| format!("{kind}{i},{j}"));
    Instance {
        name: format!("de Bruijn tori {rows}x{columns}, windows {u}x{v}"),
        primary: names("at").chain((0..patterns).map(|pattern| format!("w{pattern}"))).collect(),
        secondary: names("x").collect(),
        bounds: Vec::new(),
        options: iproduct!(0..rows, 0..columns, 0..patterns).map(option).collect(),
        known,
    }
}

/// Closed loops of pipe on a board: each cell is empty, a straight piece or a bend, pipes meet at every border between
/// two cells, and none leaves the board. Cells are primary; a border between two cells takes 1 (pipe) or 0 as color.
///
/// ```
/// use dlx_tests::{brute, generators::pipes};
///
/// assert_eq!(brute::search(&pipes(2, 2)).len(), 2); // nothing, or one loop
/// ```
#[must_use]
pub fn pipes(rows: usize, columns: usize) -> Instance {
    let cells = rows * columns;
    let horizontal = |i: usize, j: usize| (cells + i * columns + j, i == 0 || i == rows); // above cell i,j
    let vertical =
        |i: usize, j: usize| (cells + (rows + 1) * columns + i * (columns + 1) + j, j == 0 || j == columns);
    let mut options = Vec::new();
    for (i, j) in iproduct!(0..rows, 0..columns) {
        let borders = [horizontal(i, j), horizontal(i + 1, j), vertical(i, j), vertical(i, j + 1)];
        for ends in (0..4).powerset().filter(|ends| matches!(ends.len(), 0 | 2)) {
            if ends.iter().all(|&end| !borders[end].1) {
                let color = |side: usize| Some(if ends.contains(&side) { '1' } else { '0' });
                let entries = borders.iter().enumerate().map(|(side, border)| (border.0, color(side)));
                options.push([(i * columns + j, None)].into_iter().chain(entries).collect());
            }
        }
    }
    let names = |kind: &'static str, rows, columns| {
        iproduct!(0..rows, 0..columns).map(move |(i, j): (usize, usize)| format!("{kind}{i},{j}"))
    };
    Instance {
        name: format!("pipes {rows}x{columns}"),
        primary: names("p", rows, columns).collect(),
        secondary: names("h", rows + 1, columns).chain(names("v", rows, columns + 1)).collect(),
        bounds: Vec::new(),
        options,
        known: None,
    }
}
