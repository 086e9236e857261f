//! The progress line of a search: how much of the tree is done, and how long the rest will take if that goes on so.

use std::time::Duration;

use dlx_core::{Checkpoint, Solver};

use crate::report::{grouped, rate};

/// How many characters the bar has.
const WIDTH: usize = 20;

/// How far a search has come.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    pub(super) solutions: u64,
    pub(super) nodes: u64,
    pub(super) share: Option<f64>, // of the tree, from 0 to 1, where that is known
}

impl From<&Solver> for Progress {
    fn from(solver: &Solver) -> Self {
        let now = solver.statistics();
        Self { solutions: now.solutions, nodes: now.nodes, share: solver.progress() }
    }
}

impl From<&Checkpoint> for Progress {
    fn from(checkpoint: &Checkpoint) -> Self {
        let done = checkpoint.statistics();
        Self { solutions: done.solutions, nodes: done.nodes, share: Some(checkpoint.progress()) }
    }
}

impl From<&dlx_core::Progress> for Progress {
    fn from(search: &dlx_core::Progress) -> Self {
        Self { solutions: search.solutions(), nodes: search.nodes(), share: Some(search.share()) }
    }
}

impl Progress {
    /// The line, for a search that has come here from `past` in that time.
    pub(super) fn line(self, past: Self, elapsed: Duration) -> String {
        let (solutions, nodes) = (grouped(self.solutions), grouped(self.nodes));
        let speed = rate(self.nodes.saturating_sub(past.nodes), elapsed);
        let figures = format!("{solutions} solutions, {nodes} nodes, {speed}/s, {} s", elapsed.as_secs());
        let Some(share) = self.share else { return figures };
        let filled = (share * WIDTH as f64) as usize;
        let bar = format!("[{:.<WIDTH$}] {:.2} %", "#".repeat(filled), 100.0 * share);
        match time_left(past.share.unwrap_or_default(), share, elapsed) {
            Some(left) => format!("{bar}, {left} left, {figures}"),
            None => format!("{bar}, {figures}"),
        }
    }
}

/// The time that the rest takes, in its two largest units; `None` if nothing can be said.
fn time_left(past: f64, share: f64, elapsed: Duration) -> Option<String> {
    let seconds = elapsed.as_secs_f64() * (1.0 - share) / (share - past);
    let left = Duration::try_from_secs_f64(seconds.ceil()).ok().filter(|_| share > past)?;
    let text = humantime::format_duration(left).to_string();
    Some(text.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_much_is_done_and_left() {
        let past = Progress { solutions: 1, nodes: 1000, share: Some(0.25) };
        let now = Progress { solutions: 1234, nodes: 2000, share: Some(0.5) };
        let line = now.line(past, Duration::from_secs(10));
        assert_eq!(
            line,
            "[##########..........] 50.00 %, 20s left, 1,234 solutions, 2,000 nodes, 100/s, 10 s"
        );
        let unknown = Progress { share: None, ..now }.line(past, Duration::from_secs(10));
        assert_eq!(unknown, "1,234 solutions, 2,000 nodes, 100/s, 10 s");
    }

    #[test]
    fn the_time_left_is_short_to_read() {
        for (share, expected) in [
            (0.5, Some("1m 40s")),
            (0.01, Some("2h 45m")),
            (1e-6, Some("3years 2months")),
            (1.0, Some("0s")),
            (0.0, None),
            (1e-300, None),
        ] {
            assert_eq!(time_left(0.0, share, Duration::from_secs(100)).as_deref(), expected, "{share}");
        }
    }
}
