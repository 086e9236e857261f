//! What is counted over the puzzles of a batch: how many had which answer, and how much work they were.

use std::ops::AddAssign;
use std::time::Duration;

use dlx_sudoku::{Solved, Statistics};

use crate::report::{grouped, rate};

/// The sums over some puzzles.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    searched: u64,
    nodes: u64,
    without_guess: u64,
    unique: u64,
    several: u64,
    none: u64,
    stopped: u64,
    malformed: u64,
}

impl Sums {
    /// Adds the work that a puzzle was.
    pub(super) fn add_work(&mut self, statistics: Statistics) {
        self.searched += 1;
        self.nodes += statistics.nodes;
        self.without_guess += u64::from(statistics.solutions > 0 && statistics.guesses == 0);
    }

    /// Adds work that is no search as so many nodes as take about that time.
    pub(super) fn add_time(&mut self, time: Duration) {
        self.nodes += time.as_micros() as u64;
    }

    /// Adds a puzzle's answer.
    pub(super) fn add_answer(&mut self, solved: &Solved) {
        *match solved {
            Solved::Unique(_) => &mut self.unique,
            Solved::Several(_) => &mut self.several,
            Solved::None(_) => &mut self.none,
            Solved::Unknown { .. } => &mut self.stopped,
        } += 1;
    }

    /// Adds a text that is no puzzle.
    pub(super) fn add_malformed(&mut self) {
        self.malformed += 1;
    }

    /// All nodes.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The puzzles that have one solution.
    pub(super) fn unique(&self) -> u64 {
        self.unique
    }

    /// How many puzzles had which answer.
    pub(super) fn answers(&self) -> String {
        let all = self.unique + self.several + self.none + self.stopped + self.malformed;
        let mut text = format!("{all} puzzles: {} with one solution", self.unique);
        for (number, what) in [
            (self.several, "with several solutions"),
            (self.none, "without solution"),
            (self.stopped, "stopped"),
            (self.malformed, "malformed"),
        ] {
            if number > 0 {
                text += &format!(", {number} {what}");
            }
        }
        text
    }

    /// What `--stats` says of a batch that took `time`, reading and printing included.
    pub(super) fn work(&self, time: Duration) -> String {
        let puzzles = self.searched as f64;
        let (microseconds, nodes) = (time.as_secs_f64() * 1e6 / puzzles, self.nodes as f64 / puzzles);
        let share = 100.0 * self.without_guess as f64 / puzzles;
        if self.searched == 0 {
            return "0 puzzles".to_owned();
        }
        format!(
            "{} puzzles in {:.3} s: {} puzzles/s, {microseconds:.1} microseconds a puzzle\n\
             {nodes:.1} nodes a puzzle, {share:.1} % solved without a guess",
            grouped(self.searched),
            time.as_secs_f64(),
            rate(self.searched, time),
        )
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.searched += other.searched;
        self.nodes += other.nodes;
        self.without_guess += other.without_guess;
        self.unique += other.unique;
        self.several += other.several;
        self.none += other.none;
        self.stopped += other.stopped;
        self.malformed += other.malformed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_the_puzzles() {
        let mut sums = Sums::default();
        for (nodes, guesses, solutions) in [(10, 0, 1), (20, 3, 1), (33, 0, 1), (0, 0, 0)] {
            let mut one = Sums::default();
            one.add_work(Statistics { nodes, guesses, solutions });
            sums += one;
        }
        assert_eq!(
            sums.work(Duration::from_millis(2)),
            "4 puzzles in 0.002 s: 2,000 puzzles/s, 500.0 microseconds a puzzle\n\
             15.8 nodes a puzzle, 50.0 % solved without a guess"
        );
    }

    #[test]
    fn no_puzzles_have_no_means() {
        assert_eq!(Sums::default().work(Duration::from_millis(1)), "0 puzzles");
    }
}
