//! What is measured: sets of sudokus, one puzzle a line.

use std::{fs, io};

use dlx_benches::sudoku::{EASY, HARD};
use dlx_sudoku::{Digit, Geometry, Grid};
use dlx_tests::corpus;

/// A set of puzzles of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set {
    /// Its name in reports.
    pub(crate) id: &'static str,
    /// Where it is below `shared/data/sudoku`; `None`: the puzzles of this package.
    file: Option<&'static str>,
    /// At most so many puzzles, spread over the file, which may be sorted.
    sample: usize,
    /// Whether the crates for exact cover take part.
    pub(crate) crates: bool,
    /// Whether the backtrackers take part, which need seconds for some puzzles.
    pub(crate) baselines: bool,
    /// Every puzzle has one solution.
    pub(crate) unique: bool,
    /// The time of tdoku 1.0 with AVX-512 over that of the crate sudoku 0.8, where both were measured in one run.
    pub(crate) tdoku: Option<f64>,
}

impl Set {
    const fn whole(id: &'static str, file: &'static str, unique: bool, tdoku: Option<f64>) -> Self {
        Self { id, file: Some(file), sample: usize::MAX, crates: false, baselines: false, unique, tdoku }
    }

    const fn sample(id: &'static str, file: &'static str, sample: usize, baselines: bool) -> Self {
        Self { id, file: Some(file), sample, crates: true, baselines, unique: true, tdoku: None }
    }
}

/// Whole sets for the fast ones, samples and larger grids for everybody.
pub(crate) const SETS: [Set; 15] = [
    Set { file: None, ..Set::sample("built-in", "", usize::MAX, true) },
    Set::whole("easy", "easy_5000.txt", true, Some(1.0)),
    Set::whole("17-clue", "puzzles2_17_clue.txt", true, Some(0.67)),
    Set::whole("top1465", "top1465.txt", true, Some(0.62)),
    Set::whole("hardest 11+", "hardest_11plus_first3000.txt", true, Some(0.55)),
    Set::whole("two or more", "two_or_more_solutions.txt", false, Some(0.79)),
    Set::whole("random clues", "random_clues_5000.txt", false, None),
    Set::sample("easy, 500", "easy_5000.txt", 500, true),
    Set::sample("17-clue, 200", "puzzles2_17_clue.txt", 200, false),
    Set::sample("top1465, 50", "top1465.txt", 50, false),
    Set::sample("top1465, 15", "top1465.txt", 15, true),
    Set::sample("hardest 11+, 50", "hardest_11plus_first3000.txt", 50, false),
    Set::sample("16x16 minimal", "minimal_16x16_10.txt", usize::MAX, false),
    Set::sample("16x16 gecode", "gecode_16x16_20.txt", usize::MAX, false),
    Set::sample("25x25", "dug_25x25_5.txt", usize::MAX, false),
];

impl Set {
    /// The puzzles, one a line; `None` where this clone has none.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(crate) fn text(&self) -> io::Result<Option<String>> {
        let Some(file) = self.file else {
            let lines = EASY.into_iter().chain(HARD.map(|(_, puzzle)| puzzle));
            return Ok(Some(lines.flat_map(|line| [line, "\n"]).collect()));
        };
        let Some(path) = corpus::shared(&format!("data/sudoku/{file}")) else { return Ok(None) };
        let text = fs::read_to_string(path)?;
        let puzzle = |line| str::split_whitespace(line).next().filter(|word| !word.starts_with('#'));
        let puzzles: Vec<&str> = text.lines().filter_map(puzzle).collect();
        let number = self.sample.min(puzzles.len());
        let spread = (0..number).map(|at| puzzles[at * puzzles.len() / number]);
        Ok(Some(spread.flat_map(|line| [line, "\n"]).collect()))
    }
}

/// The shape of the puzzles in a text with a puzzle a line.
pub(crate) fn geometry(text: &str) -> Option<Geometry> {
    let size = text.lines().next()?.len().isqrt();
    let side = u8::try_from(size.isqrt()).ok()?;
    Geometry::new(side, side).ok().filter(|geometry| geometry.size() == size)
}

/// A puzzle of any size: digits as themselves, then letters.
pub(crate) fn grid(geometry: Geometry, line: &str) -> Grid {
    let mut grid = Grid::empty(geometry);
    for (cell, letter) in geometry.cells().zip(line.chars()) {
        grid.set(cell, letter.to_digit(36).and_then(|value| Digit::new(value as u8)));
    }
    grid
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sets_are_of_one_size_and_samples_have_theirs() {
        for set in SETS {
            let Some(text) = set.text().unwrap() else {
                println!("{}: skipped: no ../shared here", set.id);
                continue;
            };
            let size = geometry(&text).unwrap().cell_count();
            assert!(text.lines().all(|line| line.len() == size), "{}", set.id);
            if let Some((_, number)) = set.id.split_once(", ") {
                assert_eq!(text.lines().count().to_string(), number, "{}", set.id);
            }
        }
    }
}
