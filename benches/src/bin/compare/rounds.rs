//! Many measurements side by side: A B C A B C, so that what drifts drifts for everybody.

use std::io;

use crate::contestants::{Contestant, Mode};
use crate::measure::{Missing, Run, Task};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Runs of each contestant, those of seconds less often.
    pub(crate) runs: usize,
    /// Seconds after which a contestant is given up.
    pub(crate) longest: f64,
}

/// What a contestant needed.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) contestant: Contestant,
    pub(crate) mode: Mode,
    /// The seconds of each run, sorted; at least one.
    pub(crate) times: Result<Vec<f64>, Missing>,
}

impl Entry {
    /// The median in seconds, of a right answer.
    pub(crate) fn median(&self) -> Option<f64> {
        self.times.as_ref().ok().map(|times| times[times.len() / 2])
    }
}

/// A subject, and what everybody needed.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    pub(crate) subject: String,
    /// The right answer; `None` if nobody knows it and the contestants disagree.
    pub(crate) answer: Option<String>,
    pub(crate) entries: Vec<Entry>,
}

impl Contest {
    /// The median of a contestant.
    pub(crate) fn median(&self, contestant: Contestant, mode: Mode) -> Option<f64> {
        self.entries.iter().find(|entry| (entry.contestant, entry.mode) == (contestant, mode))?.median()
    }

    /// Whether somebody gave a wrong answer or crashed.
    pub(crate) fn has_failure(&self) -> bool {
        let failed = |entry: &Entry| matches!(entry.times, Err(Missing::Wrong(_) | Missing::Crashed));
        self.answer.is_none() || self.entries.iter().any(failed)
    }
}

/// Nobody visits more solutions in a second.
const FASTEST_VISIT: f64 = 1e8;

/// Measures everybody on a subject.
///
/// # Errors
/// Where a process cannot be started.
pub(crate) fn contest(
    subject: &str,
    contestants: &[(Contestant, Mode)],
    expected: Option<&str>,
    effort: Effort,
) -> io::Result<Contest> {
    let hopeless = expected
        .and_then(|count| count.parse::<f64>().ok())
        .is_some_and(|count| count > FASTEST_VISIT * effort.longest);
    let mut runners = Vec::new();
    for &(contestant, mode) in contestants {
        let task = Task { contestant, mode, subject: subject.to_owned() };
        let runner = if mode == Mode::Enumerate && hopeless {
            Runner { task, runs: Err(Missing::TooLong), wanted: 0, passes: 1 }
        } else {
            Runner::first(task, effort)?
        };
        runners.push(runner);
    }
    let rounds = runners.iter().map(|runner| runner.wanted).max().unwrap_or(0);
    for round in 0..rounds {
        for runner in runners.iter_mut().filter(|runner| round < runner.wanted) {
            runner.again(effort)?;
        }
    }
    Ok(judge(subject, expected, runners))
}

/// A contestant's runs so far.
struct Runner {
    task: Task,
    runs: Result<Vec<Run>, Missing>,
    /// Further runs to be done.
    wanted: usize,
    /// The text is worked through so often in each of them.
    passes: u32,
}

impl Runner {
    /// The first run, which tells how many there will be.
    fn first(task: Task, effort: Effort) -> io::Result<Self> {
        let first = task.run(1, effort.longest)?;
        let seconds = first.as_ref().map_or(f64::INFINITY, |run| run.seconds);
        // What is over in no time is repeated within each run; the first run is not comparable then.
        let passes = (0.05 / seconds).clamp(1.0, 1000.0) as u32;
        let wanted = match seconds {
            _ if passes > 1 => effort.runs,
            ..2.0 => effort.runs.saturating_sub(1),
            ..6.0 => effort.runs.min(3).saturating_sub(1),
            _ => 0,
        };
        let runs = first.map(|run| vec![run]);
        Ok(Self { task, runs, wanted, passes })
    }

    fn again(&mut self, effort: Effort) -> io::Result<()> {
        let Ok(runs) = &mut self.runs else { return Ok(()) };
        match self.task.run(self.passes, effort.longest)? {
            Ok(run) => runs.push(run),
            Err(missing) => self.runs = Err(missing),
        }
        Ok(())
    }

    /// The times, if the answer is always the right one.
    fn entry(self, right: Option<&str>) -> Entry {
        let times = self.runs.and_then(|runs| {
            if let Some(wrong) = runs.iter().find(|run| Some(run.answer.as_str()) != right) {
                return Err(Missing::Wrong(wrong.answer.clone()));
            }
            let comparable = runs.iter().skip(usize::from(self.passes > 1 && runs.len() > 1));
            let mut times: Vec<f64> = comparable.map(|run| run.seconds).collect();
            times.sort_by(f64::total_cmp);
            Ok(times)
        });
        Entry { contestant: self.task.contestant, mode: self.task.mode, times }
    }
}

/// The right answer is the known one, or else the one that all agree on.
fn judge(subject: &str, expected: Option<&str>, runners: Vec<Runner>) -> Contest {
    let mut answers = runners.iter().filter_map(|runner| runner.runs.as_ref().ok()).flatten();
    let first = answers.next().map(|run| run.answer.clone());
    let agreed = first.filter(|first| answers.all(|run| run.answer == *first));
    let answer = expected.map(str::to_owned).or(agreed);
    let entries = runners.into_iter().map(|runner| runner.entry(answer.as_deref())).collect();
    Contest { subject: subject.to_owned(), answer, entries }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use dlx_core::EngineKind;

    use super::*;

    fn runner(contestant: Contestant, answers: &[&str]) -> Runner {
        let task = Task { contestant, mode: Mode::Enumerate, subject: "s".to_owned() };
        let run = |(at, answer): (usize, &&str)| Run { seconds: at as f64, answer: (*answer).to_owned() };
        let runs = answers.iter().enumerate().map(run).collect();
        Runner { task, runs: Ok(runs), wanted: 0, passes: 1 }
    }

    #[test]
    fn a_wrong_answer_has_no_time() {
        let ours = Contestant::Ours(EngineKind::Auto);
        let runners = || vec![runner(ours, &["92", "92", "92"]), runner(Contestant::Dlx, &["92", "91"])];
        let known = judge("s", Some("92"), runners());
        assert_eq!(known.entries[0].median(), Some(1.0));
        assert_eq!(known.entries[1].times, Err(Missing::Wrong("91".to_owned())));
        assert_eq!(known.entries[1].median(), None);
        assert!(known.has_failure());
        let unknown = judge("s", None, runners());
        assert_eq!(unknown.answer, None);
        assert!(unknown.has_failure() && unknown.entries.iter().all(|entry| entry.median().is_none()));
    }

    #[test]
    fn what_all_agree_on_is_right_where_nothing_is_known() {
        let contest =
            judge("s", None, vec![runner(Contestant::Dlx, &["5"]), runner(Contestant::DlxRs, &["5"])]);
        assert_eq!(contest.answer.as_deref(), Some("5"));
        assert!(!contest.has_failure());
    }
}
