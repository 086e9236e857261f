//! The families of the generators: their published counts, and counts by other means where nobody has published one.

use dlx_core::Problem;
use dlx_tests::generators::{self, QueenOrder, color_letter};
use dlx_tests::{Instance, brute};
use itertools::{Itertools as _, iproduct};

use crate::support::{assert_contract, rest};

fn count(problem: &Problem) -> String {
    let count = problem.solver().count();
    assert!(count.outcome.is_exhausted());
    count.value.to_string()
}

/// The engine's count is the known one; and the solutions are those of the plain search where they are few.
fn assert_known(instance: &Instance) {
    let known = instance.known.unwrap_or_else(|| panic!("{}: no count known", instance.name));
    let problem = instance.problem().unwrap();
    assert_eq!(count(&problem), known.count.to_string(), "{} ({})", instance.name, known.source);
}

fn assert_as_plain(instance: &Instance) {
    let expected = brute::search(instance);
    if let Some(known) = instance.known {
        assert_eq!(known.count, expected.len() as u128, "{} ({})", instance.name, known.source);
    }
    assert_contract(&instance.problem().unwrap(), &expected, &instance.name);
}

/// Words with two squares and their mirror images: fan, ego, dew and sip, ore, wet.
const WORDS: [&str; 12] =
    ["age", "dew", "ego", "fan", "fed", "ire", "now", "ore", "pet", "sip", "sow", "wet"];

#[test]
fn published_counts_of_queens() {
    for (n, order) in iproduct!(0..=10, [QueenOrder::Natural, QueenOrder::OrganPipe]) {
        assert_known(&generators::queens(n, order));
    }
    assert_known(&generators::queens(12, QueenOrder::OrganPipe));
}

#[test]
fn published_counts_of_pentominoes() {
    for (rows, columns) in [(3, 20), (20, 3), (4, 15)] {
        assert_known(&generators::pentominoes_in_rectangle(rows, columns));
    }
    assert_known(&generators::pentominoes_on_chessboard());
}

#[test]
fn published_counts_of_designs() {
    (1..=11).map(generators::langford).for_each(|instance| assert_known(&instance));
    (1..=5).map(generators::latin_squares).for_each(|instance| assert_known(&instance));
    (0..=9).map(generators::set_partitions).for_each(|instance| assert_known(&instance));
    (0..=7).map(generators::perfect_matchings).for_each(|instance| assert_known(&instance));
    [3, 7, 9].map(generators::steiner_triple_systems).iter().for_each(assert_known);
}

#[test]
fn published_counts_of_tilings() {
    [0, 2, 4, 6].map(|n| generators::domino_tilings(n, n)).iter().for_each(assert_known);
    [3, 6, 9, 12].map(|n| generators::l_tromino_tilings(2, n)).iter().for_each(assert_known);
    assert_eq!(count(&generators::l_tromino_tilings(6, 6).problem().unwrap()), "162");
}

#[test]
fn published_counts_of_de_bruijn_tori() {
    (1..=4)
        .map(|v| generators::de_bruijn_tori((1, 1 << v), (1, v)))
        .for_each(|instance| assert_known(&instance));
    let square = generators::de_bruijn_tori((4, 4), (2, 2));
    assert_known(&square);
    // By another way: all colorings of the torus.
    let cell = |torus: u32, i: usize, j: usize| torus >> (i % 4 * 4 + j % 4) & 1;
    let window = |torus, i: usize, j: usize| {
        iproduct!(0..2, 0..2).map(|(k, l)| cell(torus, i + k, j + l)).collect::<Vec<_>>()
    };
    let is_de_bruijn = |&torus: &u32| iproduct!(0..4, 0..4).map(|(i, j)| window(torus, i, j)).all_unique();
    assert_eq!((0..1 << 16).filter(is_de_bruijn).count() as u128, square.known.unwrap().count);
}

#[test]
fn degenerate_families() {
    [1, 2, 257, 5000].map(generators::identity).iter().for_each(assert_known);
    [2, 3, 4, 5, 1000, 1001].map(generators::cycle).iter().for_each(assert_known);
    [1, 2, 10, 100].map(generators::triangles).iter().for_each(assert_known);
    [0, 1, 10, 16].map(generators::choices).iter().for_each(assert_known);
    [0, 1, 5, 1000].map(generators::duplicates).iter().for_each(assert_known);
    [1, 2, 3, 1000].map(generators::wide).iter().for_each(assert_known);
}

