//! Problems on boards: queens that leave each other alone, and shapes that fill a region.

use std::collections::BTreeSet;

use itertools::{Itertools, iproduct};

use super::table;
use crate::{Entry, Instance, Known};

/// In which order [`queens`] names rows, columns and options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueenOrder {
    /// From 0 to n - 1, all rows before all columns.
    Natural,
    /// From the middle outwards, row and column by turns, as the pipes of an organ stand (Knuth, 7.2.2.1): ties in the
    /// choice of the smallest item go to the middle of the board, where a queen excludes most.
    OrganPipe,
}

/// n queens on an n x n board, no two on one line: rows and columns are primary, diagonals of two cells or more
/// secondary. Source of the counts: OEIS A000170.
///
/// ```
/// use dlx_tests::generators::{QueenOrder, queens};
///
/// let eight = queens(8, QueenOrder::OrganPipe);
/// assert_eq!((eight.primary.len(), eight.secondary.len(), eight.options.len()), (16, 26, 64));
/// assert_eq!(eight.known.unwrap().count, 92);
/// ```
#[must_use]
pub fn queens(n: usize, order: QueenOrder) -> Instance {
    let natural = order == QueenOrder::Natural;
    let lines: Vec<usize> = if natural { (0..n).collect() } else { organ_pipe(n) };
    let rows = lines.iter().map(|i| format!("r{i}"));
    let columns = lines.iter().map(|j| format!("c{j}"));
    // A diagonal of one cell, the first and the last of its direction, excludes nothing.
    let inner = 1..(2 * n).saturating_sub(2);
    let diagonals = inner.len();
    let item_of = |direction: usize, k: usize| {
        inner.contains(&k).then_some((2 * n + direction * diagonals + k - 1, None))
    };
    let option = |(row, column): (usize, usize)| {
        let (i, j) = (lines[row], lines[column]);
        let primary: [Entry; 2] = if natural {
            [(row, None), (n + column, None)]
        } else {
            [(2 * row, None), (2 * column + 1, None)]
        };
        primary.into_iter().chain(item_of(0, i + j)).chain(item_of(1, n - 1 + i - j)).collect()
    };
    Instance {
        name: format!("queens {n}{}", if natural { "" } else { ", organ-pipe order" }),
        primary: if natural { rows.chain(columns).collect() } else { rows.interleave(columns).collect() },
        secondary: iproduct!(["a", "b"], inner.clone())
            .map(|(direction, k)| format!("{direction}{k}"))
            .collect(),
        bounds: Vec::new(),
        options: iproduct!(0..n, 0..n).map(option).collect(),
        known: table(
            "OEIS A000170",
            0,
            &[1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512],
            n,
        ),
    }
}

/// 0 to n - 1 from the middle outwards: 3 4 2 5 1 6 0 7.
fn organ_pipe(n: usize) -> Vec<usize> {
    let middle = n / 2;
    let down = (0..middle).rev();
    let up = middle..n;
    if n.is_multiple_of(2) { down.interleave(up).collect() } else { up.interleave(down).collect() }
}

/// A cell of the square grid: row and column.
pub type Cell = (i32, i32);

/// A shape with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name as an item.
    pub name: &'static str,
    /// Its cells in one orientation, anywhere on the grid.
    pub cells: Vec<Cell>,
}

/// The different orientations of a shape, rotated and reflected, each moved to rows and columns from 0 and its cells
/// in order.
///
/// ```
/// use dlx_tests::generators::orientations;
///
/// assert_eq!(orientations(&[(5, 5), (5, 6)]), [[(0, 0), (0, 1)], [(0, 0), (1, 0)]]);
/// ```
#[must_use]
pub fn orientations(cells: &[Cell]) -> Vec<Vec<Cell>> {
    let turn = |shape: &Vec<Cell>| shape.iter().map(|&(i, j)| (j, -i)).collect();
    let mirror = |shape: &[Cell]| shape.iter().map(|&(i, j)| (i, -j)).collect();
    let mut found = BTreeSet::new();
    for start in [cells.to_vec(), mirror(cells)] {
        found.extend(itertools::iterate(start, turn).take(4).map(|shape| normalised(&shape)));
    }
    found.into_iter().collect()
}

