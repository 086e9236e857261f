//! Whether the digits of a grid clash, and where. Valid is not the same as solvable.

use core::fmt;

use itertools::Itertools;

use crate::{Cell, Digit, Geometry, Grid, House};

/// A digit that a house holds twice. Written `column 1 has 8 twice, in r1c1 and r4c1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The house.
    pub house: House,
    /// The digit.
    pub digit: Digit,
    /// The two cells, in the order in which a reader meets them.
    pub cells: [Cell; 2],
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.cells;
        write!(f, "{} has {} twice, in {first} and {second}", self.house, self.digit)
    }
}

/// All clashes of a grid, rows first, then columns, then boxes; none if the grid is valid.
///
/// A clash is a pair of cells: a digit that is three times in a house makes three clashes there, and two cells that
/// share two houses clash in both. Takes *O*(*n*³) for *n* digits.
///
/// ```
/// use dlx_sudoku::{Grid, validate};
///
/// let grid: Grid = "83..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let clashes: Vec<_> = validate(&grid).iter().map(ToString::to_string).collect();
/// assert_eq!(clashes, ["column 1 has 8 twice, in r1c1 and r4c1", "box 1 has 8 twice, in r1c1 and r3c3"]);
/// # Ok::<(), dlx_sudoku::ParseError>(())
/// ```
pub fn validate(grid: &Grid) -> Vec<Clash> {
    if is_valid(grid) {
        return Vec::new();
    }
    let geometry = grid.geometry();
    let clashes_of = |house: House| {
        let filled = geometry.cells_of(house).filter_map(|cell| Some((cell, grid.get(cell)?)));
        filled.array_combinations().filter_map(move |[(first, digit), (second, other)]| {
            (digit == other).then_some(Clash { house, digit, cells: [first, second] })
        })
    };
    geometry.houses().flat_map(clashes_of).collect()
}

/// Whether no house holds a digit twice: one pass over the cells, for batches.
pub fn is_valid(grid: &Grid) -> bool {
    let mut seen = [[0_u64; Geometry::MAX_SIZE]; 3];
    grid.givens().all(|(cell, digit)| {
        let bit = 1 << digit.index();
        let houses = [cell.row(), cell.column(), grid.geometry().box_of(cell)];
        seen.iter_mut().zip(houses).all(|(digits, house)| {
            let new = digits[house] & bit == 0;
            digits[house] |= bit;
            new
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn clashes(text: &str) -> Vec<String> {
        let grid = text.parse().unwrap();
        let clashes = validate(&grid);
        assert_eq!(clashes.is_empty(), is_valid(&grid));
        clashes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_grid_without_clashes_is_valid_even_if_it_cannot_be_solved() {
        assert!(clashes(&".".repeat(81)).is_empty());
        // Row 1 wants a 9 in its last cell, column 9 has it already.
        assert!(clashes(&format!("12345678.{}9{}", ".".repeat(35), ".".repeat(36))).is_empty());
    }

    #[test]
    fn three_equal_digits_make_three_pairs() {
        let found = clashes(&format!("4...4...4{}", ".".repeat(72)));
        let expected = [
            "row 1 has 4 twice, in r1c1 and r1c5",
            "row 1 has 4 twice, in r1c1 and r1c9",
            "row 1 has 4 twice, in r1c5 and r1c9",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn two_cells_that_share_two_houses_clash_in_both() {
        let found = clashes(&format!("{}7........7{}", ".".repeat(40), ".".repeat(31)));
        assert_eq!(found, ["column 5 has 7 twice, in r5c5 and r6c5", "box 5 has 7 twice, in r5c5 and r6c5"]);
    }
}
