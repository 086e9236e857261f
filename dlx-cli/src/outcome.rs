//! How a run ends: the exit codes, which one wins when several things happened, and the words that
//! say whether an answer is complete.

use std::fmt::Display;
use std::process::ExitCode;

use dlx_core::{Outcome, StopReason};

/// What the exit code says, in rising order of what wins in a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done, or found.
    #[default]
    Done,
    /// Proved that there is no solution, or a check failed.
    Nothing,
    /// Stopped by a limit before the answer was known.
    Stopped,
    /// The arguments, the input or a file are at fault.
    Fault,
    /// Whoever read the output has left, as `head` does when it has enough.
    Unread,
    /// Ended by the signal with this number.
    Signal(u8),
}

impl Exit {
    /// The more serious of the two.
    pub(crate) fn worst(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        let code = match exit {
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Fault => 2,
            Exit::Stopped => 3,
            Exit::Unread => 128 + 13, // as if SIGPIPE had ended it
            Exit::Signal(number) => 128 + number,
        };
        Self::from(code)
    }
}

/// Why a run cannot go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something to tell the user: `FILE:LINE:COL: what is wrong, what was expected`.
    Message(String),
    /// Nobody reads the output any more; there is nobody to tell.
    Unread,
}

impl Failure {
    pub(crate) fn new(message: impl Display) -> Self {
        Self::Message(message.to_string())
    }
}

/// The exit code of a search that was asked for everything within the limits.
///
/// A limit on solutions was asked for, so reaching it is success; any other stop leaves the
/// question open.
pub(crate) fn exit_of(outcome: Outcome, signal: Option<u8>) -> Exit {
    match (outcome, signal) {
        (Outcome::Stopped(StopReason::Cancelled), Some(number)) => Exit::Signal(number),
        (Outcome::Exhausted | Outcome::Stopped(StopReason::Solutions), _) => Exit::Done,
        (Outcome::Stopped(_), _) => Exit::Stopped,
    }
}

/// Why a search stopped, in the words of a summary.
pub(crate) fn stop_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Solutions => "solution limit",
        StopReason::Nodes => "node limit",
        StopReason::Time => "time limit",
        StopReason::Cancelled => "interrupted",
        _ => "stopped",
    }
}

/// Why a search stopped, in JSON: `solution`, `node`, `time`, `interrupted`; `None` for a complete answer.
pub(crate) fn stop_name(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Exhausted => None,
        Outcome::Stopped(reason) => stop_words(reason).split(' ').next(),
    }
}

/// `92 solutions (complete)` or `at least 57 solutions (time limit)`.
pub(crate) fn summary(count: impl Display, outcome: Outcome) -> String {
    summary_of(solutions(count), outcome)
}

/// The same for a number of something that is said in `found`.
pub(crate) fn summary_of(found: impl Display, outcome: Outcome) -> String {
    match outcome {
        Outcome::Exhausted => format!("{found} (complete)"),
        Outcome::Stopped(reason) => format!("at least {found} ({})", stop_words(reason)),
    }
}

/// `1 solution`, `92 solutions`.
pub(crate) fn solutions(count: impl Display) -> String {
    let count = count.to_string();
    let noun = if count == "1" { "solution" } else { "solutions" };
    format!("{count} {noun}")
}
