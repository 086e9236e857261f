//! The comparison runner: every engine of ours and every peer on every problem that they can do, side by side.
//!
//! The parent picks the problems, runs a process for each measurement and prints what it found; see the package's
//! README for how to read it.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a report and its progress are what it is for

mod contestants;
mod instances;
mod instructions;
mod json;
mod markdown;
mod measure;
mod peers;
mod puzzles;
mod rounds;
mod standing;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser;

use crate::contestants::{Mode, for_covers, for_sudokus, named};
use crate::instances::{Cover, covers};
use crate::instructions::Counted;
use crate::peers::Peers;
use crate::puzzles::{SETS, Set};
use crate::rounds::{Contest, Effort, contest};

/// Measures the engines and their peers side by side: exact covers, counted and enumerated, and sets of sudokus.
///
/// Prints Markdown. Ends with 1 if anybody gave a wrong answer or crashed, with 2 if it could not measure.
#[derive(Parser)]
struct Arguments {
    /// Only the problems and sets whose names contain one of these
    filters: Vec<String>,
    /// Write all figures to this file as well
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Give a contestant up after so many seconds of processor time
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    longest: f64,
    /// So many runs of each; fewer where a run takes seconds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Use this core; by default the last one
    #[arg(long, value_name = "N")]
    core: Option<usize>,
    /// Count instructions with valgrind instead, for a small fixed set
    #[arg(long)]
    instructions: bool,
    /// One measurement, in a process of its own
    #[arg(long, num_args = 4, hide = true, value_names = ["CONTESTANT", "MODE", "SUBJECT", "PASSES"])]
    one: Option<Vec<String>>,
}

/// All that was measured.
struct Results {
    effort: Effort,
    covers: Vec<Contest>,
    sudokus: Vec<(Set, Contest)>,
    instructions: Vec<Counted>,
}

impl Arguments {
    fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter.as_str()))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let code = match &arguments.one {
        Some(words) => one(words, arguments.longest),
        None => compare(&arguments),
    };
    code.unwrap_or_else(|error| {
        eprintln!("compare: {error}");
        ExitCode::from(2)
    })
}

/// The measuring end.
fn one(words: &[String], longest: f64) -> Result<ExitCode, Box<dyn Error>> {
    let [contestant, mode, subject, passes] = words else { return Err("four words expected".into()) };
    let (contestant, mode) = named(contestant, mode).ok_or("no such contestant")?;
    let text = match mode {
        Mode::Sudoku => SETS.iter().find(|set| set.id == subject).map(Set::text).transpose()?.flatten(),
        _ => covers()?.iter().find(|cover| cover.id == *subject).map(Cover::text).transpose()?,
    };
    let text = text.ok_or("no such problem")?;
    Ok(measure::here(contestant, mode, &text, passes.parse()?, longest))
}

/// The comparing end.
fn compare(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    pin(arguments.core)?;
    let effort = Effort { runs: arguments.runs.into(), longest: arguments.longest };
    let mut results = Results { effort, covers: Vec::new(), sudokus: Vec::new(), instructions: Vec::new() };
    if arguments.instructions {
        results.instructions = count_instructions(arguments)?;
    } else {
        results.covers = compare_covers(arguments, effort)?;
        results.sudokus = compare_sudokus(arguments, effort)?;
    }
    let peers = Peers::read()?;
    print!("{}", markdown::report(&results, &peers));
    if let Some(file) = &arguments.json {
        fs::write(file, format!("{:#}\n", json::report(&results, &peers)))?;
    }
    let sudokus = results.sudokus.iter().map(|(_, contest)| contest);
    let failed = results.covers.iter().chain(sudokus).any(Contest::has_failure);
    Ok(ExitCode::from(u8::from(failed)))
}

/// Binds this process, and so all those that it starts, to a core.
fn pin(core: Option<usize>) -> Result<(), Box<dyn Error>> {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let found = match core {
        Some(number) => Some(cores.iter().find(|id| id.id == number).ok_or("no such core")?),
        None => cores.last(),
    };
    if !found.is_some_and(|core| core_affinity::set_for_current(*core)) {
        eprintln!("not bound to a core: this system does not allow it");
    }
    Ok(())
}

fn compare_covers(arguments: &Arguments, effort: Effort) -> io::Result<Vec<Contest>> {
    let mut contests = Vec::new();
    for cover in covers()?.iter().filter(|cover| arguments.wants(&cover.id)) {
        eprintln!("{}", cover.id);
        contests.push(contest(&cover.id, &for_covers(), cover.expected().as_deref(), effort)?);
    }
    Ok(contests)
}

fn compare_sudokus(arguments: &Arguments, effort: Effort) -> io::Result<Vec<(Set, Contest)>> {
    let mut contests = Vec::new();
    for set in SETS.iter().filter(|set| arguments.wants(set.id)) {
        let Some(text) = set.text()? else {
            eprintln!("{}: skipped: no ../shared here", set.id);
            continue;
        };
        eprintln!("{}", set.id);
        let expected = set.unique.then(|| format!("0/{}/0", text.lines().count()));
        let contestants: Vec<_> =
            for_sudokus(set).into_iter().map(|contestant| (contestant, Mode::Sudoku)).collect();
        contests.push((*set, contest(set.id, &contestants, expected.as_deref(), effort)?));
    }
    Ok(contests)
}

fn count_instructions(arguments: &Arguments) -> io::Result<Vec<Counted>> {
    let mut counted = Vec::new();
    let chosen =
        |cover: &&Cover| instructions::COVERS.contains(&cover.id.as_str()) && arguments.wants(&cover.id);
    for cover in covers()?.iter().filter(chosen) {
        counted.extend(instructions::count(&cover.id, &for_covers(), cover.expected().as_deref())?);
    }
    let there =
        |id: &&'static str| SETS.iter().find(|set| set.id == *id && matches!(set.text(), Ok(Some(_))));
    let set = instructions::SETS.iter().find_map(there);
    for set in set.into_iter().filter(|set| arguments.wants(set.id)) {
        let expected = set.text()?.map(|text| format!("0/{}/0", text.lines().count()));
        let contestants: Vec<_> = for_sudokus(set)
            .into_iter()
            .filter(|one| !one.is_baseline())
            .map(|one| (one, Mode::Sudoku))
            .collect();
        counted.extend(instructions::count(set.id, &contestants, expected.as_deref())?);
    }
    Ok(counted)
}
