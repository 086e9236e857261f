//! The results as tables in Markdown, for people.

use std::fmt::Write as _;

use crate::Results;
use crate::contestants::{Contestant, Mode, for_covers};
use crate::instructions::Counted;
use crate::measure::Missing;
use crate::peers::Peers;
use crate::puzzles::Set;
use crate::rounds::Contest;
use crate::standing::{CHOICE_MATTERS, MATTERS, OURS, geometric_mean, standing, summary};

/// A table for each kind of contest that there was.
pub(crate) fn report(results: &Results, peers: &Peers) -> String {
    let mut out = String::new();
    if !results.covers.is_empty() {
        out += &covers(&results.covers, Mode::Count, peers);
        out += &covers(&results.covers, Mode::Enumerate, peers);
    }
    if !results.sudokus.is_empty() {
        out += &sudokus(&results.sudokus);
    }
    let counted: (Vec<&Counted>, Vec<&Counted>) =
        results.instructions.iter().partition(|one| one.mode != Mode::Sudoku);
    for (heading, counted) in [("Exact covers", counted.0), ("Sudokus", counted.1)] {
        if !counted.is_empty() {
            out += &instructions(heading, &counted);
        }
    }
    out
}

pub(crate) fn words(missing: &Missing) -> String {
    match missing {
        Missing::Unable => "cannot".to_owned(),
        Missing::TooLong => "too long".to_owned(),
        Missing::Crashed => "CRASHED".to_owned(),
        Missing::Wrong(answer) => format!("WRONG: {answer}"),
    }
}

/// A line of a table.
fn row(out: &mut String, cells: impl IntoIterator<Item = String>) {
    for cell in cells {
        let _ = write!(out, "| {cell} ");
    }
    out.push_str("|\n");
}

/// The first lines of a table; all columns but the first are figures.
fn head(out: &mut String, titles: &[String]) {
    row(out, titles.iter().cloned());
    row(out, titles.iter().enumerate().map(|(at, _)| if at == 0 { "---" } else { "--:" }.to_owned()));
}

/// Three digits.
fn figure(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn optional(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), figure)
}

/// A table of exact covers: our time, everybody else's as a multiple of it, and the best peer.
fn covers(contests: &[Contest], mode: Mode, peers: &Peers) -> String {
    let heading = match mode {
        Mode::Count => "Counting",
        _ => "Enumerating",
    };
    let mut out = format!("## {heading}\n\n");
    let others: Vec<(Contestant, Mode)> = for_covers()
        .into_iter()
        .filter(|(contestant, its)| *contestant != OURS && (*its == mode || !contestant.is_ours()))
        .collect();
    let mut titles = vec!["instance".to_owned(), format!("{}, ms", OURS.name())];
    titles.extend(others.iter().map(|(contestant, _)| format!("{} / {}", contestant.name(), OURS.name())));
    titles.extend(["best peer", "best peer, ms", "ratio"].map(str::to_owned));
    head(&mut out, &titles);
    for contest in contests {
        let ours = contest.median(OURS, mode);
        let mut cells =
            vec![contest.subject.clone(), cell(contest, (OURS, mode), |seconds| figure(seconds * 1e3))];
        cells.extend(others.iter().map(|other| {
            cell(contest, *other, |seconds| {
                ours.map_or(format!("{} ms", figure(seconds * 1e3)), |ours| figure(seconds / ours))
            })
        }));
        match standing(contest, mode, peers) {
            Some(stand) => cells.extend([stand.peer, figure(stand.seconds * 1e3), optional(stand.ratio)]),
            None => cells.extend(["–"; 3].map(str::to_owned)),
        }
        row(&mut out, cells);
    }
    out + &closing(contests, mode, peers)
}

/// A contestant's time in a form, or why there is none.
fn cell(contest: &Contest, who: (Contestant, Mode), form: impl FnOnce(f64) -> String) -> String {
    let entry = contest.entries.iter().find(|entry| (entry.contestant, entry.mode) == who);
    match entry.map(|entry| (entry.median(), &entry.times)) {
        Some((Some(seconds), _)) => form(seconds),
        Some((None, Err(missing))) => words(missing),
        _ => String::new(),
    }
}

