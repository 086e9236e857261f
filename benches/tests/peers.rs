//! The peers are fair: the torus walks the same tree as the links engine, and every peer finds every solution.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use dlx_benches::CONTESTANTS;
use dlx_benches::sudoku::{EASY, HARD, count_on_links, count_on_torus};
use dlx_benches::torus::{Memory, Tally, Torus};
use dlx_core::{EngineKind, OptionId, OwnedSolution, Problem, ProblemBuilder};
use dlx_sudoku::{Engine, Geometry, Grid, Solved, SudokuSolver, encode};
use dlx_tests::generators::{
    QueenOrder, colorings, cycle, de_bruijn_tori, duplicates, identity, langford, latin_squares,
    pentominoes_in_rectangle, petersen_graph, pipes, queens, set_partitions, steiner_triple_systems,
    triangles, wide, word_squares,
};
use dlx_tests::{Instance, brute};

/// Problems of every family, with their numbers of solutions.
fn families() -> Vec<(Instance, u64)> {
    vec![
        (queens(8, QueenOrder::OrganPipe), 92),
        (queens(7, QueenOrder::Natural), 40),
        (pentominoes_in_rectangle(3, 20), 8),
        (langford(7), 52),
        (langford(8), 300),
        (langford(9), 0),
        (latin_squares(4), 576),
        (set_partitions(7), 877),
        (steiner_triple_systems(9), 840),
        (colorings(10, &petersen_graph(), 3), 120),
        (de_bruijn_tori((4, 4), (2, 2)), 32),
        (word_squares(&["it", "no", "in", "to"]), 2),
        (pipes(2, 2), 2),
        (identity(200), 1),
        (cycle(13), 0),
        (cycle(100), 2),
        (triangles(6), 1),
        (duplicates(5), 5),
        (wide(70), 2),
    ]
}

/// What the links engine counted.
fn links(problem: &Problem) -> Tally {
    let mut solver = problem.solver_on(EngineKind::Links);
    while solver.next_solution().is_some() {}
    let statistics = solver.statistics();
    Tally { nodes: statistics.nodes, updates: statistics.updates, solutions: statistics.solutions }
}

fn torus(problem: &Problem) -> Tally {
    Torus::new(&Memory::default(), problem).count()
}

#[test]
fn every_contestant_counts_the_families() {
    for (instance, expected) in families() {
        let problem = instance.problem().unwrap();
        for contestant in CONTESTANTS {
            let possible = contestant.colors || !problem.has_colors();
            let expected = possible.then_some(expected);
            assert_eq!((contestant.count)(&problem), expected, "{}: {}", contestant.name, instance.name);
        }
    }
}

#[test]
fn the_torus_walks_the_tree_of_the_links() {
    for (instance, _) in families() {
        let problem = instance.problem().unwrap();
        assert_eq!(torus(&problem), links(&problem), "{}", instance.name);
    }
}

/// Marsaglia's xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Up to 7 primary and 3 secondary items, up to 14 options of any make: without primary items, empty, equal, in
/// two colors or none.
fn random_instance(seed: u64) -> Instance {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (primary, secondary) = (random.below(8) as usize, random.below(4) as usize);
    let share = 2 + random.below(3);
    let colored = random.below(2) == 0;
    let options = (0..random.below(15))
        .map(|_| {
            let items: Vec<usize> = (0..primary + secondary).filter(|_| random.below(share) == 0).collect();
            let color = |item| if item < primary || !colored { 0 } else { random.below(3) };
            let colors: Vec<u64> = items.iter().copied().map(color).collect();
            items.into_iter().zip(colors.iter().map(|c| [None, Some('x'), Some('y')][*c as usize])).collect()
        })
        .collect();
    Instance {
        name: format!("random {seed}"),
        primary: (0..primary).map(|i| format!("p{i}")).collect(),
        secondary: (0..secondary).map(|i| format!("s{i}")).collect(),
        bounds: Vec::new(),
        options,
        known: None,
    }
}

#[test]
fn random_problems_are_counted_alike_and_right() {
    let (mut soluble, mut colored) = (0, 0);
    for seed in 1..=3000 {
        let instance = random_instance(seed);
        let problem = instance.problem().unwrap();
        let expected = brute::search(&instance).len() as u64;
        let tally = torus(&problem);
        assert_eq!(tally.solutions, expected, "{}\n{instance}", instance.name);
        assert_eq!(tally, links(&problem), "{}\n{instance}", instance.name);
        for contestant in CONTESTANTS {
            // A crate may be unable to do a degenerate problem or colors, but nothing else.
            let degenerate = instance.primary.is_empty()
                || !(0..instance.options.len()).any(|option| instance.has_primary(option));
            let usual = !degenerate && (contestant.colors || !problem.has_colors());
            match (contestant.count)(&problem) {
                Some(count) => {
                    assert_eq!(count, expected, "{}: {}\n{instance}", contestant.name, instance.name)
                }
                None => assert!(!usual, "{}: {}\n{instance}", contestant.name, instance.name),
            }
        }
        soluble += u64::from(expected > 0);
        colored += u64::from(problem.has_colors());
    }
    assert!(soluble > 300 && colored > 300, "{soluble} of 3000 have solutions, {colored} have colors");
}

