//! How much work a batch was: what `--stats` says.

use std::time::Duration;

use dlx_sudoku::Statistics;

use crate::report::{grouped, rate};

/// The sums over the puzzles of a batch.
#[derive(Default)]
pub(super) struct Work {
    puzzles: u64,
    nodes: u64,
    without_guess: u64,
}

impl Work {
    /// Adds one puzzle.
    pub(super) fn add(&mut self, statistics: Statistics) {
        self.puzzles += 1;
        self.nodes += statistics.nodes;
        self.without_guess += u64::from(statistics.solutions > 0 && statistics.guesses == 0);
    }

    /// The figures for a batch that took `time`, reading and printing included.
    pub(super) fn figures(&self, time: Duration) -> String {
        let puzzles = self.puzzles as f64;
        let (microseconds, nodes) = (time.as_secs_f64() * 1e6 / puzzles, self.nodes as f64 / puzzles);
        let share = 100.0 * self.without_guess as f64 / puzzles;
        if self.puzzles == 0 {
            return "0 puzzles".to_owned();
        }
        format!(
            "{} puzzles in {:.3} s: {} puzzles/s, {microseconds:.1} microseconds a puzzle\n\
             {nodes:.1} nodes a puzzle, {share:.1} % solved without a guess",
            grouped(self.puzzles),
            time.as_secs_f64(),
            rate(self.puzzles, time),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_the_puzzles() {
        let mut work = Work::default();
        for (nodes, guesses, solutions) in [(10, 0, 1), (20, 3, 1), (33, 0, 1), (0, 0, 0)] {
            work.add(Statistics { nodes, guesses, solutions });
        }
        assert_eq!(
            work.figures(Duration::from_millis(2)),
            "4 puzzles in 0.002 s: 2,000 puzzles/s, 500.0 microseconds a puzzle\n\
             15.8 nodes a puzzle, 50.0 % solved without a guess"
        );
    }

    #[test]
    fn no_puzzles_have_no_means() {
        assert_eq!(Work::default().figures(Duration::from_millis(1)), "0 puzzles");
    }
}
