//! Where a search begins, and the file in which it is kept: checkpoints that are whole or not there at all, with the
//! length of the output that belongs to them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dlx_core::{Checkpoint, Part, Problem, SavedError};

use crate::args::CoverArgs;
use crate::file;
use crate::input::reason;
use crate::outcome::Failure;
use crate::output::Output;

/// What becomes of solutions, in the words of a checkpoint's note.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Count,
    Text,
    Json,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Text => "text",
            Self::Json => "json",
        }
    }
}

/// Where checkpoints go.
pub(super) struct Keeping {
    path: PathBuf,
    every: Duration,
    next: Instant,
    form: Form,
}

/// Where a search begins, if not at the root, and the output.
pub(super) fn begin(
    args: &CoverArgs,
    form: Form,
    problem: &Problem,
) -> Result<(Option<Checkpoint>, Option<Keeping>, Output), Failure> {
    let keeping = &args.keeping;
    let output = args.results.output.as_deref().filter(|path| path.as_os_str() != "-");
    if keeping.checkpoint().is_some() && form != Form::Count && output.is_none() {
        return Err(Failure::new(
            "--checkpoint and --resume need --output FILE: what has gone to standard output cannot be cut back",
        ));
    }
    let kept = keeping.checkpoint().map(|path| {
        let every = keeping.checkpoint_every;
        Keeping { path: path.to_owned(), every, next: Instant::now() + every, form }
    });
    if let Some(path) = &keeping.resume {
        let checkpoint = read(path, problem, Checkpoint::from_bytes)?;
        let output = match (length(&checkpoint, form, path)?, output) {
            (Some(length), Some(output)) => Output::cut_back(output, length)?,
            _ => Output::open(args.results.output.as_deref())?,
        };
        return Ok((Some(checkpoint), kept, output));
    }
    let start = match &keeping.part {
        Some(path) => Some(read(path, problem, |bytes| Part::from_bytes(bytes).map(Checkpoint::from))?),
        None => kept.is_some().then(|| Checkpoint::beginning(problem)),
    };
    Ok((start, kept, Output::open(args.results.output.as_deref())?))
}

/// Reads a file that belongs to the problem.
fn read(
    path: &Path,
    problem: &Problem,
    parse: impl FnOnce(&[u8]) -> Result<Checkpoint, SavedError>,
) -> Result<Checkpoint, Failure> {
    let name = path.display();
    let bytes = fs::read(path);
    let bytes =
        bytes.map_err(|error| Failure::new(format_args!("{name}: cannot read: {}", reason(&error))))?;
    let checked = parse(&bytes).and_then(|saved| saved.check(problem).map(|()| saved));
    checked.map_err(|error| Failure::new(format_args!("{name}: {error}")))
}

/// How much of the output belongs to a checkpoint, if any does. It must be of a search with the same form of output.
fn length(checkpoint: &Checkpoint, form: Form, path: &Path) -> Result<Option<u64>, Failure> {
    let note = checkpoint.note().strip_prefix(form.name());
    let length = note.and_then(|rest| rest.trim_start().parse().ok());
    if note.is_none() || (form != Form::Count && length.is_none()) {
        let (path, name) = (path.display(), form.name());
        let found = checkpoint.note().split(' ').next().unwrap_or_default();
        return Err(Failure::new(format_args!(
            "{path}: the checkpoint is of a search for `{found}`, expected one for `{name}`"
        )));
    }
    Ok(length)
}

impl Keeping {
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Writes a checkpoint, after the output that belongs to it.
    pub(super) fn write(&mut self, checkpoint: Checkpoint, output: &mut Output) -> Result<(), Failure> {
        let note = match self.form {
            Form::Count => self.form.name().to_owned(),
            form => format!("{} {}", form.name(), output.secure()?),
        };
        file::replace(&self.path, &checkpoint.with_note(&note).to_bytes())?;
        self.next = Instant::now() + self.every;
        Ok(())
    }
}
