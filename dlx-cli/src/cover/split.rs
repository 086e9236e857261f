//! `dlx split`: parts of a search, a file each.

use std::fs;
use std::io;

use super::read_problem;
use crate::args::SplitArgs;
use crate::file;
use crate::input::reason;
use crate::outcome::{Exit, Failure};
use crate::report::Report;

/// Writes the parts.
pub(crate) fn split(args: &SplitArgs, report: &mut Report) -> Result<Exit, Failure> {
    let (_, problem) = read_problem(&args.problem.file, report)?;
    let folder = args.output.as_path();
    let failure = |why: &str| Failure::new(format_args!("{}: {why}", folder.display()));
    let is_new = || -> io::Result<bool> {
        fs::create_dir_all(folder)?;
        Ok(fs::read_dir(folder)?.next().is_none())
    };
    if !is_new().map_err(|error| failure(&format!("cannot write: {}", reason(&error))))? {
        return Err(failure("the folder is not empty, expected a new or an empty one"));
    }
    let width = args.parts.to_string().len();
    let parts = problem.split(args.parts as usize);
    for (number, part) in (1..).zip(&parts) {
        file::replace(&folder.join(format!("part-{number:0width$}")), &part.to_bytes())?;
    }
    let empty = parts.iter().filter(|part| part.is_empty()).count();
    let remark = if empty > 0 { format!(", of which {empty} are empty") } else { String::new() };
    report.line(format_args!("{} parts{remark}", parts.len()));
    Ok(Exit::Done)
}