#[test]
fn solutions_of_every_family_are_those_of_the_plain_search() {
    let rings = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
    [
        generators::queens(7, QueenOrder::OrganPipe),
        generators::pack("two corners", &generators::pentominoes()[..2], &generators::rectangle(2, 5)),
        generators::domino_tilings(4, 5),
        generators::l_tromino_tilings(5, 6),
        generators::langford(7),
        generators::latin_squares(3),
        generators::set_partitions(6),
        generators::perfect_matchings(4),
        generators::steiner_triple_systems(7),
        generators::colorings(10, &generators::petersen_graph(), 3),
        generators::graceful_labellings(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]),
        generators::colorings(6, &rings, 3),
        generators::word_squares(&WORDS),
        generators::de_bruijn_tori((1, 8), (1, 3)),
        generators::pipes(3, 4),
        generators::identity(20),
        generators::cycle(12),
        generators::triangles(4),
        generators::choices(6),
        generators::duplicates(9),
        generators::wide(12),
    ]
    .iter()
    .for_each(assert_as_plain);
}

#[test]
fn colourings_are_counted_by_the_chromatic_polynomial() {
    let petersen = generators::petersen_graph();
    assert_eq!(petersen.len(), 15);
    assert_eq!(count(&generators::colorings(10, &petersen, 2).problem().unwrap()), "0");
    assert_eq!(count(&generators::colorings(10, &petersen, 3).problem().unwrap()), "120");
    for (n, k) in iproduct!(3..=7_usize, 1..=4_usize) {
        let ring: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        // (k - 1)^n + (-1)^n (k - 1)
        let power = (k - 1).pow(u32::try_from(n).unwrap());
        let expected = if n % 2 == 0 { power + k - 1 } else { power - (k - 1) };
        assert_eq!(count(&generators::colorings(n, &ring, k).problem().unwrap()), expected.to_string());
    }
}

#[test]
fn graceful_labellings_are_those_among_all_arrangements() {
    let path = |n: usize| (1..n).map(|v| (v - 1, v)).collect::<Vec<_>>();
    let star = |n: usize| (1..n).map(|v| (0, v)).collect::<Vec<_>>();
    let ring = |n: usize| [path(n), vec![(0, n - 1)]].concat();
    for (n, edges) in (3..=6).flat_map(|n| [(n, path(n)), (n, star(n)), (n, ring(n))]) {
        let graceful =
            |labels: &Vec<usize>| edges.iter().map(|&(a, b)| labels[a].abs_diff(labels[b])).all_unique();
        let expected = (0..=edges.len()).permutations(n).filter(graceful).count();
        let instance = generators::graceful_labellings(n, &edges);
        assert_eq!(count(&instance.problem().unwrap()), expected.to_string(), "{} {edges:?}", instance.name);
    }
}

#[test]
fn word_squares_are_those_among_all_choices_of_words() {
    let column =
        |rows: &[&str], j: usize| rows.iter().map(|row| row.as_bytes()[j] as char).collect::<String>();
    let square = |rows: &Vec<&str>| {
        let lines: Vec<String> =
            rows.iter().map(|row| (*row).to_owned()).chain((0..3).map(|j| column(rows, j))).collect();
        lines.iter().all_unique() && lines.iter().all(|line| WORDS.contains(&line.as_str()))
    };
    let expected = WORDS.into_iter().permutations(3).filter(square).count();
    assert!(expected > 0);
    assert_eq!(count(&generators::word_squares(&WORDS).problem().unwrap()), expected.to_string());
}

#[test]
fn pipes_are_the_sets_of_borders_that_every_cell_meets_twice_or_never() {
    for (rows, columns) in [(1, 4), (2, 3), (3, 3)] {
        let right = iproduct!(0..rows, 1..columns).map(|(i, j)| ((i, j - 1), (i, j)));
        let down = iproduct!(1..rows, 0..columns).map(|(i, j)| ((i - 1, j), (i, j)));
        let loops = right.chain(down).powerset().filter(|pipes| {
            let ends = pipes.iter().flat_map(|&(a, b)| [a, b]).counts();
            ends.into_values().all(|ends| ends == 2)
        });
        let expected = loops.count();
        assert_eq!(count(&generators::pipes(rows, columns).problem().unwrap()), expected.to_string());
    }
}

#[test]
fn the_text_of_a_problem_is_the_same_problem() {
    let families = [
        generators::queens(6, QueenOrder::OrganPipe),
        generators::langford(4),
        generators::pipes(3, 3),
        generators::colorings(10, &generators::petersen_graph(), 3),
    ];
    for instance in families {
        let parsed = dlx_core::format::knuth::parse(instance.to_string().as_bytes()).unwrap();
        let built = instance.problem().unwrap();
        assert_eq!(rest(&mut parsed.solver()), rest(&mut built.solver()), "{}", instance.name);
        let mut written = String::new();
        dlx_core::format::knuth::write(&built, &mut written).unwrap();
        assert_eq!(written, instance.to_string());
    }
}

#[test]
fn colors_are_different_letters() {
    assert!((0..500).map(color_letter).all_unique());
}
