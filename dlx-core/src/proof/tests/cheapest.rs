//! Proofs of all small problems with costs, and of random ones, by bounds and by visits to all solutions.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use super::{damaged, sealed};
use crate::cost::tests::{Random, Row, by_brute_force, by_enumeration, problem, random_problem, show, small};
use crate::format::knuth;
use crate::proof::cheapest::prove;
use crate::proof::min_cost;
use crate::proof::script::Script;
use crate::verify::proof::{Claim, ProofErrorKind, check};
use crate::{CancelToken, Limits, Outcome, OwnedSolution, PricedCover, Problem, StopReason};

/// What `write` writes to the sink that it gets.
fn written(write: impl FnOnce(Box<dyn FnMut(&[u8]) + Send>)) -> String {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&bytes);
    write(Box::new(move |more: &[u8]| sink.lock().unwrap().extend_from_slice(more)));
    String::from_utf8(Arc::into_inner(bytes).unwrap().into_inner().unwrap()).unwrap()
}

/// The proof for a cover that is known to be the cheapest.
fn proof(problem: &Problem, best: Option<&(i128, OwnedSolution)>, visit: bool) -> String {
    let cover = best.map(|(cost, options)| PricedCover { options: options.clone(), cost: *cost });
    written(|sink| {
        let mut script = Script::new(sink);
        script.begin(problem);
        let outcome = prove(problem, cover.as_ref(), visit, Limits::none(), None, script);
        assert!(outcome.is_exhausted());
    })
}

fn claim(best: Option<&(i128, OwnedSolution)>) -> Claim {
    best.map_or(Claim::Solutions(0), |(cost, _)| Claim::Cheapest(*cost))
}

/// Both kinds of proofs are accepted. How many nodes the proof by bounds has.
fn check_proofs(problem: &Problem, all: &[(i128, OwnedSolution)]) -> u64 {
    let nodes = [true, false].map(|visit| {
        let proof = proof(problem, all.first(), visit);
        let proved = check(problem, proof.as_bytes());
        let claims = proved.clone().map(|proved| proved.claim);
        assert_eq!(claims, Ok(claim(all.first())), "{}\n{proof}", show(problem));
        proved.unwrap().nodes
    });
    nodes[1]
}

#[test]
fn all_small_problems() {
    let mut random = Random(7);
    let (mut count, mut branched) = (0, 0);
    for (primary, secondary) in [(1, 1), (2, 0), (2, 1), (3, 0)] {
        for options in small(primary, secondary) {
            let rows: Vec<Row<'_>> = options.iter().map(|(mask, kinds)| (*mask, &kinds[..])).collect();
            for bounded in [false, true] {
                let costs: Vec<i64> = rows.iter().map(|_| random.below(5) as i64 - 1).collect();
                let mut range = || (random.below(2) as u32, random.below(3) as u32);
                let bounds = (0..primary).map(|_| range()).map(|(least, most)| (least.min(most), most));
                let bounds: Vec<_> = bounds.filter(|_| bounded).collect();
                let problem = problem(primary, &bounds, &rows, &costs);
                let nodes = check_proofs(&problem, &by_brute_force(&problem));
                (count, branched) = (count + 1, branched + u32::from(nodes > 1));
            }
        }
    }
    assert!(count > 10_000 && branched > 1000, "{branched} of {count}");
}

#[test]
fn random_problems() {
    let mut random = Random(8);
    let mut words = [("o", 0), ("b", 0), ("d", 0), ("x", 0), ("p", 0), ("s", 0)];
    for round in 0..400 {
        let (primary, secondary) = (4 + random.below(6) as usize, random.below(3) as usize);
        let problem = random_problem(&mut random, primary, secondary, round % 3 == 0);
        let all = by_enumeration(&problem);
        check_proofs(&problem, &all);
        let mut outcome = Outcome::Exhausted;
        let proof = written(|sink| (_, outcome) = min_cost(&problem, Limits::none(), None, sink));
        assert!(outcome.is_exhausted());
        assert_eq!(check(&problem, proof.as_bytes()).unwrap().claim, claim(all.first()));
        let visit = self::proof(&problem, all.first(), true);
        for line in proof.lines().chain(visit.lines()) {
            let first = line.split(' ').next();
            words.iter_mut().filter(|(word, _)| first == Some(*word)).for_each(|(_, count)| *count += 1);
        }
    }
    assert!(words.iter().all(|(_, count)| *count > 50), "{words:?}");
}

/// Three items on one side, two on the other: prices alone say that there is no solution.
#[test]
fn prices_prove_that_there_is_no_solution() {
    let problem = knuth::parse(b"a b c x y\na x\na y\nb x\nb y\nc x\nc y\n").unwrap();
    let proof = proof(&problem, None, false);
    assert_eq!(check(&problem, proof.as_bytes()).unwrap().claim, Claim::Solutions(0));
    let lines: Vec<&str> = proof.lines().collect();
    assert!(lines[2].starts_with("r ") && lines.len() == 4, "{proof}");
}

