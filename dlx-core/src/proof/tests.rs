//! Proofs of random problems of every kind: what they prove, and that no damage to them goes unnoticed.

mod cheapest;

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use dratify::{Checker, Lit};

use super::{drat_solver, solver};
use crate::engine::contract::{Dice, any_problem, by_definition, random_bounded_problem, random_problem};
use crate::format::{cnf, knuth};
use crate::verify::proof::{Claim, ProofErrorKind, Proved, check};
use crate::{Limits, OptionId, Outcome, Problem, Solver};

/// What a solver made by `make` and run by `run` writes.
fn written(
    make: impl FnOnce(alloc::boxed::Box<dyn FnMut(&[u8]) + Send>) -> Solver,
    run: impl FnOnce(Solver),
) -> String {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&bytes);
    run(make(alloc::boxed::Box::new(move |more: &[u8]| sink.lock().unwrap().extend_from_slice(more))));
    String::from_utf8(Arc::into_inner(bytes).unwrap().into_inner().unwrap()).unwrap()
}

fn proof(problem: &Problem, assumed: &[OptionId]) -> String {
    let make = |sink| solver(problem, sink).assume(assumed.iter().copied()).unwrap();
    written(make, |mut solver| assert!(solver.count().outcome.is_exhausted()))
}

fn drat(problem: &Problem) -> String {
    written(
        |sink| drat_solver(problem, sink).unwrap(),
        |mut solver| {
            let _ = solver.next_solution();
        },
    )
}

/// With another last line, which agrees with what stands above it.
fn sealed(lines: &[&str]) -> String {
    let body = &lines[..lines.len() - 1];
    let text: String = body.iter().flat_map(|line| [*line, "\n"]).collect();
    let solutions = body.iter().filter(|line| **line == "s").count();
    let nodes = body
        .iter()
        .filter(|line| ["s", "b", "d", "o", "r", "p", "x"].contains(&line.split(' ').next().unwrap()))
        .count();
    let sum = crc32fast::hash(text.as_bytes());
    let claim = match lines.last().unwrap().strip_prefix("end cost ") {
        Some(end) => format!("cost {}", end.split(' ').next().unwrap()),
        None => format!("{solutions} solutions"),
    };
    format!("{text}end {claim} {nodes} nodes crc {sum:08x}\n")
}

/// What may become of the text of a line by changing one of its words.
fn altered(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let mut all = Vec::new();
    for at in 0..words.len() {
        let number = words[at].parse::<u64>().ok();
        let others = number.into_iter().flat_map(|number| [number + 1, number + 7, number.wrapping_sub(1)]);
        let others = others.map(|number| number.to_string());
        for word in others.chain(["s", "b", "d", "o", "p", "", "-1", "00", "x"].map(String::from)) {
            let mut words = words.clone();
            words[at] = &word;
            all.push(words.join(" "));
        }
        all.push([&words[..at], &words[at + 1..]].concat().join(" "));
    }
    all.push(format!("{line} "));
    all.push(format!(" {line}"));
    all.push(format!("{line}\r"));
    all.push(format!("{line}\n"));
    all.retain(|other| other != line);
    all
}

/// Every proof that differs from another one in a line.
fn damaged(proof: &str) -> Vec<String> {
    let lines: Vec<&str> = proof.lines().collect();
    let join = |lines: &[&str]| lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    let mut all = Vec::new();
    for at in 0..lines.len() {
        all.push(join(&[&lines[..at], &lines[at + 1..]].concat()));
        all.push(join(&[&lines[..=at], &lines[at..]].concat()));
        if at > 0 && lines[at - 1] != lines[at] {
            let mut swapped = lines.clone();
            swapped.swap(at - 1, at);
            all.push(join(&swapped));
        }
        for other in altered(lines[at]) {
            let mut lines = lines.clone();
            lines[at] = &other;
            all.push(join(&lines));
        }
    }
    all.push(proof.trim_end().into());
    all.extend(["\n", "x", "s\n", "b 0\n"].map(|more| format!("{proof}{more}")));
    all
}

