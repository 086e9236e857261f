//! The rules that the command line states for all puzzles: by their names, and from files of regions and cages.

use std::path::Path;

use dlx_sudoku::ParseError;
use dlx_sudoku::variant::Statement;

use crate::args::RuleArgs;
use crate::input::Input;
use crate::outcome::Failure;
use crate::report::Report;

/// What is said in all.
///
/// # Errors
///
/// A file that cannot be read, or what is wrong in it.
pub(super) fn statement(args: &RuleArgs, report: &mut Report) -> Result<Statement, Failure> {
    let mut statement = args.rules.clone().unwrap_or_default();
    if let Some(path) = &args.regions {
        read(path, report, |text| statement.read_regions(text))?;
    }
    if let Some(path) = &args.cages {
        read(path, report, |text| statement.read_cages(text))?;
    }
    Ok(statement)
}

fn read(
    path: &Path,
    report: &mut Report,
    read: impl FnOnce(&str) -> Result<(), ParseError>,
) -> Result<(), Failure> {
    let Input { name, bytes } = Input::read(path, report)?;
    let text = String::from_utf8_lossy(&bytes);
    read(&text).map_err(|error| Failure::new(format_args!("{name}:{error}")))
}
