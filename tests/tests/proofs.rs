//! Proofs of every small problem, and of some larger ones: they are accepted, and prove the right number.

use std::fs;
use std::sync::{Arc, Mutex};

use dlx_core::verify::proof::{Claim, check};
use dlx_core::{Limits, Problem, format, proof};
use dlx_tests::generators::{self, QueenOrder};
use dlx_tests::{brute, corpus, small};

use crate::support::skipped;

fn proof_of(problem: &Problem) -> Vec<u8> {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&bytes);
    let mut solver = proof::solver(problem, move |more| sink.lock().unwrap().extend_from_slice(more));
    assert!(solver.count().outcome.is_exhausted());
    drop(solver);
    Arc::into_inner(bytes).unwrap().into_inner().unwrap()
}

fn proof_of_cheapest(problem: &Problem) -> Vec<u8> {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&bytes);
    let sink = move |more: &[u8]| sink.lock().unwrap().extend_from_slice(more);
    let (_, outcome) = proof::min_cost(problem, Limits::none(), None, sink);
    assert!(outcome.is_exhausted());
    Arc::into_inner(bytes).unwrap().into_inner().unwrap()
}

/// What is left of a proof without each of its lines.
fn without_a_line(proof: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let lines: Vec<&[u8]> = proof.split_inclusive(|byte| *byte == b'\n').collect();
    (0..lines.len()).map(move |at| [&lines[..at], &lines[at + 1..]].concat().concat())
}

#[test]
fn proofs_of_all_small_problems() {
    for (at, instance) in small::problems().chain(small::bounded_problems()).enumerate() {
        // The other order of items and options has other trees; one of the two is enough.
        let instance = if at % 2 == 0 { instance } else { small::mirrored(&instance) };
        let problem = instance.problem().unwrap();
        let proof = proof_of(&problem);
        let proved = check(&problem, &proof).unwrap_or_else(|error| panic!("{instance}: {error}"));
        let solutions = brute::all_subsets(&instance).len() as u64;
        assert_eq!(proved.claim, Claim::Solutions(solutions), "{instance}");
        if at % 16 == 0 {
            let refused = without_a_line(&proof).all(|damaged| check(&problem, &damaged).is_err());
            assert!(refused, "{instance}: a line is not necessary");
        }
    }
}

#[test]
fn proofs_of_larger_problems() {
    for instance in [
        generators::queens(8, QueenOrder::OrganPipe),
        generators::langford(7),
        generators::cycle(13),
        generators::pentominoes_in_rectangle(3, 20),
        generators::de_bruijn_tori((4, 4), (2, 2)),
        generators::steiner_triple_systems(7),
    ] {
        let problem = instance.problem().unwrap();
        let proved = check(&problem, &proof_of(&problem)).unwrap();
        let known = instance.known.map(|known| Claim::Solutions(known.count.try_into().unwrap()));
        assert_eq!(Some(proved.claim), known, "{}", instance.name);
    }
}

/// Crew schedules; not those that take the longest.
#[test]
fn proofs_of_cheapest_schedules() {
    let Some(list) = corpus::shared("data/spp/manifest.tsv") else {
        return skipped("proofs_of_cheapest_schedules");
    };
    let mut lines = 0;
    for line in fs::read_to_string(&list).unwrap().lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let [name, _, columns, optimum, ..] = fields[..] else { panic!("{line}") };
        if columns.parse::<usize>().unwrap() > 4000 {
            continue;
        }
        let problem = format::parse(&fs::read(list.with_file_name(name)).unwrap()).unwrap();
        let proof = proof_of_cheapest(&problem);
        let proved = check(&problem, &proof).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(proved.claim, Claim::Cheapest(optimum.parse().unwrap()), "{name}");
        let refused = without_a_line(&proof).all(|damaged| check(&problem, &damaged).is_err());
        assert!(refused, "{name}: a line is not necessary");
        lines += without_a_line(&proof).count();
    }
    assert!(lines > 200, "{lines}");
}

/// Where bounds say little, a visit to all solutions is at its end first, and writes the proof.
#[test]
fn proofs_of_puzzles_that_bounds_do_not_decide() {
    let problem = generators::langford(9).problem().unwrap();
    let proof = String::from_utf8(proof_of_cheapest(&problem)).unwrap();
    assert_eq!(check(&problem, proof.as_bytes()).unwrap().claim, Claim::Solutions(0));
    let words: Vec<_> = proof.lines().skip(2).filter_map(|line| line.split(' ').next()).collect();
    assert!(words.len() > 1000 && words.iter().all(|word| ["b", "d", "end"].contains(word)));
}
