//! Instructions instead of seconds, by callgrind: they do not drift.

use std::io;
use std::process::Command;

use crate::contestants::{Contestant, Mode};
use crate::measure::Task;

/// How many instructions a contestant needs from the text to the answer.
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

/// Counts the instructions of several contestants on a subject. Those of a process that does all but the work are
/// taken off.
///
/// # Errors
/// Where valgrind cannot be started.
pub(crate) fn count(
    subject: &str,
    contestants: &[(Contestant, Mode)],
    expected: Option<&str>,
) -> io::Result<Vec<Counted>> {
    let mut idle = 0;
    let mut counted = Vec::new();
    for (at, &(contestant, mode)) in contestants.iter().enumerate() {
        eprintln!("{subject} {} {}", contestant.name(), mode.name());
        let task = Task { contestant, mode, subject: subject.to_owned() };
        if at == 0 {
            idle = run(&task, 0)?.1.unwrap_or(0);
        }
        let (answer, all) = run(&task, 1)?;
        let right = answer.is_some() && (expected.is_none() || answer.as_deref() == expected);
        let instructions = all.filter(|_| right).map(|all| all.saturating_sub(idle));
        counted.push(Counted { subject: task.subject, contestant, mode, instructions });
    }
    Ok(counted)
}

/// The answer after so many passes, and the instructions of the whole process. Valgrind knows no AVX-512, so
/// everybody has the portable code.
fn run(task: &Task, passes: u32) -> io::Result<(Option<String>, Option<u64>)> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(task.arguments(passes, f64::INFINITY)?)
        .env("DLX_SIMD", "portable")
        .output()
        .map_err(no_valgrind)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let answer = text.trim_end().split_once(' ').map(|(_, answer)| answer.to_owned());
    Ok((answer, collected(&String::from_utf8_lossy(&output.stderr))))
}

fn no_valgrind(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("instructions need valgrind, which is not here"),
        _ => error,
    }
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
