//! Sudoku: puzzles to measure with, and the torus as a solver of them. The other contestants are the engines of
//! `dlx_sudoku` itself, two plain backtrackers among them.

use std::ops::ControlFlow;

use dlx_sudoku::{Grid, encode};

use crate::torus::Torus;

/// Newspaper puzzles: forced moves all the way, or nearly so.
pub const EASY: [&str; 4] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
    "..9748...7.........2.1.9.....7...24..64.1.59..98...3.....8.3.2.........6...2759..",
    "2...8.3...6..7..84.3.5..2.9...1.54.8.........4.27.6...3.1..7.4.72..4..6...4.1...3",
];

/// Puzzles that were each called the hardest once, by name.
pub const HARD: [(&str, &str); 5] = [
    ("AI Escargot", "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."),
    ("Easter Monster", "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"),
    ("Golden Nugget", ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."),
    ("Platinum Blonde", ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."),
    ("Inkala 2012", "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."),
];

/// Counts a puzzle's solutions, up to a limit of at least 1, on a torus of [`encode::problem`] that is kept from
/// puzzle to puzzle, as `dlx_sudoku` keeps its links: only the givens are assumed.
pub fn count_on_torus(torus: &mut Torus<'_>, grid: &Grid, limit: u64) -> u64 {
    torus.reset();
    if !encode::assumptions(grid).all(|option| torus.assume(option)) {
        return 0; // two givens clash
    }
    let mut left = limit;
    let tally = torus.for_each(|_| {
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    tally.solutions
}
