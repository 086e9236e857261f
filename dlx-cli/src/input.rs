//! Reading the input: a file by its name, or standard input by `-`.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use crate::outcome::Failure;
use crate::report::Report;

/// An input that was read whole.
pub(crate) struct Input {
    /// How messages call it: the path as it was given, `-` for standard input.
    pub(crate) name: String,
    /// What was in it.
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads the file at `path`, or standard input where `path` is `-`.
    ///
    /// # Errors
    ///
    /// One line that names the file and says why it cannot be read.
    pub(crate) fn read(path: &Path, report: &mut Report) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        let read = if path.as_os_str() == "-" {
            if io::stdin().is_terminal() {
                report.message("reading from the terminal, up to Ctrl-D at the beginning of a line");
            }
            io::stdin().lock().read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
        };
        match read {
            Ok(_) => Ok(Self { name, bytes }),
            Err(error) => Err(Failure::new(format_args!("{name}: cannot read: {}", reason(&error)))),
        }
    }

    /// Reads the files one after the other; standard input where none is named.
    ///
    /// # Errors
    ///
    /// As [`Input::read`], for the first that cannot be read.
    pub(crate) fn read_all(paths: &[PathBuf], report: &mut Report) -> Result<Vec<Self>, Failure> {
        match paths {
            [] => Ok(vec![Self::read(Path::new("-"), report)?]),
            paths => paths.iter().map(|path| Self::read(path, report)).collect(),
        }
    }

    /// Reads standard input unless a person sits there; `None` too if there is nothing in it.
    ///
    /// # Errors
    ///
    /// As [`Input::read`].
    pub(crate) fn piped(report: &mut Report) -> Result<Option<Self>, Failure> {
        if io::stdin().is_terminal() {
            return Ok(None);
        }
        let input = Self::read(Path::new("-"), report)?;
        Ok(Some(input).filter(|input| !input.bytes.is_empty()))
    }
}

/// The system's words without Rust's ` (os error 2)`, beginning small, as part of a sentence.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
