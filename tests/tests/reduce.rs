//! The listed instances, reduced: the same counts, and solutions that the checker admits.

use std::fs;

use dlx_core::format::knuth;
use dlx_core::{Limits, Outcome, StopReason, verify};
use dlx_tests::corpus::{self, Kind};

use crate::support::{say, skipped};

/// A second of search or two, whatever the problem.
const NODES: u64 = 2_000_000;

#[test]
fn listed_counts_stay() {
    let Some(listed) = corpus::instances().unwrap() else { return skipped("listed_counts_stay") };
    let (mut smaller, mut unfinished) = (0, 0);
    for entry in listed.iter().filter(|entry| entry.kind != Kind::Cost) {
        let problem = knuth::parse(&fs::read(&entry.path).unwrap()).unwrap();
        let reduced = problem.reduce();
        smaller += usize::from(reduced.problem().option_count() < problem.option_count());
        for solution in reduced.solver().limit(Limits::none().nodes(NODES)).owned().take(10) {
            assert_eq!(verify::check(&problem, &solution), Ok(()), "{}", entry.name());
        }
        let count = reduced.solver().limit(Limits::none().nodes(NODES)).count();
        match count.outcome {
            Outcome::Exhausted => assert_eq!(count.value.to_string(), entry.expected, "{}", entry.name()),
            outcome => {
                assert_eq!(outcome, Outcome::Stopped(StopReason::Nodes), "{}", entry.name());
                unfinished += 1;
            }
        }
    }
    say(&format!(
        "listed_counts_stay: {smaller} problems became smaller, {unfinished} counts were not finished"
    ));
    assert!(smaller > 10 && 2 * unfinished < listed.len());
}