fn normalised(shape: &[Cell]) -> Vec<Cell> {
    let top = shape.iter().map(|cell| cell.0).min().unwrap_or(0);
    let left = shape.iter().map(|cell| cell.1).min().unwrap_or(0);
    shape.iter().map(|&(i, j)| (i - top, j - left)).sorted().collect()
}

/// The cells of a rectangle, row by row.
#[must_use]
pub fn rectangle(rows: i32, columns: i32) -> Vec<Cell> {
    iproduct!(0..rows, 0..columns).collect()
}

/// Each piece once, in any orientation, so that they fill the region: pieces and cells are primary.
///
/// Options come piece by piece, orientation by orientation, position by position.
///
/// ```
/// use dlx_tests::generators::{Piece, pack, rectangle};
/// use dlx_tests::brute;
///
/// let i = Piece { name: "I", cells: vec![(0, 0), (0, 1)] };
/// let l = Piece { name: "L", cells: vec![(0, 0), (1, 0), (1, 1), (2, 1)] };
/// assert!(brute::search(&pack("no way", &[i, l], &rectangle(2, 3))).is_empty());
/// ```
#[must_use]
pub fn pack(name: &str, pieces: &[Piece], region: &[Cell]) -> Instance {
    let mut options = Vec::new();
    for (item, piece) in pieces.iter().enumerate() {
        for cells in placements(&piece.cells, region) {
            let entries = cells.into_iter().map(|cell| pieces.len() + cell);
            options.push([item].into_iter().chain(entries).map(|item| (item, None)).collect());
        }
    }
    let names = pieces.iter().map(|piece| piece.name.to_owned());
    Instance {
        name: name.to_owned(),
        primary: names.chain(region.iter().map(cell_name)).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options,
        known: None,
    }
}

/// Any number of each shape, in any orientation, so that they fill the region: cells are primary.
///
/// ```
/// use dlx_tests::generators::{rectangle, tile};
/// use dlx_tests::brute;
///
/// let corners_gone: Vec<_> = rectangle(4, 4).into_iter().filter(|cell| ![(0, 0), (3, 3)].contains(cell)).collect();
/// let dominoes = tile("mutilated board", &[&[(0, 0), (0, 1)]], &corners_gone);
/// assert!(brute::search(&dominoes).is_empty()); // more black cells than white ones
/// ```
#[must_use]
pub fn tile(name: &str, shapes: &[&[Cell]], region: &[Cell]) -> Instance {
    let options = shapes.iter().flat_map(|shape| placements(shape, region));
    Instance {
        name: name.to_owned(),
        primary: region.iter().map(cell_name).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: options.map(|cells| cells.into_iter().map(|cell| (cell, None)).collect()).collect(),
        known: None,
    }
}

fn cell_name(&(i, j): &Cell) -> String {
    format!("{i},{j}")
}

/// Every way to lay a shape into a region, as places in the list of cells.
fn placements(shape: &[Cell], region: &[Cell]) -> Vec<Vec<usize>> {
    let place: std::collections::HashMap<Cell, usize> = region.iter().copied().zip(0..).collect();
    let extent = |part: fn(&Cell) -> i32| region.iter().map(part).minmax().into_option();
    let (Some((top, bottom)), Some((left, right))) = (extent(|c| c.0), extent(|c| c.1)) else {
        return Vec::new();
    };
    iproduct!(orientations(shape), top..=bottom, left..=right)
        .filter_map(|(cells, di, dj)| {
            cells.iter().map(|&(i, j)| place.get(&(i + di, j + dj)).copied()).collect()
        })
        .collect()
}

/// The twelve pentominoes under Conway's and Golomb's letters.
#[must_use]
pub fn pentominoes() -> Vec<Piece> {
    [
        ("F", [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)]),
        ("I", [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]),
        ("L", [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)]),
        ("N", [(0, 0), (0, 1), (0, 2), (1, 2), (1, 3)]),
        ("P", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]),
        ("T", [(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)]),
        ("U", [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]),
        ("V", [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]),
        ("W", [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]),
        ("X", [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]),
        ("Y", [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1)]),
        ("Z", [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]),
    ]
    .map(|(name, cells)| Piece { name, cells: cells.to_vec() })
    .to_vec()
}

