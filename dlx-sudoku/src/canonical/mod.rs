//! The canonical form of a grid: the least of all grids that are the same but for relabelling, transposing and moving
//! bands, stacks, rows and columns.
//!
//! The form is built row by row. Among all ways to choose the rows so far, only those are kept whose rows are least, and
//! nothing is decided before it must be: columns that no row so far tells apart stay together in one *cell* of an ordered
//! partition, and so do the labels of digits that came up in such columns together. A tie is broken where a digit whose
//! label is still open comes up again, for then its label is to be the least that it can be.

mod least;
mod way;

use core::fmt;

use dlx_core::BigUint;

use self::least::{Least, MOST, Packed};
use self::way::{first_ways, views};
use crate::{Clash, Digit, Geometry, Grid, validate};

/// The largest size.
const MAX: usize = 25;

/// A grid's canonical form, and how symmetric it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The least of all equivalent grids.
    pub grid: Grid,
    /// The number of symmetries that lead from the grid to itself, at least 1. Permutations of digits that the grid
    /// does not have are among them, and moves of its empty rows and columns.
    pub automorphisms: BigUint,
}

/// The canonical form of a grid, full or in part. Two grids have the same form if and only if one becomes the other by
/// relabelling the digits, transposing (where boxes are square), permuting the bands, the stacks, the rows of a band and
/// the columns of a stack: for 9x9, 9! 2 6⁸ symmetries.
///
/// The form is the least of all these grids by the order of their cells, read row by row, where a blank is less than any
/// digit. For boxes of at least two rows and two columns, up to 25 digits.
///
/// A grid of 9x9 takes some microseconds, a puzzle of 16x16 or 25x25 less than a millisecond, a full grid of 25x25 a tenth of
/// a second. There are grids of more than nine digits so symmetric that it would take too long; the search ends then after
/// ten million rows, in some seconds, or a million equal ways to the rows so far.
///
/// ```
/// use dlx_sudoku::canonical;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let turned: String = line.chars().rev().collect();
/// let form = canonical(&line.parse()?)?;
/// assert_eq!(form, canonical(&turned.parse()?)?);
/// assert_eq!(form, canonical(&form.grid)?);
/// assert!(form.grid.one_line().to_string().starts_with("........1.....2.3"));
/// assert_eq!(form.automorphisms, 1_u8.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the grid has a digit twice in a house, is of a size that is not supported, or would take too long.
pub fn canonical(grid: &Grid) -> Result<Canonical, CanonicalError> {
    let geometry = grid.geometry();
    if geometry.size() > MAX || geometry.box_rows() < 2 || geometry.box_columns() < 2 {
        return Err(CanonicalError::Size(geometry));
    }
    if let Some(&clash) = validate(grid).first() {
        return Err(CanonicalError::Clash(clash));
    }
    match geometry.size() {
        ..=9 => form::<10, u64>(grid),
        _ => form::<26, u128>(grid),
    }
}

/// The form of a grid whose digits are less than `N`.
fn form<const N: usize, P: Packed>(grid: &Grid) -> Result<Canonical, CanonicalError> {
    let geometry = grid.geometry();
    let views = views::<N>(grid);
    let mut least = Least::<N, P>::new(geometry);
    let mut ways = first_ways(&views, geometry);
    let mut form = Grid::empty(geometry);
    for cells in form.cells_mut().chunks_mut(geometry.size()) {
        least.begin();
        for way in &ways {
            let view = &views[usize::from(way.view)];
            if !view.next_rows(way, geometry).all(|next| least.add(*way, next, view)) {
                return Err(CanonicalError::TooMany(geometry));
            }
        }
        for (from_last, cell) in cells.iter_mut().rev().enumerate() {
            *cell = Digit::new(least.value.label(from_last));
        }
        core::mem::swap(&mut ways, &mut least.ways);
    }
    let same =
        ways.iter().map(|way| views[usize::from(way.view)].multiplicity * way.ties(geometry)).sum::<u128>();
    let seen = grid.givens().fold(0_u32, |seen, (_, digit)| seen | 1 << digit.index());
    let unseen = geometry.size() - seen.count_ones() as usize;
    let automorphisms = (1..=unseen).fold(BigUint::from(same), |product, factor| product * factor);
    Ok(Canonical { grid: form, automorphisms })
}