fn closing(contests: &[Contest], mode: Mode, peers: &Peers) -> String {
    let summary = summary(contests, mode, peers);
    let mut out = format!(
        "\nOver the {} instances that take the best peer {} ms or more: geometric mean {}",
        summary.number,
        MATTERS * 1e3,
        optional(summary.mean)
    );
    if let Some(lowest) = summary.lowest {
        let _ = write!(out, ", lowest {} ({} over {})", optional(lowest.ratio), lowest.subject, lowest.peer);
    }
    out.push('.');
    if !summary.without.is_empty() {
        let _ = write!(out, " NO TIME OF OURS: {}.", summary.without.join(", "));
    }
    out.push_str(" Over single peers:");
    for (at, (name, mean)) in summary.single.into_iter().enumerate() {
        let _ = write!(out, "{} {name} {}", if at == 0 { "" } else { "," }, optional(mean));
    }
    out.push('.');
    if let Some((factor, subject)) = summary.choice {
        let least = CHOICE_MATTERS * 1e3;
        let _ =
            write!(out, " Worst choice of an engine, from {least} ms on: {} ({subject}).", figure(factor));
    }
    out + "\n\n"
}

/// How many puzzles a set has: the sum of none, one and several.
pub(crate) fn puzzles(contest: &Contest) -> Option<f64> {
    contest.answer.as_deref()?.split('/').map(|number| number.parse::<f64>().ok()).sum()
}

/// The first contestant of every set is `dlx-sudoku`.
fn sudokus(sets: &[(Set, Contest)]) -> String {
    let mut out = "## Sudoku, microseconds a puzzle\n\n".to_owned();
    let mut columns: Vec<Contestant> = Vec::new();
    for entry in sets.iter().flat_map(|(_, contest)| &contest.entries) {
        if !columns.contains(&entry.contestant) {
            columns.push(entry.contestant);
        }
    }
    let mut titles = vec!["set".to_owned()];
    titles.extend(columns.iter().map(|contestant| contestant.name().to_owned()));
    titles.extend(["best crate", "ratio", "tdoku, expected"].map(str::to_owned));
    head(&mut out, &titles);
    for (set, contest) in sets {
        let each = |seconds: f64| seconds * 1e6 / puzzles(contest).unwrap_or(f64::NAN);
        let mut cells = vec![contest.subject.clone()];
        cells.extend(
            columns.iter().map(|one| cell(contest, (*one, Mode::Sudoku), |seconds| figure(each(seconds)))),
        );
        let best = best_crate(contest);
        cells.push(best.map_or("–", |(one, _)| one.name()).to_owned());
        cells.push(optional(best.zip(ours(contest)).map(|((_, seconds), ours)| seconds / ours)));
        cells.push(optional(tdoku(set, contest).map(each)));
        row(&mut out, cells);
    }
    let over_tdoku = sets.iter().filter_map(|(set, contest)| Some(ours(contest)? / tdoku(set, contest)?));
    let _ =
        writeln!(out, "\nOur time over tdoku's, geometric mean: {}.\n", optional(geometric_mean(over_tdoku)));
    out
}

fn ours(contest: &Contest) -> Option<f64> {
    contest.entries.first()?.median()
}

fn best_crate(contest: &Contest) -> Option<(Contestant, f64)> {
    let peers =
        contest.entries.iter().filter(|one| !one.contestant.is_ours() && !one.contestant.is_baseline());
    peers.filter_map(|one| Some((one.contestant, one.median()?))).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What tdoku would need here, given what the crate sudoku needs here.
fn tdoku(set: &Set, contest: &Contest) -> Option<f64> {
    let base = contest.entries.iter().find(|entry| entry.contestant.name() == "crate sudoku")?;
    Some(set.tdoku? * base.median()?)
}

fn instructions(heading: &str, counted: &[&Counted]) -> String {
    let mut out =
        format!("## {heading}: millions of instructions from the text to the answer, portable code\n\n");
    let mut columns: Vec<(Contestant, Mode)> = Vec::new();
    let mut subjects: Vec<&str> = Vec::new();
    for one in counted {
        let column = (one.contestant, one.mode);
        if !columns.contains(&column) {
            columns.push(column);
        }
        if !subjects.contains(&one.subject.as_str()) {
            subjects.push(&one.subject);
        }
    }
    let mut titles = vec!["instance".to_owned()];
    titles.extend(columns.iter().map(|(contestant, mode)| format!("{}, {}", contestant.name(), mode.name())));
    head(&mut out, &titles);
    for subject in subjects {
        let find = |(contestant, mode): &(Contestant, Mode)| {
            let of = |one: &&&Counted| {
                one.subject == subject && (one.contestant, one.mode) == (*contestant, *mode)
            };
            let found = counted.iter().find(of);
            found.map_or(String::new(), |one| optional(one.instructions.map(|n| n as f64 / 1e6)))
        };
        row(&mut out, [subject.to_owned()].into_iter().chain(columns.iter().map(find)));
    }
    out.push('\n');
    out
}