/// The twelve pentominoes in a rectangle of 60 cells. Source of the counts: Haselgrove 1960, times 4 for the
/// symmetries of the rectangle.
///
/// ```
/// use dlx_tests::generators::pentominoes_in_rectangle;
///
/// let long = pentominoes_in_rectangle(3, 20);
/// assert_eq!((long.primary.len(), long.options.len()), (72, 1236));
/// assert_eq!(long.known.unwrap().count, 8);
/// ```
#[must_use]
pub fn pentominoes_in_rectangle(rows: i32, columns: i32) -> Instance {
    let count = match (rows.min(columns), rows.max(columns)) {
        (3, 20) => Some(4 * 2),
        (4, 15) => Some(4 * 368),
        (5, 12) => Some(4 * 1010),
        (6, 10) => Some(4 * 2339),
        _ => None,
    };
    let instance = pack(&format!("pentominoes {rows}x{columns}"), &pentominoes(), &rectangle(rows, columns));
    Instance { known: count.map(|count| Known { count, source: "Haselgrove 1960" }), ..instance }
}

/// The twelve pentominoes on a chessboard without its four middle cells. Source of the count: Scott 1958, 65 up to the
/// eight symmetries of the board.
///
/// ```
/// use dlx_tests::generators::pentominoes_on_chessboard;
///
/// let board = pentominoes_on_chessboard();
/// assert_eq!((board.primary.len(), board.options.len()), (72, 1568));
/// assert_eq!(board.known.unwrap().count, 520);
/// ```
#[must_use]
pub fn pentominoes_on_chessboard() -> Instance {
    let hole = |&(i, j): &Cell| (3..5).contains(&i) && (3..5).contains(&j);
    let region: Vec<Cell> = rectangle(8, 8).into_iter().filter(|cell| !hole(cell)).collect();
    let instance = pack("pentominoes 8x8 without the middle", &pentominoes(), &region);
    Instance { known: Some(Known { count: 8 * 65, source: "Scott 1958" }), ..instance }
}

/// Domino tilings of a rectangle. Source of the counts: OEIS A004003 for squares of even side.
///
/// ```
/// use dlx_tests::generators::domino_tilings;
///
/// assert_eq!(domino_tilings(8, 8).known.unwrap().count, 12_988_816);
/// ```
#[must_use]
pub fn domino_tilings(rows: i32, columns: i32) -> Instance {
    let counts: [u128; 9] = [
        1,
        2,
        36,
        6728,
        12_988_816,
        258_584_046_368,
        53_060_477_521_960_000,
        112_202_208_776_036_178_000_000,
        2_444_888_770_250_892_795_802_079_170_816,
    ];
    let square = rows == columns && rows % 2 == 0;
    let half = usize::try_from(rows / 2).ok().filter(|_| square);
    let instance =
        tile(&format!("dominoes {rows}x{columns}"), &[&[(0, 0), (0, 1)]], &rectangle(rows, columns));
    Instance { known: half.and_then(|half| table("OEIS A004003", 0, &counts, half)), ..instance }
}

/// Tilings of a rectangle with L-trominoes.
///
/// The count for two rows is by argument: the pieces pair up to 2 x 3 rectangles side by side, each in two ways.
///
/// ```
/// use dlx_tests::generators::l_tromino_tilings;
///
/// assert_eq!(l_tromino_tilings(2, 9).known.unwrap().count, 8);
/// ```
#[must_use]
pub fn l_tromino_tilings(rows: i32, columns: i32) -> Instance {
    let known = match (rows, u32::try_from(columns)) {
        (2, Ok(columns)) if columns % 3 == 0 => Some(Known { count: 1 << (columns / 3), source: "argument" }),
        _ => None,
    };
    let shape: &[Cell] = &[(0, 0), (1, 0), (1, 1)];
    Instance { known, ..tile(&format!("L-trominoes {rows}x{columns}"), &[shape], &rectangle(rows, columns)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organ_pipes_stand_around_the_middle() {
        assert_eq!(organ_pipe(8), [3, 4, 2, 5, 1, 6, 0, 7]);
        assert_eq!(organ_pipe(5), [2, 1, 3, 0, 4]);
        assert_eq!(organ_pipe(1), [0]);
        assert_eq!(organ_pipe(0), [0; 0]);
    }

    #[test]
    fn pentominoes_are_twelve_shapes_with_63_orientations() {
        let all: Vec<_> = pentominoes().iter().map(|piece| orientations(&piece.cells)).collect();
        assert_eq!(all.iter().map(|shapes| shapes[0].clone()).unique().count(), 12);
        assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]);
    }
}
