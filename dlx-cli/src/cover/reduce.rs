//! `dlx reduce`: a smaller problem with the same solutions, and why each option went.

use std::fmt::Write as _;

use dlx_core::format::knuth;
use dlx_core::{Fate, ItemId, OptionId, Problem, Reduced};
use serde::Serialize;

use super::read_problem;
use crate::args::ReduceArgs;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::{Report, grouped};
use crate::signals::Signals;

/// What became of an option, in JSON.
#[derive(Serialize)]
struct OptionLine<'a> {
    option: usize,
    #[serde(flatten)]
    fate: FateLine<'a>,
}

#[derive(Serialize)]
#[serde(tag = "fate", rename_all = "lowercase")]
enum FateLine<'a> {
    Kept {
        #[serde(rename = "as")]
        place: usize,
    },
    Forced {
        item: &'a str,
    },
    Never,
    Useless {
        item: &'a str,
    },
    Excluded {
        item: &'a str,
        by: &'a str,
    },
    Duplicate {
        of: usize,
    },
}

/// An item that another one stands for, in JSON.
#[derive(Serialize)]
struct ItemLine<'a> {
    item: &'a str,
    same_as: &'a str,
}

/// The summary in JSON.
#[derive(Serialize)]
struct SummaryLine<'a> {
    options: usize,
    items: usize,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hopeless: Option<&'a str>,
}

/// Writes the reduced problem and says what went.
pub(crate) fn reduce(args: &ReduceArgs, signals: &Signals, report: &mut Report) -> Result<Exit, Failure> {
    let (name, problem) = read_problem(&args.problem.file, report)?;
    let mut output = Output::open(args.output.as_deref())?;
    let mut reducer = problem.reducer().cancel(&signals.search());
    if let Some(time) = args.time {
        reducer = reducer.time(time);
    }
    let reduced = reducer.run();
    if args.json {
        write_fates(&reduced, &mut output)?;
    } else {
        output.bytes(text(&name, &reduced)?.as_bytes())?;
    }
    output.finish()?; // the summary stands below the problem
    if args.why {
        say_why(&reduced, report);
    }
    if !args.quiet && !args.json {
        report.line(summary(&reduced));
    }
    if let Some(item) = reduced.hopeless() {
        if !args.quiet {
            let item = item_name(&problem, item);
            report.message(format_args!("{name}: no solution, for item {item} is left with too few options"));
        }
        return Ok(Exit::Nothing);
    }
    Ok(signals.received().filter(|_| !reduced.is_complete()).map_or(Exit::Done, Exit::Signal))
}

/// The reduced problem in Knuth's format, below comments that tell what each of its solutions stands for.
fn text(name: &str, reduced: &Reduced) -> Result<String, Failure> {
    let (original, problem) = (reduced.original(), reduced.problem());
    let mut text = String::new();
    // A string takes whatever is written to it.
    for &option in reduced.forced() {
        let _ = match reduced.copies(option) {
            None => writeln!(text, "| chosen: {}", original.option(option)),
            Some(copies) => {
                writeln!(text, "| chosen, one of {} such: {}", copies.len(), original.option(option))
            }
        };
    }
    for option in original.options() {
        if let (Some(Fate::Kept(place)), Some(copies)) = (reduced.fate(option), reduced.copies(option)) {
            let _ = writeln!(text, "| {} such: {}", copies.len(), problem.option(place));
        }
    }
    match original.items().find(|item| original.is_primary(*item)) {
        // The format has no problem without items; an item that is never covered does as well.
        Some(item) if problem.primary_count() == 0 => {
            let _ = writeln!(text, "0|{}", item_name(original, item));
        }
        _ => {
            knuth::write(problem, &mut text).map_err(|error| Failure::new(format_args!("{name}: {error}")))?
        }
    }
    Ok(text)
}

/// `12 of 20 options and 5 of 8 items are left: ...`.
fn summary(reduced: &Reduced) -> String {
    let (original, problem) = (reduced.original(), reduced.problem());
    let mut text = format!(
        "{} of {} options and {} of {} items are left",
        grouped(problem.option_count() as u64),
        grouped(original.option_count() as u64),
        grouped(problem.item_count() as u64),
        grouped(original.item_count() as u64),
    );
    let mut separator = ": ";
    for word in ["chosen", "useless", "excluded", "duplicates", "never chosen"] {
        let count = original.options().filter(|option| kind(reduced, *option) == word).count();
        if count > 0 {
            let _ = write!(text, "{separator}{} {word}", grouped(count as u64));
            separator = ", ";
        }
    }
    text + if reduced.is_complete() { "" } else { " (stopped)" }
}

/// What an option counts as in the summary.
fn kind(reduced: &Reduced, option: OptionId) -> &'static str {
    match reduced.fate(option) {
        Some(Fate::Forced { .. }) => "chosen",
        Some(Fate::Useless { .. }) => "useless",
        Some(Fate::Excluded { .. }) => "excluded",
        Some(Fate::Duplicate { .. }) => "duplicates",
        Some(Fate::NeverChosen) => "never chosen",
        _ => "kept",
    }
}

/// A line for each option and item that went.
fn say_why(reduced: &Reduced, report: &mut Report) {
    let original = reduced.original();
    let name = |item| item_name(original, item);
    for option in original.options() {
        let why = match reduced.fate(option) {
            None | Some(Fate::Kept(_)) => continue,
            Some(Fate::Forced { item }) => format!("chosen, for item {} has no other", name(item)),
            Some(Fate::Useless { item }) => {
                format!("useless, for it leaves item {} with too few", name(item))
            }
            Some(Fate::Excluded { item, by }) => {
                format!("excluded, for every option of item {} contains {}", name(by), name(item))
            }
            Some(Fate::Duplicate { of }) => format!("a duplicate of option {of}"),
            Some(_) => "never chosen, for it has no primary item, or one that must not be covered".to_owned(),
        };
        report.line(format_args!("option {option}, {}: {why}", original.option(option)));
    }
    for item in original.items() {
        if let Some(by) = reduced.dropped(item) {
            report.line(format_args!("item {}: in the same options as {}", name(item), name(by)));
        }
    }
}

/// The same, and where options are kept, as JSON lines.
fn write_fates(reduced: &Reduced, output: &mut Output) -> Result<(), Failure> {
    let original = reduced.original();
    let name = |item| item_name(original, item);
    for option in original.options() {
        let fate = match reduced.fate(option) {
            Some(Fate::Kept(place)) => FateLine::Kept { place: place.index() },
            Some(Fate::Forced { item }) => FateLine::Forced { item: name(item) },
            Some(Fate::Useless { item }) => FateLine::Useless { item: name(item) },
            Some(Fate::Excluded { item, by }) => FateLine::Excluded { item: name(item), by: name(by) },
            Some(Fate::Duplicate { of }) => FateLine::Duplicate { of: of.index() },
            _ => FateLine::Never,
        };
        output.json(&OptionLine { option: option.index(), fate })?;
    }
    for item in original.items() {
        if let Some(by) = reduced.dropped(item) {
            output.json(&ItemLine { item: name(item), same_as: name(by) })?;
        }
    }
    output.json(&SummaryLine {
        options: reduced.problem().option_count(),
        items: reduced.problem().item_count(),
        complete: reduced.is_complete(),
        hopeless: reduced.hopeless().map(name),
    })
}

/// The name of an item of a problem that was read from text, where all have one.
fn item_name(problem: &Problem, item: ItemId) -> &str {
    problem.item_name(item).unwrap_or_default()
}