#[test]
fn proofs_prove_the_number_of_solutions() {
    let mut dice = Dice(11);
    for _ in 0..6000 {
        let problem = any_problem(&mut dice);
        let solutions = by_definition(&problem, &[]).len() as u64;
        let proof = proof(&problem, &[]);
        let proved = check(&problem, proof.as_bytes()).unwrap();
        assert_eq!(proved.claim, Claim::Solutions(solutions), "{problem:?}\n{proof}");
    }
}

#[test]
fn proofs_with_assumptions() {
    let mut dice = Dice(12);
    let mut checked = 0;
    while checked < 2000 {
        let problem = any_problem(&mut dice);
        let usable: Vec<_> = problem.options().filter(|option| problem.has_primary_item(*option)).collect();
        if usable.is_empty() {
            continue;
        }
        let assumed = [usable[dice.below(usable.len())]];
        let proof = proof(&problem, &assumed);
        if proof.is_empty() {
            assert!(by_definition(&problem, &assumed).is_empty()); // it clashes with itself: an upper bound is 0
            continue;
        }
        let solutions = by_definition(&problem, &assumed).len() as u64;
        let Proved { claim, assumed: with, .. } = check(&problem, proof.as_bytes()).unwrap();
        assert_eq!((claim, &with[..]), (Claim::Solutions(solutions), &assumed[..]), "{proof}");
        checked += 1;
    }
}

#[test]
fn no_damage_goes_unnoticed() {
    let mut dice = Dice(13);
    for round in 0..600 {
        let problem = match round % 4 {
            0 | 1 => random_problem(&mut dice, round % 4 == 1),
            kind => random_bounded_problem(&mut dice, kind == 3),
        };
        let proof = proof(&problem, &[]);
        assert!(check(&problem, proof.as_bytes()).is_ok());
        for damaged in damaged(&proof) {
            assert!(check(&problem, damaged.as_bytes()).is_err(), "{proof}\n{damaged}");
        }
    }
}

/// Whoever changes a proof and makes the last line agree can only get another proof of the same.
#[test]
fn forged_proofs_prove_nothing_wrong() {
    let mut dice = Dice(14);
    let mut accepted = 0;
    for _ in 0..600 {
        let problem = any_problem(&mut dice);
        let proof = proof(&problem, &[]);
        let proved = check(&problem, proof.as_bytes()).unwrap();
        for forged in damaged(&proof) {
            let lines: Vec<&str> = forged.lines().collect();
            let forged = sealed(&lines);
            if let Ok(again) = check(&problem, forged.as_bytes())
                && again.assumed.is_empty()
            {
                assert_eq!(again.claim, proved.claim, "{proof}\n{forged}");
                accepted += 1;
            }
        }
    }
    assert!(accepted > 0, "another order of the same branches is a proof as well");
}

#[test]
fn comments_do_not_count() {
    let problem = knuth::parse(b"a b\na\nb\na b\n").unwrap();
    let proof = proof(&problem, &[]);
    let commented: String = proof.lines().flat_map(|line| ["| a word\n", line, "\n"]).collect();
    assert_eq!(check(&problem, commented.as_bytes()).unwrap().claim, Claim::Solutions(2));
    let wrong = commented.replace("\ns\n", "\nx\n");
    let line = wrong.lines().position(|line| line == "x").unwrap() as u64 + 1;
    let error = check(&problem, wrong.as_bytes()).unwrap_err();
    assert_eq!(error.line, line);
    assert!(error.to_string().starts_with(&format!("line {line}: expected `b`")), "{error}");
}

#[test]
fn stopped_searches_leave_incomplete_proofs() {
    let mut dice = Dice(15);
    let mut stopped = 0;
    for _ in 0..300 {
        let problem = any_problem(&mut dice);
        let whole = proof(&problem, &[]);
        for nodes in 0..20 {
            let mut outcome = Outcome::Exhausted;
            let make = |sink| solver(&problem, sink).limit(Limits::none().nodes(nodes));
            let cut = written(make, |mut solver| outcome = solver.count().outcome);
            assert!(whole.starts_with(&cut));
            assert_eq!(cut == whole, outcome.is_exhausted());
            if !outcome.is_exhausted() && nodes > 0 {
                let error = check(&problem, cut.as_bytes()).unwrap_err();
                assert_eq!(error.kind, ProofErrorKind::Incomplete, "{cut}");
                stopped += 1;
            }
        }
    }
    assert!(stopped > 100);
}

