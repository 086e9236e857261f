//! Decision diagrams of all solutions, against brute force over small problems and against the listed counts.

use std::fs;

use dlx_core::format::knuth;
use dlx_core::{Limits, Problem, verify};
use dlx_tests::corpus::{self, Kind};
use dlx_tests::{brute, small};

use crate::support::{places, say, skipped};

/// Bytes that a diagram may take here.
const MEMORY: usize = 256 << 20;
/// Some seconds.
const NODES: u64 = 10_000_000;

fn assert_lists(problem: &Problem, expected: &[Vec<usize>], name: &str) {
    let zdd = problem.solver().limit(Limits::none().memory(MEMORY)).zdd().unwrap();
    let mut found: Vec<_> = zdd.iter().map(|solution| places(&solution)).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{name}");
    assert_eq!(zdd.count(), expected.len().into(), "{name}");
}

#[test]
fn small_problems() {
    // The unit tests have all of somewhat smaller ones.
    for instance in small::problems().step_by(8).chain(small::bounded_problems().step_by(64)) {
        assert_lists(&instance.problem().unwrap(), &brute::all_subsets(&instance), &instance.name);
        let mirrored = small::mirrored(&instance);
        assert_lists(&mirrored.problem().unwrap(), &brute::all_subsets(&mirrored), &mirrored.name);
    }
}

#[test]
fn listed_counts() {
    let Some(listed) = corpus::instances().unwrap() else { return skipped("zdd: listed_counts") };
    let (mut unfinished, mut finished) = (Vec::new(), 0);
    for entry in listed.iter().filter(|entry| entry.kind != Kind::Cost) {
        let problem = knuth::parse(&fs::read(&entry.path).unwrap()).unwrap();
        let nodes = if problem.has_bounds() { NODES / 20 } else { NODES }; // they are larger
        let limits = Limits::none().memory(MEMORY).nodes(nodes);
        let zdd = match problem.solver().limit(limits).zdd() {
            Ok(zdd) => zdd,
            Err(_) => {
                unfinished.push(entry.name());
                continue;
            }
        };
        finished += 1;
        assert_eq!(zdd.count().to_string(), entry.expected, "{}", entry.name());
        for solution in zdd.iter().take(10).chain(zdd.sampler(1).unwrap().take(10)) {
            assert_eq!(verify::check(&problem, &solution), Ok(()), "{}", entry.name());
            assert!(zdd.contains(&solution), "{}", entry.name());
        }
    }
    say(&format!("zdd: listed_counts: no diagram within the limits: {}", unfinished.join(" ")));
    assert!(finished > 40, "{finished}");
}