#[test]
fn the_torus_visits_the_solutions_themselves() {
    for (instance, _) in families() {
        let problem = instance.problem().unwrap();
        let memory = Memory::default();
        let mut visited = BTreeSet::new();
        Torus::new(&memory, &problem).for_each(|cover| {
            let options: Vec<OptionId> = cover.options().collect();
            assert!(dlx_core::verify::check(&problem, &options).is_ok(), "{}", instance.name);
            assert!(visited.insert(OwnedSolution::new(&options)), "{}: twice the same", instance.name);
            ControlFlow::Continue(())
        });
        let expected: BTreeSet<OwnedSolution> = problem.solver().owned().collect();
        assert_eq!(visited, expected, "{}", instance.name);
    }
}

#[test]
fn a_torus_is_as_before_after_breaking_off_and_after_assumptions() {
    let problem = queens(8, QueenOrder::OrganPipe).problem().unwrap();
    let memory = Memory::default();
    let mut torus = Torus::new(&memory, &problem);
    let whole = torus.count();
    let first = torus.for_each(|_| ControlFlow::Break(()));
    assert_eq!(first.solutions, 1);
    assert_eq!(torus.count(), whole);
    let mut total = 0;
    for option in problem.options() {
        assert!(torus.assume(option));
        assert!(!torus.assume(option), "its items are taken");
        let tally = torus.count();
        let mut solver = problem.solver_on(EngineKind::Links).assume([option]).unwrap();
        while solver.next_solution().is_some() {}
        assert_eq!(
            (tally.nodes, tally.solutions),
            (solver.statistics().nodes, solver.statistics().solutions)
        );
        total += tally.solutions;
        torus.reset();
    }
    assert_eq!(total, 8 * 92); // every solution, once for each of its queens
    assert_eq!(torus.count(), whole);
}

#[test]
fn an_assumption_that_clashes_changes_nothing() {
    let mut b = ProblemBuilder::new();
    let [a, c] = b.primaries(["a", "c"]).unwrap();
    let s = b.secondary("s").unwrap();
    let (red, blue) = (b.color("red").unwrap(), b.color("blue").unwrap());
    let a_red = b.option([(a, None), (s, Some(red))]).unwrap();
    let c_red = b.option([(c, None), (s, Some(red))]).unwrap();
    let c_blue = b.option([(c, None), (s, Some(blue))]).unwrap();
    let bare = b.option([s]).unwrap();
    let problem = b.build().unwrap();
    let memory = Memory::default();
    let mut torus = Torus::new(&memory, &problem);
    assert!(!torus.assume(bare), "no primary item");
    assert!(torus.assume(a_red));
    assert!(!torus.assume(c_blue));
    assert_eq!(torus.count().solutions, 1);
    assert!(torus.assume(c_red));
    assert_eq!(torus.count().solutions, 1);
    torus.reset();
    assert_eq!(torus.count(), links(&problem));
}

#[test]
fn every_sudoku_contestant_finds_the_one_solution() {
    let problem = encode::problem(Geometry::CLASSIC);
    let mut links = problem.solver_on(EngineKind::Links);
    let memory = Memory::default();
    let mut torus = Torus::new(&memory, &problem);
    for text in EASY.into_iter().chain(HARD.map(|(_, text)| text)) {
        let puzzle: Grid = text.parse().unwrap();
        assert_eq!(count_on_links(&mut links, &puzzle, u64::MAX), 1, "{text}");
        assert_eq!(count_on_torus(&mut torus, &puzzle, u64::MAX), 1, "{text}");
        for engine in Engine::ALL {
            assert!(
                matches!(SudokuSolver::new(engine).solve(&puzzle), Solved::Unique(_)),
                "{engine}: {text}"
            );
        }
    }
}

#[test]
fn sudoku_counts_stop_at_the_limit_and_see_clashes() {
    let problem = encode::problem(Geometry::CLASSIC);
    let mut links = problem.solver_on(EngineKind::Links);
    let memory = Memory::default();
    let mut torus = Torus::new(&memory, &problem);
    let clash: Grid = format!("55{}", ".".repeat(79)).parse().unwrap();
    for (grid, limit, expected) in [(&Grid::default(), 3, 3), (&clash, 3, 0), (&Grid::default(), 1, 1)] {
        assert_eq!(count_on_links(&mut links, grid, limit), expected);
        assert_eq!(count_on_torus(&mut torus, grid, limit), expected);
    }
}
