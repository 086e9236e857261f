//! Puzzles whose givens stand in the cells of a pattern.
//!
//! The cells begin with the digits of a random full grid. Then one or two of them change at a time; what has not more
//! solutions than before, and has one, is kept, down to the only one.

use dlx_core::StopReason;

use super::{Attempt, Draft, Found, PATIENCE};
use crate::{Cell, Digit, Grid};

/// More solutions than this are not counted.
const MANY: u64 = 1000;

impl Attempt<'_> {
    /// A puzzle with givens in the cells that this grid has filled.
    pub(super) fn patterned(&mut self, pattern: &Grid) -> Result<Grid, StopReason> {
        let cells: Vec<_> = pattern.givens().map(|(cell, _)| cell).collect();
        loop {
            let Draft { solution, mut puzzle, .. } = self.begin(pattern.geometry())?;
            puzzle.clear();
            cells.iter().for_each(|&cell| puzzle.set(cell, solution.get(cell)));
            let mut solutions = self.meter.count_up_to(MANY, &puzzle)?;
            let mut in_vain = 0;
            while in_vain < 10 * PATIENCE {
                if solutions == 1 && (!self.minimal || self.is_minimal(&mut puzzle, &cells)?) {
                    return Ok(puzzle);
                }
                in_vain += 1;
                let mut next = puzzle.clone();
                self.change(&mut next, &cells);
                let left = self.meter.count_up_to((solutions + 1).min(MANY), &next)?;
                if left > 0 && left <= solutions {
                    in_vain = if left < solutions { 0 } else { in_vain };
                    (puzzle, solutions) = (next, left);
                }
            }
        }
    }

    /// Puts other digits into one or two of the cells, which do not clash.
    fn change(&mut self, puzzle: &mut Grid, cells: &[Cell]) {
        let geometry = puzzle.geometry();
        for _ in 0..if cells.is_empty() { 0 } else { 1 + self.random.below(2) } {
            let cell = cells[self.random.below(cells.len())];
            let all = u64::MAX >> (64 - geometry.size());
            let taken = geometry.peers(cell).filter_map(|peer| puzzle.get(peer));
            let allowed = taken.fold(all, |digits, digit| digits & !(1 << digit.index()));
            if allowed != 0 {
                puzzle.set(cell, Digit::new(self.random.bit(allowed) as u8 + 1));
            }
        }
    }

    /// Whether none of the givens can be taken away.
    fn is_minimal(&mut self, puzzle: &mut Grid, cells: &[Cell]) -> Result<bool, StopReason> {
        for &cell in cells {
            let digit = puzzle.get(cell);
            puzzle.set(cell, None);
            let found = self.meter.count(puzzle)?;
            puzzle.set(cell, digit);
            if found != Found::Several {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