/// Why a grid has no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanonicalError {
    /// Two equal digits in a house.
    Clash(Clash),
    /// A size that is not supported.
    Size(Geometry),
    /// A grid of this size with too many symmetries, or too much like them.
    TooMany(Geometry),
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clash(clash) => write!(f, "{clash}, expected once"),
            Self::Size(geometry) => write!(
                f,
                "boxes of {} by {} cells, expected at least 2 by 2 and at most {MAX} cells",
                geometry.box_rows(),
                geometry.box_columns()
            ),
            Self::TooMany(geometry) => write!(
                f,
                "too many equal ways to order rows and columns for a search of {MOST} rows, expected a grid of {0}x{0} that is less symmetric",
                geometry.size()
            ),
        }
    }
}

impl core::error::Error for CanonicalError {}

fn factorial(n: usize) -> u128 {
    (1..=n as u128).product()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::HashMap;

    use itertools::Itertools as _;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

    use super::*;

    fn permutation(n: usize, random: &mut Xoshiro256PlusPlus) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for end in (1..n).rev() {
            order.swap(end, (random.next_u64() % (end as u64 + 1)) as usize);
        }
        order
    }

    /// An order of lines that keeps groups of `width` lines together.
    fn lines(groups: &[usize], within: &[Vec<usize>], width: usize) -> Vec<usize> {
        groups.iter().flat_map(|&group| within[group].iter().map(move |&line| group * width + line)).collect()
    }

    fn image(grid: &Grid, transposed: bool, rows: &[usize], columns: &[usize], labels: &[usize]) -> Grid {
        let geometry = grid.geometry();
        let mut image = Grid::empty(geometry);
        for (cell, row, column) in
            geometry.cells().map(|cell| (cell, rows[cell.row()], columns[cell.column()]))
        {
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            let digit = grid.get(geometry.cell(row, column).unwrap());
            image.set(cell, digit.and_then(|digit| Digit::new(labels[digit.index()] as u8 + 1)));
        }
        image
    }

    fn random_image(grid: &Grid, random: &mut Xoshiro256PlusPlus) -> Grid {
        let geometry = grid.geometry();
        let (height, width, size) = (geometry.box_rows(), geometry.box_columns(), geometry.size());
        let mut order = |groups: usize, width: usize| {
            let within: Vec<_> = (0..groups).map(|_| permutation(width, random)).collect();
            lines(&permutation(groups, random), &within, width)
        };
        let (rows, columns) = (order(width, height), order(height, width));
        let transposed = height == width && random.next_u64().is_multiple_of(2);
        image(grid, transposed, &rows, &columns, &permutation(size, random))
    }

    /// The least of all images, and how many of them are the grid itself.
    fn brute_force(grid: &Grid) -> Canonical {
        let geometry = grid.geometry();
        let orders = |groups: usize, width: usize| -> Vec<Vec<usize>> {
            let within = (0..groups).map(|_| (0..width).permutations(width)).multi_cartesian_product();
            within
                .flat_map(|within| {
                    (0..groups).permutations(groups).map(move |groups| lines(&groups, &within, width))
                })
                .collect()
        };
        let (height, width, size) = (geometry.box_rows(), geometry.box_columns(), geometry.size());
        let (rows, columns) = (orders(width, height), orders(height, width));
        let (mut least, mut automorphisms) = (grid.clone(), 0_u64);
        for transposed in [false, true].into_iter().take(if height == width { 2 } else { 1 }) {
            for (rows, columns) in itertools::iproduct!(&rows, &columns) {
                for labels in (0..size).permutations(size) {
                    let image = image(grid, transposed, rows, columns, &labels);
                    automorphisms += u64::from(image == *grid);
                    if image.cells() < least.cells() {
                        least = image;
                    }
                }
            }
        }
        Canonical { grid: least, automorphisms: automorphisms.into() }
    }

    /// The same for 9x9, where there are too many labels to try them all: the least are those in reading order.
    fn brute_force_classic(grid: &Grid, form: &Canonical) {
        let orders: Vec<Vec<usize>> = (0..3)
            .permutations(3)
            .cartesian_product((0..3).map(|_| (0..3).permutations(3)).multi_cartesian_product())
            .map(|(groups, within)| lines(&groups, &within, 3))
            .collect();
        let expected: Vec<u8> = form.grid.cells().iter().map(|cell| cell.map_or(0, Digit::get)).collect();
        let cells: Vec<u8> = grid.cells().iter().map(|cell| cell.map_or(0, Digit::get)).collect();
        let mut equal = 0_u128;
        for (rows, columns) in itertools::iproduct!(&orders, &orders) {
            for (along, across) in [(9, 1), (1, 9)] {
                let (mut labels, mut next) = ([0; 10], 1);
                let places =
                    itertools::iproduct!(rows, columns).map(|(row, column)| row * along + column * across);
                let mut image = places.map(|place| {
                    let digit = usize::from(cells[place]);
                    if digit > 0 && labels[digit] == 0 {
                        labels[digit] = next;
                        next += 1;
                    }
                    labels[digit]
                });
                let order =
                    expected.iter().copied().map(|cell| image.next().unwrap().cmp(&cell)).find(|o| o.is_ne());
                assert_ne!(order, Some(core::cmp::Ordering::Less), "{grid:?}");
                equal += u128::from(order.is_none());
            }
        }
        let digits = (1..=9).filter(|digit| cells.contains(digit)).count();
        assert_eq!(BigUint::from(equal * factorial(9 - digits)), form.automorphisms, "{grid:?}");
        assert_ne!(equal, 0, "the form is an image: {grid:?}");
    }

    /// A grid without clashes, with about so many digits.
    fn random_grid(geometry: Geometry, digits: usize, random: &mut Xoshiro256PlusPlus) -> Grid {
        let mut grid = Grid::empty(geometry);
        let cells: Vec<_> = geometry.cells().collect();
        for _ in 0..digits {
            let cell = cells[(random.next_u64() % cells.len() as u64) as usize];
            grid.set(cell, Digit::new((random.next_u64() % geometry.size() as u64) as u8 + 1));
            if !crate::is_valid(&grid) {
                grid.set(cell, None);
            }
        }
        grid
    }

    #[test]
    fn the_form_is_the_least_image_on_4x4() {
        let geometry = Geometry::new(2, 2).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        assert_eq!(brute_force(&Grid::empty(geometry)).automorphisms, (4_u32 * 6 * 2 * 64).into());
        for digits in (0..40).flat_map(|digits| [digits; 4]) {
            let grid = random_grid(geometry, digits, &mut random);
            assert_eq!(canonical(&grid).unwrap(), brute_force(&grid), "{grid:?}");
        }
        for grid in crate::solutions(&Grid::empty(geometry)).step_by(5) {
            assert_eq!(canonical(&grid).unwrap(), brute_force(&grid), "{grid:?}");
        }
    }

    #[test]
    fn the_form_is_the_least_image_where_boxes_are_not_square() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for (rows, columns) in [(2, 3), (3, 2)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            for digits in [3, 90] {
                let grid = random_grid(geometry, digits, &mut random);
                assert_eq!(canonical(&grid).unwrap(), brute_force(&grid), "{grid:?}");
            }
        }
    }

    /// The symmetries of a shape.
    fn group(geometry: Geometry) -> BigUint {
        let (height, width) = (geometry.box_rows(), geometry.box_columns());
        let lines = |groups: usize, each: usize| factorial(groups) * factorial(each).pow(groups as u32);
        let transposed = if height == width { 2 } else { 1 };
        BigUint::from(factorial(geometry.size()) * transposed) * lines(width, height) * lines(height, width)
    }

    /// The classes of the full grids of a shape whose first row has its digits in order, and how many grids they have.
    fn classes(geometry: Geometry) -> (usize, BigUint) {
        let mut first = Grid::empty(geometry);
        geometry.cells().zip(geometry.digits()).for_each(|(cell, digit)| first.set(cell, Some(digit)));
        let forms: HashMap<Grid, BigUint> = crate::solutions(&first)
            .map(|grid| canonical(&grid).unwrap())
            .map(|form| (form.grid, form.automorphisms))
            .collect();
        (forms.len(), forms.values().map(|automorphisms| group(geometry) / automorphisms).sum())
    }

    #[test]
    fn the_classes_of_small_grids_are_those_that_are_known() {
        // By the lemma of orbits and stabilizers, the classes have all grids between them.
        let classes = |rows, columns| classes(Geometry::new(rows, columns).unwrap());
        assert_eq!(classes(2, 2), (2, 288_u32.into()));
        assert_eq!(classes(2, 3), (49, 28_200_960_u32.into()));
        assert_eq!(classes(3, 2), (49, 28_200_960_u32.into()));
    }

    #[test]
    fn all_puzzles_of_4x4_with_few_givens_have_the_least_image() {
        let geometry = Geometry::new(2, 2).unwrap();
        let cells: Vec<_> = geometry.cells().collect();
        // Each class of two or three givens once, as it is first met.
        let mut known: HashMap<Grid, BigUint> = HashMap::new();
        for places in (0..16).combinations(2).chain((0..16).combinations(3)) {
            for digits in places.iter().map(|_| geometry.digits()).multi_cartesian_product() {
                let mut grid = Grid::empty(geometry);
                places.iter().zip(digits).for_each(|(&place, digit)| grid.set(cells[place], Some(digit)));
                let Ok(form) = canonical(&grid) else { continue };
                let automorphisms = known.entry(form.grid.clone()).or_insert_with(|| {
                    assert_eq!(brute_force(&grid), form, "{grid:?}");
                    form.automorphisms.clone()
                });
                assert_eq!(*automorphisms, form.automorphisms, "{grid:?}");
            }
        }
        assert!(known.len() > 20, "{}", known.len());
    }

    #[test]
    fn large_grids_have_one_form_unless_they_are_too_symmetric() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        for (rows, columns) in [(2, 5), (3, 4), (2, 7), (3, 5), (4, 4), (4, 5), (5, 5)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            let empty = canonical(&Grid::empty(geometry)).unwrap();
            assert_eq!(empty.automorphisms, group(geometry));
            for digits in [3, 40, geometry.cell_count(), 3 * geometry.cell_count()] {
                let grid = random_grid(geometry, digits, &mut random);
                let form = canonical(&grid).unwrap();
                for _ in 0..3 {
                    assert_eq!(canonical(&random_image(&grid, &mut random)).unwrap(), form, "{grid:?}");
                }
                assert_eq!(canonical(&form.grid).unwrap(), form);
                assert!(form.grid.cells() <= grid.cells());
            }
        }
        // Rows that are shifts of one another.
        let geometry = Geometry::new(4, 4).unwrap();
        let mut full = Grid::empty(geometry);
        for cell in geometry.cells() {
            let digit = (cell.row() % 4 * 4 + cell.row() / 4 + cell.column()) % 16;
            full.set(cell, Digit::new(digit as u8 + 1));
        }
        let form = canonical(&full).unwrap();
        assert_eq!(form.automorphisms, 128_u32.into());
        assert_eq!(canonical(&random_image(&full, &mut random)).unwrap(), form);
    }

    /// Puzzles and full grids; some with many symmetries, among them the most symmetric full grid, which has 648.
    const CLASSIC: [&str; 8] = [
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
        "1...........1...........1.......................................................2",
        "1.........2.........3.........4.........5.........6.........7.........8.........9",
        "123......456......789............123......456......789............123......456...",
        "1..............1....................................................2...........",
    ];

    #[test]
    fn the_form_is_the_least_image_on_9x9() {
        for line in CLASSIC {
            let grid: Grid = format!("{line:.<81}").parse().unwrap();
            brute_force_classic(&grid, &canonical(&grid).unwrap());
        }
        assert_eq!(canonical(&CLASSIC[0].parse().unwrap()).unwrap().automorphisms, 648_u32.into());
        let all = canonical(&Grid::default()).unwrap().automorphisms;
        assert_eq!(all, (factorial(9) * 2 * 6_u128.pow(8)).into());
    }

    #[test]
    fn all_images_have_one_form() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for (rows, columns) in [(3, 3), (2, 4), (2, 2), (3, 2)] {
            let geometry = Geometry::new(rows, columns).unwrap();
            for digits in [3, 10, 30, 60, 1000].into_iter().cycle().take(50) {
                let grid = random_grid(geometry, digits, &mut random);
                let form = canonical(&grid).unwrap();
                for _ in 0..10 {
                    assert_eq!(canonical(&random_image(&grid, &mut random)).unwrap(), form, "{grid:?}");
                }
                assert_eq!(canonical(&form.grid).unwrap(), form);
                assert_eq!(form.grid.given_count(), grid.given_count());
            }
        }
        for line in &CLASSIC[..4] {
            let grid = line.parse().unwrap();
            let form = canonical(&grid).unwrap();
            assert_eq!(canonical(&random_image(&grid, &mut random)).unwrap(), form);
        }
    }

    #[test]
    fn clashes_and_other_sizes_are_errors() {
        let error = |grid: &Grid| canonical(grid).unwrap_err().to_string();
        let grid = format!("1...1{}", ".".repeat(76)).parse().unwrap();
        assert_eq!(error(&grid), "row 1 has 1 twice, in r1c1 and r1c5, expected once");
        for (rows, columns) in [(1, 1), (1, 9), (4, 7), (8, 8)] {
            let grid = Grid::empty(Geometry::new(rows, columns).unwrap());
            let expected =
                format!("boxes of {rows} by {columns} cells, expected at least 2 by 2 and at most 25 cells");
            assert_eq!(error(&grid), expected);
        }
    }
}
