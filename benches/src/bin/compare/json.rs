//! The results as JSON, for programs: with the time of every run, in seconds.

use serde_json::{Map, Value, json};

use crate::Results;
use crate::contestants::Mode;
use crate::markdown::{puzzles, words};
use crate::peers::Peers;
use crate::rounds::{Contest, Entry};
use crate::standing::{Standing, standing, summary};

/// Everything that was measured, and what it says.
pub(crate) fn report(results: &Results, peers: &Peers) -> Value {
    let covers: Vec<Value> = results.covers.iter().map(|contest| cover(contest, peers)).collect();
    let sums = [Mode::Count, Mode::Enumerate].map(|mode| sum(&results.covers, mode, peers));
    let sudokus: Vec<Value> = results.sudokus.iter().map(|(_, contest)| sudoku(contest)).collect();
    let instructions = results.instructions.iter().map(|one| {
        json!({
            "instance": one.subject,
            "contestant": one.contestant.name(),
            "mode": one.mode.name(),
            "instructions": one.instructions,
        })
    });
    json!({
        "longest": results.effort.longest,
        "exact covers": covers,
        "summary": sums,
        "sudokus": sudokus,
        "instructions": instructions.collect::<Vec<_>>(),
    })
}

fn cover(contest: &Contest, peers: &Peers) -> Value {
    let best = |mode| {
        let best = |s: Standing| json!({ "peer": s.peer, "seconds": s.seconds, "ratio": s.ratio });
        standing(contest, mode, peers).map(best)
    };
    json!({
        "instance": contest.subject,
        "solutions": contest.answer,
        "results": entries(contest),
        "best peer": { "count": best(Mode::Count), "enumerate": best(Mode::Enumerate) },
    })
}

fn sudoku(contest: &Contest) -> Value {
    json!({
        "set": contest.subject,
        "none/one/several": contest.answer,
        "puzzles": puzzles(contest),
        "results": entries(contest),
    })
}

fn entries(contest: &Contest) -> Vec<Value> {
    let entry = |entry: &Entry| {
        let (contestant, mode) = (entry.contestant.name(), entry.mode.name());
        match &entry.times {
            Ok(times) => {
                json!({ "contestant": contestant, "mode": mode, "median": entry.median(), "seconds": times })
            }
            Err(missing) => json!({ "contestant": contestant, "mode": mode, "missing": words(missing) }),
        }
    };
    contest.entries.iter().map(entry).collect()
}

fn sum(contests: &[Contest], mode: Mode, peers: &Peers) -> Value {
    let summary = summary(contests, mode, peers);
    let single = summary.single.into_iter().map(|(name, mean)| (name.to_owned(), json!(mean)));
    let lowest = summary.lowest.map(|s| json!({ "instance": s.subject, "peer": s.peer, "ratio": s.ratio }));
    let choice = summary.choice.map(|(factor, subject)| json!({ "instance": subject, "factor": factor }));
    json!({
        "mode": mode.name(),
        "instances": summary.number,
        "geometric mean": summary.mean,
        "lowest": lowest,
        "without a time of ours": summary.without,
        "over single peers": single.collect::<Map<_, _>>(),
        "worst choice": choice,
    })
}
