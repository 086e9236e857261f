//! Sudoku: exact cover against both backtrackers; and, on the same exact cover problem, the links against the torus.
//! Every contestant looks for a second solution. Single puzzles first, then batches from `../shared`, where there
//! is one.

#![allow(clippy::expect_used, clippy::print_stderr)] // the puzzles are valid; what is skipped is said

use std::path::Path;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use dlx_benches::sudoku::{EASY, HARD, count_on_links, count_on_torus};
use dlx_benches::torus::{Memory, Torus};
use dlx_core::EngineKind;
use dlx_sudoku::{Engine, Geometry, Grid, SudokuSolver, encode, records};

/// Times one contestant on all the puzzles, in one pass after the other.
fn contest(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    set: &str,
    puzzles: &[Grid],
    mut count: impl FnMut(&Grid) -> u64,
) {
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function(BenchmarkId::new(name, set), |b| {
        b.iter(|| {
            for puzzle in puzzles {
                assert_eq!(count(puzzle), 1);
            }
        });
    });
}

fn contestants(group: &mut BenchmarkGroup<'_, WallTime>, set: &str, puzzles: &[Grid], engines: &[Engine]) {
    for &engine in engines {
        let mut solver = SudokuSolver::new(engine);
        contest(group, engine_name(engine), set, puzzles, |grid| solver.count(grid, Some(2)).value);
    }
    let problem = encode::problem(Geometry::CLASSIC);
    let mut links = problem.solver_on(EngineKind::Links);
    contest(group, "links", set, puzzles, |grid| count_on_links(&mut links, grid, 2));
    let memory = Memory::default();
    let mut torus = Torus::new(&memory, &problem);
    contest(group, "torus", set, puzzles, |grid| count_on_torus(&mut torus, grid, 2));
}

fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Dlx => "dlx",
        Engine::Backtrack => "backtrack recursive",
        Engine::Iterative => "backtrack iterative",
    }
}

fn own_puzzles(c: &mut Criterion) {
    let mut group = c.benchmark_group("sudoku");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let easy: Vec<Grid> = EASY.iter().map(|text| text.parse().expect("a puzzle")).collect();
    contestants(&mut group, "easy", &easy, &Engine::ALL);
    for (name, text) in HARD {
        let puzzle = [text.parse().expect("a puzzle")];
        contestants(&mut group, name, &puzzle, &Engine::ALL);
    }
    group.finish();
}

/// Sets of puzzles from `../shared/data/sudoku`: how many of each, and who can do them in the time there is. A
/// backtracker takes seconds for many a puzzle of the harder sets.
const BATCHES: [(&str, usize, &[Engine]); 4] = [
    ("easy_5000", 500, &Engine::ALL),
    ("puzzles2_17_clue", 1000, &[Engine::Dlx]),
    ("top1465", 300, &[Engine::Dlx]),
    ("hardest_11plus_first3000", 100, &[Engine::Dlx]),
];

fn batches(c: &mut Criterion) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/sudoku"));
    let mut group = c.benchmark_group("sudoku batches");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for (set, size, engines) in BATCHES {
        let Ok(text) = std::fs::read(folder.join(set).with_extension("txt")) else {
            eprintln!("sudoku batches/{set}: skipped: no ../shared here");
            continue;
        };
        let grids: Vec<Grid> = records(&text).flatten().map(|record| record.puzzle.grid).collect();
        // Spread over the whole set, which may be sorted.
        let puzzles: Vec<Grid> = grids.iter().step_by(grids.len().div_ceil(size).max(1)).cloned().collect();
        contestants(&mut group, set, &puzzles, engines);
    }
    group.finish();
}

criterion_group! {
    name = sudoku;
    config = Criterion::default().without_plots(); // they would take longer than the measurements
    targets = own_puzzles, batches
}
criterion_main!(sudoku);
