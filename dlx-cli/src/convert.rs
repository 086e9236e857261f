//! `dlx convert`: a problem in the formats of other solvers.

use std::fmt;

use dlx_core::format::{cnf, lp, opb};

use crate::args::{ConvertArgs, TargetFormat};
use crate::cover::read_problem;
use crate::outcome::{Exit, Failure};
use crate::output::Output;
use crate::report::Report;

/// Writes the problem in another format.
pub(crate) fn convert(args: &ConvertArgs, report: &mut Report) -> Result<Exit, Failure> {
    let (name, problem) = read_problem(&args.problem.file, report)?;
    let mut sink = Sink { output: Output::open(args.output.as_deref())?, failure: None };
    let written = match args.to {
        TargetFormat::Cnf => cnf::write(&problem, &mut sink),
        TargetFormat::Opb => opb::write(&problem, &mut sink).map_err(Into::into),
        TargetFormat::Lp => lp::write(&problem, &mut sink).map_err(Into::into),
    };
    if let Some(failure) = sink.failure {
        return Err(failure);
    }
    written.map_err(|error| Failure::new(format_args!("{name}: {error}")))?;
    sink.output.finish()?;
    Ok(Exit::Done)
}

/// Text on its way to the output, which keeps what went wrong.
struct Sink {
    output: Output,
    failure: Option<Failure>,
}

impl fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.output.bytes(text.as_bytes()).map_err(|failure| {
            self.failure = Some(failure);
            fmt::Error
        })
    }
}