#[test]
fn proofs_cut_off_anywhere_are_refused() {
    let problem = knuth::parse(b"a b c | x\na x:1\na x:2\nb c x:1\nb\nc x:2\n").unwrap();
    let proof = proof(&problem, &[]);
    for end in 0..proof.len() {
        let error = check(&problem, &proof.as_bytes()[..end]).unwrap_err();
        let kind = if end < 12 { ProofErrorKind::Form } else { ProofErrorKind::Incomplete };
        assert_eq!(error.kind, kind, "{}", &proof[..end]);
    }
    let other = knuth::parse(b"a b\na b\n").unwrap();
    let error = check(&other, proof.as_bytes()).unwrap_err();
    assert!(matches!(error.kind, ProofErrorKind::Foreign { .. }) && error.line == 2, "{error}");
}

#[test]
fn a_search_that_begins_anew_writes_no_second_proof() {
    let problem = knuth::parse(b"a\na\na\n").unwrap();
    let twice = written(
        |sink| solver(&problem, sink),
        |mut solver| {
            solver.count();
            solver.reset();
            solver.count();
        },
    );
    assert_eq!(twice, proof(&problem, &[]));
    let given_up = written(
        |sink| solver(&problem, sink),
        |mut solver| {
            assert!(solver.next_solution().is_some());
            solver.reset();
            solver.count();
        },
    );
    assert_eq!(check(&problem, given_up.as_bytes()).unwrap_err().kind, ProofErrorKind::Incomplete);
}

/// A formula as the independent checker reads it, and what it says of a proof.
fn refutes(formula: &[Vec<Lit>], variables: u32, proof: &str) -> bool {
    let mut checker = Checker::new(variables, formula, true, true);
    let mut refuted = false;
    for line in proof.lines() {
        let clause = clause(line);
        if !checker.check_step(false, &clause) {
            return false;
        }
        refuted |= clause.is_empty();
    }
    refuted
}

fn clause(line: &str) -> Vec<Lit> {
    let literals =
        line.strip_suffix('0').unwrap().split_whitespace().map(|word| word.parse::<i64>().unwrap());
    literals.map(|literal| (literal.unsigned_abs() as Lit - 1) * 2 + Lit::from(literal < 0)).collect()
}

/// The formula of a problem: the number of variables, and the clauses.
fn formula(problem: &Problem) -> (u32, Vec<Vec<Lit>>) {
    let mut text = String::new();
    cnf::write(problem, &mut text).unwrap();
    let mut lines = text.lines().skip_while(|line| line.starts_with("c "));
    let mut header = lines.next().unwrap().strip_prefix("p cnf ").unwrap().split(' ');
    let mut number = || header.next().unwrap().parse::<u32>().unwrap();
    let (variables, count) = (number(), number());
    let clauses: Vec<_> = lines.map(clause).collect();
    assert_eq!(clauses.len(), count as usize);
    (variables, clauses)
}

#[test]
fn drat_proofs_are_accepted_by_another_checker() {
    let mut dice = Dice(17);
    let (mut accepted, mut needed) = (0, 0);
    for round in 0..4000 {
        let problem = random_problem(&mut dice, round % 2 == 0);
        let (variables, clauses) = formula(&problem);
        let proof = drat(&problem);
        if !by_definition(&problem, &[]).is_empty() {
            assert!(!proof.ends_with("\n0\n") && proof != "0\n");
            assert!(!refutes(&clauses, variables, &format!("{proof}0\n")), "it has a solution");
            continue;
        }
        assert!(refutes(&clauses, variables, &proof), "{problem:?}\n{clauses:?}\n{proof}");
        accepted += 1;
        for at in 0..clauses.len() {
            let fewer = [&clauses[..at], &clauses[at + 1..]].concat();
            needed += usize::from(!refutes(&fewer, variables, &proof));
        }
    }
    assert!(accepted > 1000 && needed > 1000, "{accepted} proofs, {needed} necessary clauses");
}
