//! The proof that a search writes while it goes: its file, and what becomes of it when the search does not end as it should.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dlx_core::{CancelToken, EngineKind, Limits, Outcome, Problem, Solver, proof};

use crate::args::{CoverArgs, ProofFormat};
use crate::outcome::Failure;
use crate::output::Output;
use crate::report::Report;

/// A proof under way.
pub(super) struct Proving {
    format: ProofFormat,
    path: PathBuf,
    problem: String, // what messages call it
    file: Arc<Mutex<ProofFile>>,
}

/// What the search writes to. It cannot fail, so that the failure waits here.
struct ProofFile {
    output: Output,
    failure: Option<Failure>,
}

impl Proving {
    /// Opens the file, if a proof is wanted.
    ///
    /// # Errors
    ///
    /// No proof can be written of such a search; or the file cannot be written.
    pub(super) fn begin(args: &CoverArgs, name: &str, problem: &Problem) -> Result<Option<Self>, Failure> {
        let Some(path) = args.proof.proof.clone() else { return Ok(None) };
        let (engine, format) = (args.effort.engine, args.proof.proof_format);
        if args.effort.threads() != 1 {
            return Err(Failure::new("--proof is written by one thread, expected no -j or -j 1"));
        }
        if !matches!(engine, EngineKind::Auto | EngineKind::Links) {
            return Err(Failure::new(format_args!(
                "--proof is written by the engine links, expected no --engine {engine}"
            )));
        }
        if path.as_os_str() == "-" {
            return Err(Failure::new("--proof -: standard output is for the results, expected a file"));
        }
        if format == ProofFormat::Drat {
            proof::drat_solver(problem, |_| ())
                .map_err(|error| Failure::new(format_args!("{name}: no DRAT proof: {error}")))?;
        }
        let file = ProofFile { output: Output::open(Some(&path))?, failure: None };
        Ok(Some(Self { format, path, problem: name.to_owned(), file: Arc::new(Mutex::new(file)) }))
    }

    /// A solver that writes the proof, and is stopped by the token where that fails.
    pub(super) fn solver(&self, problem: &Problem, token: &CancelToken) -> Result<Solver, Failure> {
        let (file, token) = (Arc::clone(&self.file), token.clone());
        let sink = move |bytes: &[u8]| {
            let mut file = lock(&file);
            if file.failure.is_none()
                && let Err(failure) = file.output.bytes(bytes)
            {
                file.failure = Some(failure);
                token.cancel();
            }
        };
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
        self.remove();
        let Self { path, problem, .. } = self;
        let path = path.display();
        Err(Failure::new(format_args!(
            "{problem}: has a solution, so that {path} was not kept: DRAT proves that there is none"
        )))
    }

    /// Writes the rest of the proof of a search that ended like this.
    pub(super) fn end(&self, outcome: Outcome, solutions: u64, report: &mut Report) -> Result<(), Failure> {
        let ProofFile { output, failure } = &mut *lock(&self.file);
        output.finish()?;
        if let Some(failure) = failure.take() {
            return Err(failure);
        }
        if solutions > 0 {
            self.admit_solution()?;
        }
        if !outcome.is_exhausted() {
            let what = match self.format {
                ProofFormat::Dlx => "is incomplete",
                ProofFormat::Drat => {
                    self.remove();
                    "was not kept"
                }
            };
            report.message(format_args!(
                "{}: the proof {what}, for the search was stopped",
                self.path.display()
            ));
        }
        Ok(())
    }

    /// Removes a file that proves nothing. A device stays.
    fn remove(&self) {
        if self.path.symlink_metadata().is_ok_and(|data| data.is_file()) {
            let _ = fs::remove_file(&self.path); // nobody takes what is left for a proof: it has no end
        }
    }
}

fn lock(file: &Mutex<ProofFile>) -> MutexGuard<'_, ProofFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}