#[test]
fn no_damage_goes_unnoticed_and_no_forgery_proves_anything_wrong() {
    let mut random = Random(9);
    let mut accepted = 0;
    for round in 0..120 {
        let (primary, secondary) = (3 + random.below(3) as usize, random.below(2) as usize);
        let problem = random_problem(&mut random, primary, secondary, round % 3 == 0);
        let all = by_enumeration(&problem);
        let proof = proof(&problem, all.first(), round % 5 == 0);
        if proof.lines().count() > 40 {
            continue;
        }
        for damaged in damaged(&proof) {
            assert!(check(&problem, damaged.as_bytes()).is_err(), "{proof}\n{damaged}");
            let lines: Vec<&str> = damaged.lines().collect();
            // Another solution has another cost.
            let cost = lines.iter().find_map(|line| {
                let options = line.strip_prefix("cheapest ")?.split(' ').map(|option| option.parse().ok());
                let options = options.map(|option| option.and_then(crate::OptionId::new));
                let options = options.collect::<Option<Vec<_>>>()?;
                let known = options.iter().all(|option| problem.get_option(*option).is_some());
                known.then(|| format!("end cost {} ", problem.total_cost(&options)))
            });
            let lines = match &cost {
                Some(end) => [&lines[..lines.len() - 1], &[&end[..]]].concat(),
                None => lines,
            };
            let forged = sealed(&lines);
            if let Ok(again) = check(&problem, forged.as_bytes()) {
                let other_claim = matches!(again.claim, Claim::Solutions(n) if n == all.len() as u64);
                let assumed = !again.assumed.is_empty();
                assert!(again.claim == claim(all.first()) || other_claim || assumed, "{proof}\n{forged}");
                accepted += 1;
            }
        }
    }
    assert!(accepted > 100, "other prices and orders prove the same: {accepted}");
}

#[test]
fn what_is_wrong_is_said() {
    let problem = knuth::parse(b"a b c | x\na b |10\na x |2\nb |3\nc |4\nc x:red |9\n").unwrap();
    let fingerprint = problem.fingerprint();
    let told = |lines: &str| {
        let proof = format!("dlx proof 1\nproblem {fingerprint}\n{lines}");
        check(&problem, proof.as_bytes()).unwrap_err().to_string()
    };
    let good = "cheapest 1 2 3\np 1 0:2 1:3 2:4\n";
    let end = told(&format!("{good}s\n"));
    assert!(
        end.starts_with("line 5: it disagrees with the lines above, expected `end cost 9 1 nodes"),
        "{end}"
    );
    for (lines, message) in [
        ("cheapest 1 2\n", "line 3: this is no solution: primary item number 2 is not covered"),
        ("cheapest 2 1 3\n", "line 3: expected `assume` and an option"),
        ("cheapest 1 2 9\n", "line 3: this is no solution: there is no option 9"),
        ("p 1 0:2 1:3 2:4\n", "line 3: expected `b`"),
        ("cheapest 1 2 3\np 1 0:2 1:3 2:3\n", "line 4: the prices do not prove that"),
        ("cheapest 1 2 3\nr 0:1\n", "line 4: the prices do not prove that"),
        ("cheapest 1 2 3\nx 3 0:-9 1:-9 2:-9\n", "line 4: the prices do not prove that"),
        ("cheapest 1 2 3\np 0 0:2 1:3 2:4\n", "line 4: expected `b`"),
        ("cheapest 1 2 3\np 1 1:3 0:2 2:4\n", "line 4: expected `b`"),
        ("cheapest 1 2 3\np 1 0:2 1:3 2:4 3:1\n", "line 4: expected `b`"), // some option gives x a color
        ("cheapest 1 2 3\np 1 0:2 1:03 2:4\n", "line 4: expected `b`"),
        ("cheapest 1 2 3\np 1 0:2 1:3 2:4 9:1\n", "line 4: expected `b`"),
        ("cheapest 1 2 3\no 7\n", "line 4: option 7 is not left"),
        ("cheapest 1 2 3\no 0\no 2\n", "line 5: option 2 is not left"),
        ("cheapest 0 3\nb 0\nd 0\n", "line 5: item number 0 is not to be covered here"),
        ("cheapest 0 3\nb 2\nb 1\ns\nb 0\ns\n", "line 8: this solution costs less than"),
    ] {
        let error = told(lines);
        assert!(error.starts_with(message), "{lines}{error}");
    }
    let huge = format!("cheapest 1 2 3\np 1 0:{} 1:{0}\n", i128::MAX);
    assert_eq!(told(&huge), "line 4: the prices do not prove that");
}

#[test]
fn stopped_searches_leave_incomplete_proofs() {
    let mut random = Random(10);
    let mut stopped = 0;
    for _ in 0..60 {
        let problem = random_problem(&mut random, 8, 0, false);
        for nodes in [0, 1, 2, 4, 8, 16] {
            let mut outcome = Outcome::Exhausted;
            let limits = Limits::none().nodes(nodes);
            let proof = written(|sink| (_, outcome) = min_cost(&problem, limits, None, sink));
            match check(&problem, proof.as_bytes()) {
                Ok(_) => assert!(outcome.is_exhausted()),
                Err(error) => {
                    assert_eq!(error.kind, ProofErrorKind::Incomplete);
                    assert_eq!(outcome, Outcome::Stopped(StopReason::Nodes));
                    stopped += 1;
                }
            }
        }
    }
    assert!(stopped > 60, "{stopped}");
    let token = CancelToken::new();
    token.cancel();
    let problem = random_problem(&mut random, 8, 0, false);
    let (_, outcome) = min_cost(&problem, Limits::none(), Some(&token), |_| ());
    assert_eq!(outcome, Outcome::Stopped(StopReason::Cancelled));
}
