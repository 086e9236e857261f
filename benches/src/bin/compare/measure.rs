//! One measurement, in a process of its own: a contestant that takes too long, panics or wants all the memory ends
//! alone, and every run begins with the same fresh heap.
//!
//! Processor time of the process is measured, from the text in memory to the answer: the figures of a busy machine are
//! too long by what its caches lose, not by what others do meanwhile.

use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;
use std::{env, io, thread};

use cpu_time::ProcessTime;

use crate::contestants::{Contestant, Mode, answer};

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) contestant: Contestant,
    pub(crate) mode: Mode,
    /// The exact cover problem or the set of puzzles.
    pub(crate) subject: String,
}

/// A run that came to its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// Seconds from the text to the answer, the mean over all passes.
    pub(crate) seconds: f64,
    pub(crate) answer: String,
}

/// Why there is no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The contestant cannot do it.
    Unable,
    /// It was given up after the longest time allowed, or would have to visit too many solutions.
    TooLong,
    /// It crashed.
    Crashed,
    /// Its answer is wrong, or not that of the others.
    Wrong(String),
}

const TOO_LONG: u8 = 3;
const UNABLE: u8 = 4;

impl Task {
    /// This program's command line for the task.
    ///
    /// # Errors
    /// Where this program does not know where it is.
    pub(crate) fn arguments(&self, passes: u32, longest: f64) -> io::Result<Vec<String>> {
        let program = env::current_exe()?.to_string_lossy().into_owned();
        let (contestant, mode) = (self.contestant.name(), self.mode.name());
        let numbers = (passes.to_string(), longest.to_string());
        Ok([&program, "--longest", &numbers.1, "--one", contestant, mode, &self.subject, &numbers.0]
            .map(str::to_owned)
            .to_vec())
    }

    /// Runs it in a process of its own, so many passes, for at most `longest` seconds of processor time.
    ///
    /// # Errors
    /// Where the process cannot be started.
    pub(crate) fn run(&self, passes: u32, longest: f64) -> io::Result<Result<Run, Missing>> {
        let arguments = self.arguments(passes, longest)?;
        let output = Command::new(&arguments[0]).args(&arguments[1..]).stderr(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(match output.status.code() {
            Some(0) => parse(&text).ok_or(Missing::Crashed),
            Some(code) if code == i32::from(TOO_LONG) => Err(Missing::TooLong),
            Some(code) if code == i32::from(UNABLE) => Err(Missing::Unable),
            _ => Err(Missing::Crashed),
        })
    }
}

/// Reads what [`here`] wrote.
fn parse(line: &str) -> Option<Run> {
    let (seconds, answer) = line.trim_end().split_once(' ')?;
    Some(Run { seconds: seconds.parse().ok()?, answer: answer.to_owned() })
}

/// The other end: measures in this process and writes the result; of no passes, that is no number and no answer.
pub(crate) fn here(contestant: Contestant, mode: Mode, text: &str, passes: u32, longest: f64) -> ExitCode {
    watch(longest);
    let begun = ProcessTime::now();
    let mut result = None;
    for _ in 0..passes {
        result = answer(contestant, mode, text);
        if result.is_none() {
            return ExitCode::from(UNABLE);
        }
    }
    let seconds = begun.elapsed().as_secs_f64() / f64::from(passes);
    println!("{seconds} {}", result.unwrap_or_default());
    ExitCode::SUCCESS
}

/// Ends the process when it has used so many seconds.
fn watch(longest: f64) {
    if longest.is_finite() {
        let begun = ProcessTime::now();
        thread::spawn(move || {
            while begun.elapsed().as_secs_f64() < longest {
                thread::sleep(Duration::from_millis(50));
            }
            std::process::exit(TOO_LONG.into());
        });
    }
}
