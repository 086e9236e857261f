//! Exact cover problems without a puzzle's own solvers: the links engine against the torus and other crates.

#![allow(clippy::expect_used)] // the generators and puzzles are valid

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use dlx_benches::CONTESTANTS;
use dlx_tests::Instance;
use dlx_tests::generators::{
    QueenOrder, de_bruijn_tori, graceful_labellings, langford, latin_squares, pentominoes_in_rectangle,
    pentominoes_on_chessboard, queens,
};

fn family(c: &mut Criterion, name: &str, instances: &[Instance]) {
    let mut group = c.benchmark_group(name);
    // Ten runs of up to a second each; quick ones are repeated within a sample.
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    for instance in instances {
        let problem = instance.problem().expect("generators make valid problems");
        let known = instance.known.map(|known| known.count as u64);
        for contestant in CONTESTANTS.iter().filter(|c| c.colors || !problem.has_colors()) {
            group.bench_function(BenchmarkId::new(contestant.name, &instance.name), |b| {
                b.iter(|| {
                    let count = (contestant.count)(black_box(&problem));
                    assert!(known.is_none() || count == known, "{}: {count:?}", contestant.name);
                });
            });
        }
    }
    group.finish();
}

fn benches(c: &mut Criterion) {
    family(c, "queens", &[queens(8, QueenOrder::OrganPipe), queens(12, QueenOrder::OrganPipe)]);
    family(c, "pentominoes", &[pentominoes_in_rectangle(3, 20), pentominoes_on_chessboard()]);
    family(c, "langford", &[langford(8), langford(11)]);
    family(c, "latin", &[latin_squares(4), latin_squares(5)]);
    family(c, "colors", &[de_bruijn_tori((4, 4), (2, 2)), k4_times_path()]);
}

/// Graceful labellings of two tetrahedra whose corners are joined, corner by corner.
fn k4_times_path() -> Instance {
    let tetrahedron =
        |k: usize| [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(u, v)| (u + k, v + k));
    let edges = [tetrahedron(0).as_slice(), &tetrahedron(4), &[(0, 4), (1, 5), (2, 6), (3, 7)]].concat();
    graceful_labellings(8, &edges)
}

criterion_group!(exact_cover, benches);
criterion_main!(exact_cover);
