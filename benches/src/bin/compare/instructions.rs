//! Instructions instead of seconds, by callgrind: they do not drift.

use std::io;
use std::process::Command;

use crate::contestants::{Contestant, Mode};
use crate::measure::Task;

/// How many instructions a contestant needs for a subject, its process included.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) subject: String,
    pub(crate) contestant: Contestant,
    pub(crate) mode: Mode,
    /// `None` if the contestant cannot do it, or its answer is wrong.
    pub(crate) instructions: Option<u64>,
}

/// The exact covers for which they are counted: short, as callgrind takes fifty times as long.
pub(crate) const COVERS: [&str; 4] = ["queens10", "pent3x20", "langford8", "gracW6"];

/// The sets of sudokus, the first of these that is there.
pub(crate) const SETS: [&str; 2] = ["top1465, 50", "built-in"];

/// Counts a task's instructions. Valgrind knows no AVX-512, so everybody has the portable code.
///
/// # Errors
/// Where there is no valgrind ([`io::ErrorKind::NotFound`]) or it cannot be started.
pub(crate) fn count(task: &Task, expected: Option<&str>) -> io::Result<Counted> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(task.arguments(1, f64::INFINITY)?)
        .env("DLX_SIMD", "portable")
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let answer = text.trim_end().split_once(' ').map(|(_, answer)| answer);
    let right = answer.is_some() && (expected.is_none() || answer == expected);
    Ok(Counted {
        subject: task.subject.clone(),
        contestant: task.contestant,
        mode: task.mode,
        instructions: collected(&String::from_utf8_lossy(&output.stderr)).filter(|_| right),
    })
}

/// The figure in callgrind's words: `==123== Collected : 456`.
fn collected(words: &str) -> Option<u64> {
    let figures = words.lines().find_map(|line| line.split_once("Collected :"))?.1;
    figures.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_is_found_in_callgrinds_words() {
        let words = "==7== Events    : Ir\n==7== Collected : 157304\n==7== \n==7== I   refs:      157,304\n";
        assert_eq!(collected(words), Some(157_304));
        assert_eq!(collected("valgrind: no"), None);
    }
}
