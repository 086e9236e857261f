//! The proof that a search writes while it goes: its file, and what becomes of it when the search does not end as it should.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dlx_core::{CancelToken, EngineKind, Limits, Outcome, Problem, Solver, proof};

use crate::args::{CoverArgs, ProofFormat};
use crate::outcome::Failure;
use crate::output::Output;
use crate::report::Report;

/// A proof under way.
pub(super) struct Proving {
    format: ProofFormat,
    problem: String, // what messages call it
    file: ProofFile,
}

/// The file of a proof.
pub(super) struct ProofFile {
    path: PathBuf,
    shared: Arc<Mutex<Writing>>,
}

/// What the search writes to. It cannot fail, so that the failure waits here.
struct Writing {
    output: Output,
    failure: Option<Failure>,
}

impl ProofFile {
    /// Opens it, for a proof by so many threads.
    ///
    /// # Errors
    ///
    /// No proof can be written like that, or the file cannot.
    pub(super) fn create(path: &Path, threads: usize) -> Result<Self, Failure> {
        if threads != 1 {
            return Err(Failure::new("--proof is written by one thread, expected no -j or -j 1"));
        }
        if path.as_os_str() == "-" {
            return Err(Failure::new("--proof -: standard output is for the results, expected a file"));
        }
        let writing = Writing { output: Output::open(Some(path))?, failure: None };
        Ok(Self { path: path.to_owned(), shared: Arc::new(Mutex::new(writing)) })
    }

    /// What takes the proof, and raises the token where it cannot be written.
    pub(super) fn sink(&self, token: &CancelToken) -> impl FnMut(&[u8]) + Send + 'static {
        let (shared, token) = (Arc::clone(&self.shared), token.clone());
        move |bytes: &[u8]| {
            let mut writing = lock(&shared);
            if writing.failure.is_none()
                && let Err(failure) = writing.output.bytes(bytes)
            {
                writing.failure = Some(failure);
                token.cancel();
            }
        }
    }

    /// Writes the rest.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        let Writing { output, failure } = &mut *lock(&self.shared);
        output.finish()?;
        failure.take().map_or(Ok(()), Err)
    }

    /// Says that the search was stopped before the proof was complete.
    pub(super) fn say_incomplete(&self, what: &str, report: &mut Report) {
        let path = self.path.display();
        report.message(format_args!("{path}: the proof {what}, for the search was stopped"));
    }

    /// Removes a file that proves nothing. A device stays.
    fn remove(&self) {
        if self.path.symlink_metadata().is_ok_and(|data| data.is_file()) {
            let _ = fs::remove_file(&self.path); // nobody takes what is left for a proof: it has no end
        }
    }
}

impl Proving {
    /// Opens the file, if a proof is wanted.
    ///
    /// # Errors
    ///
    /// No proof can be written of such a search; or the file cannot be written.
    pub(super) fn begin(args: &CoverArgs, name: &str, problem: &Problem) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.proof.proof else { return Ok(None) };
        let (engine, format) = (args.effort.engine, args.proof.proof_format);
        if !matches!(engine, EngineKind::Auto | EngineKind::Links) {
            return Err(Failure::new(format_args!(
                "--proof is written by the engine links, expected no --engine {engine}"
            )));
        }
        if format == ProofFormat::Drat {
            proof::drat_solver(problem, |_| ())
                .map_err(|error| Failure::new(format_args!("{name}: no DRAT proof: {error}")))?;
        }
        let file = ProofFile::create(path, args.effort.threads())?;
        Ok(Some(Self { format, problem: name.to_owned(), file }))
    }

    /// A solver that writes the proof, and is stopped by the token where that fails.
    pub(super) fn solver(&self, problem: &Problem, token: &CancelToken) -> Result<Solver, Failure> {
        let sink = self.file.sink(token);
        match self.format {
            ProofFormat::Dlx => Ok(proof::solver(problem, sink)),
            ProofFormat::Drat => proof::drat_solver(problem, sink).map_err(Failure::new),
        }
    }

    /// The limits of the search: one solution is enough to see that there is no proof of there being none.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        if self.format == ProofFormat::Drat { limits.solutions(1) } else { limits }
    }

    /// Refuses a solution where the proof would say that there is none.
    pub(super) fn admit_solution(&self) -> Result<(), Failure> {
        if self.format == ProofFormat::Dlx {
            return Ok(());
        }
        self.file.remove();
        let Self { problem, file, .. } = self;
        let path = file.path.display();
        Err(Failure::new(format_args!(
            "{problem}: has a solution, so that {path} was not kept: DRAT proves that there is none"
        )))
    }

    /// Writes the rest of the proof of a search that ended like this.
    pub(super) fn end(&self, outcome: Outcome, solutions: u64, report: &mut Report) -> Result<(), Failure> {
        self.file.finish()?;
        if solutions > 0 {
            self.admit_solution()?;
        }
        if !outcome.is_exhausted() {
            let what = match self.format {
                ProofFormat::Dlx => "is incomplete",
                ProofFormat::Drat => {
                    self.file.remove();
                    "was not kept"
                }
            };
            self.file.say_incomplete(what, report);
        }
        Ok(())
    }
}

fn lock(writing: &Mutex<Writing>) -> MutexGuard<'_, Writing> {
    writing.lock().unwrap_or_else(PoisonError::into_inner)
}
