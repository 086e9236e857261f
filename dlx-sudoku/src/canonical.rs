//! The canonical form of a grid: the least of all grids that are the same but for relabelling, transposing and moving
//! bands, stacks, rows and columns.
//!
//! The form is built row by row. Among all ways to choose the rows so far, only those are kept whose rows are least, and
//! nothing is decided before it must be: columns that no row so far tells apart stay together in one *cell* of an ordered
//! partition, and so do the labels of digits that came up in such columns together. A tie is broken where a digit whose
//! label is still open comes up again, for then its label is to be the least that it can be.

use core::fmt;

use itertools::Itertools as _;

use crate::{Clash, Digit, Geometry, Grid, validate};

/// The largest size: the symmetries of larger grids can be too many to be tried.
const MAX: usize = 9;

/// A grid's canonical form, and how symmetric it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The least of all equivalent grids.
    pub grid: Grid,
    /// The number of symmetries that lead from the grid to itself, at least 1. Permutations of digits that the grid
    /// does not have are among them, and moves of its empty rows and columns.
    pub automorphisms: u64,
}

/// The canonical form of a grid, full or in part. Two grids have the same form if and only if one becomes the other by
/// relabelling the digits, transposing (where boxes are square), permuting the bands, the stacks, the rows of a band and
/// the columns of a stack: for 9x9, 9! 2 6⁸ symmetries.
///
/// The form is the least of all these grids by the order of their cells, read row by row, where a blank is less than any
/// digit. For boxes of at least two rows and two columns and up to nine digits.
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
/// assert_eq!(form.automorphisms, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the grid has a digit twice in a house, or is of a size that is not supported.
pub fn canonical(grid: &Grid) -> Result<Canonical, CanonicalError> {
    let geometry = grid.geometry();
    if geometry.size() > MAX || geometry.box_rows() < 2 || geometry.box_columns() < 2 {
        return Err(CanonicalError::Size(geometry));
    }
    if let Some(&clash) = validate(grid).first() {
        return Err(CanonicalError::Clash(clash));
    }
    let views = views(grid);
    let mut least = Least::new(geometry);
    let mut ways = first_ways(&views, geometry);
    let mut rows = [0; MAX];
    for row in &mut rows[..geometry.size()] {
        least.begin();
        for way in &ways {
            for next in views[usize::from(way.view)].next_rows(way, geometry) {
                least.add(*way, next, &views[usize::from(way.view)]);
            }
        }
        *row = least.value;
        core::mem::swap(&mut ways, &mut least.ways);
    }
    let same =
        ways.iter().map(|way| views[usize::from(way.view)].multiplicity * way.ties(geometry)).sum::<u64>();
    let seen = grid.givens().fold(0_u16, |seen, (_, digit)| seen | 1 << digit.index());
    let automorphisms = same * factorial(geometry.size() - seen.count_ones() as usize);
    Ok(Canonical { grid: unpack(geometry, &rows), automorphisms })
}

/// Why a grid has no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanonicalError {
    /// Two equal digits in a house.
    Clash(Clash),
    /// A size that is not supported.
    Size(Geometry),
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
        }
    }
}

impl core::error::Error for CanonicalError {}

/// The grid as it is, or transposed.
struct View {
    /// The digits row by row, 0 for a blank.
    rows: [[u8; MAX]; MAX],
    /// The rows that can be the next one of their band; of several empty ones only the first, for they are the same.
    empty_rows: u16,
    /// How many ways a kept way stands for: empty rows, bands and stacks are kept in one order only.
    multiplicity: u64,
}

impl View {
    fn new(rows: [[u8; MAX]; MAX], geometry: Geometry) -> Self {
        let size = geometry.size();
        let is_empty = |&row: &usize| rows[row].iter().all(|&digit| digit == 0);
        let empty_rows = (0..size).filter(is_empty).fold(0, |rows, row| rows | 1 << row);
        let mut view = Self { rows, empty_rows, multiplicity: 1 };
        let height = geometry.box_rows();
        let in_bands = (0..size / height).map(|band| view.empty_in(band * height, height));
        let (mut whole, mut orders) = (0, 1);
        for empty in in_bands {
            whole += usize::from(empty == height);
            orders *= factorial(empty);
        }
        let stacks = (0..height).filter(|&stack| view.is_empty_stack(stack, geometry)).count();
        view.multiplicity = orders * factorial(whole) * factorial(stacks);
        view
    }

    /// How many rows are empty, of so many from the first.
    fn empty_in(&self, first: usize, rows: usize) -> usize {
        (self.empty_rows >> first & ((1 << rows) - 1)).count_ones() as usize
    }

    fn is_empty_stack(&self, stack: usize, geometry: Geometry) -> bool {
        let width = geometry.box_columns();
        self.rows.iter().all(|row| row[stack * width..][..width].iter().all(|&digit| digit == 0))
    }

    /// The rows that can follow.
    fn next_rows(&self, way: &Way, geometry: Geometry) -> impl Iterator<Item = usize> {
        let height = geometry.box_rows();
        let (rows, used) = (geometry.size(), way.rows);
        let band_of = move |row: usize| ((1_u16 << height) - 1) << (row / height * height);
        let begun = (0..rows).find(|&row| {
            let here = used & band_of(row);
            here != 0 && here != band_of(row)
        });
        let allowed = begun.map_or((1 << rows) - 1, band_of) & !used;
        let (mut band_before, mut seen_empty_band) = (0, false);
        (0..rows).filter(move |&row| {
            if allowed >> row & 1 == 0 {
                return false;
            }
            if self.empty_rows >> row & 1 == 0 {
                return true;
            }
            // The first empty row of a band, and of bands that are wholly empty only the first.
            let band = band_of(row);
            let whole = self.empty_rows & band == band && begun.is_none();
            let first = band != band_before && !(whole && seen_empty_band);
            band_before = band;
            seen_empty_band |= whole;
            first
        })
    }
}

/// The grid, and transposed if that gives a grid of the same geometry.
fn views(grid: &Grid) -> Vec<View> {
    let geometry = grid.geometry();
    let (mut rows, mut columns) = ([[0; MAX]; MAX], [[0; MAX]; MAX]);
    for (cell, digit) in grid.givens() {
        rows[cell.row()][cell.column()] = digit.get();
        columns[cell.column()][cell.row()] = digit.get();
    }
    let square = geometry.box_rows() == geometry.box_columns();
    let both = [Some(rows), Some(columns).filter(|_| square)];
    both.into_iter().flatten().map(|rows| View::new(rows, geometry)).collect()
}

/// All orders of the stacks, and no row yet.
fn first_ways(views: &[View], geometry: Geometry) -> Vec<Way> {
    let (stacks, width) = (geometry.box_rows(), geometry.box_columns());
    let mut ways = Vec::new();
    for (number, view) in views.iter().enumerate() {
        let orders = (0..stacks).permutations(stacks);
        // Empty stacks are the same in any order.
        ways.extend(
            orders
                .filter(|order| {
                    order.iter().filter(|&&stack| view.is_empty_stack(stack, geometry)).is_sorted()
                })
                .map(|order| Way::new(number, &order, width)),
        );
    }
    ways
}

/// One way to choose and order the rows so far, with all orders of columns and all labels that it leaves open.
#[derive(Clone, Copy)]
struct Way {
    view: u8,
    /// The rows taken.
    rows: u16,
    /// Where cells of the partition begin.
    starts: u16,
    /// The column at each place.
    columns: [u8; MAX],
    /// The place of each column.
    places: [u8; MAX],
    /// The column in which a digit first came up, by which it has its label.
    homes: [u8; MAX + 1],
    /// What its label is more than the place of that column; 0 before it came up.
    shifts: [i8; MAX + 1],
    /// The number of digits that came up.
    labels: u8,
}

/// What `shifts` holds for a digit that has not come up.
const FRESH: i8 = i8::MIN;

impl Way {
    fn new(view: usize, stacks: &[usize], width: usize) -> Self {
        let mut way = Self {
            view: view as u8,
            rows: 0,
            starts: 0,
            columns: [0; MAX],
            places: [0; MAX],
            homes: [0; MAX + 1],
            shifts: [FRESH; MAX + 1],
            labels: 0,
        };
        let columns = stacks.iter().flat_map(|stack| stack * width..(stack + 1) * width);
        for (place, column) in columns.enumerate() {
            way.columns[place] = column as u8;
            way.places[column] = place as u8;
            way.starts |= u16::from(place % width == 0) << place;
        }
        // An end for the last cell.
        way.starts |= 1 << (stacks.len() * width);
        way
    }

    /// Where the cell of this place begins.
    fn start(&self, place: u8) -> u8 {
        (15 - (self.starts & ((2 << place) - 1)).leading_zeros()) as u8
    }

    /// Where the cell of this place ends.
    fn end(&self, place: u8) -> u8 {
        place + 1 + (self.starts >> (place + 1)).trailing_zeros() as u8
    }

    /// Gives a column the first place of its cell, alone.
    fn single_out(&mut self, column: u8) {
        let place = self.places[usize::from(column)];
        let start = self.start(place);
        self.swap(place, start);
        self.starts |= 2 << start;
    }

    fn swap(&mut self, one: u8, other: u8) {
        self.columns.swap(one.into(), other.into());
        for place in [one, other] {
            self.places[usize::from(self.columns[usize::from(place)])] = place;
        }
    }

    /// Writes the digit of a column, which settles the digit's label as well.
    fn take(&mut self, column: u8, row: &[u8; MAX]) {
        self.single_out(column);
        self.single_out(self.homes[usize::from(row[usize::from(column)])]);
    }

    /// The least label that a digit can have.
    fn label(&self, digit: u8) -> u8 {
        let start = self.start(self.places[usize::from(self.homes[usize::from(digit)])]);
        start.wrapping_add_signed(self.shifts[usize::from(digit)])
    }

    /// In how many orders the columns are the same.
    fn ties(&self, geometry: Geometry) -> u64 {
        let places = 0..geometry.size() as u8;
        let starts = places.filter(|&place| self.start(place) == place);
        starts.map(|place| factorial(usize::from(self.end(place) - place))).product()
    }

    /// Splits the cell that begins here into blanks, digits that came up before, and others, in this order: none of the
    /// others can be less. Returns where the first two end.
    fn split(&mut self, place: u8, row: &[u8; MAX]) -> (u8, u8) {
        let end = self.end(place);
        let mut blanks = place;
        for at in place..end {
            if row[usize::from(self.columns[usize::from(at)])] == 0 {
                self.swap(at, blanks);
                blanks += 1;
            }
        }
        let mut olds = blanks;
        for at in blanks..end {
            if self.shifts[usize::from(row[usize::from(self.columns[usize::from(at)])])] != FRESH {
                self.swap(at, olds);
                olds += 1;
            }
        }
        self.starts |= 1 << blanks | 1 << olds;
        (blanks, olds)
    }
}

/// A way whose last row is written up to a place.
#[derive(Clone, Copy)]
struct Partial {
    way: Way,
    place: u8,
    value: u64,
}

/// The ways of the least next row that was found so far.
struct Least {
    size: u8,
    /// That row, four bits a cell.
    value: u64,
    ways: Vec<Way>,
    waiting: Vec<Partial>,
}

impl Least {
    fn new(geometry: Geometry) -> Self {
        Self { size: geometry.size() as u8, value: u64::MAX, ways: Vec::new(), waiting: Vec::new() }
    }

    /// Begins a row.
    fn begin(&mut self) {
        self.value = u64::MAX;
        self.ways.clear();
    }

    /// Adds what a way becomes by this row, if that is least.
    fn add(&mut self, mut way: Way, row: usize, view: &View) {
        way.rows |= 1 << row;
        self.waiting.push(Partial { way, place: 0, value: 0 });
        while let Some(mut partial) = self.waiting.pop() {
            if self.write(&mut partial, &view.rows[row]) {
                if partial.value < self.value {
                    self.value = partial.value;
                    self.ways.clear();
                }
                self.ways.push(partial.way);
            }
        }
    }

    /// Writes the rest of a row; where several columns are equally good, all but the last are put aside. False if the
    /// row is not least.
    fn write(&mut self, partial: &mut Partial, row: &[u8; MAX]) -> bool {
        while partial.place < self.size {
            let (blanks, olds) = partial.way.split(partial.place, row);
            if blanks > partial.place {
                partial.value <<= 4 * (blanks - partial.place);
                partial.place = blanks;
            } else if olds > partial.place {
                self.write_old(partial, olds, row);
            } else {
                partial.write_fresh(row);
            }
            if partial.value > self.value >> (4 * (self.size - partial.place)) {
                return false;
            }
        }
        true
    }

    /// Writes one digit that came up before: the column whose digit has the least label.
    fn write_old(&mut self, partial: &mut Partial, end: u8, row: &[u8; MAX]) {
        let Partial { way, place, value } = *partial;
        let (mut least, mut best, mut ties) = (u8::MAX, [0; MAX], 0);
        for at in place..end {
            let column = way.columns[usize::from(at)];
            let digit = row[usize::from(column)];
            let home = way.places[usize::from(way.homes[usize::from(digit)])];
            // The column takes this place, so a home in the same cell can have the next one only.
            let label = way.label(digit) + u8::from(way.start(home) == place);
            if label < least {
                (least, ties) = (label, 0);
            }
            if label == least {
                best[ties] = column;
                ties += 1;
            }
        }
        let value = value << 4 | u64::from(least);
        for &column in &best[1..ties] {
            let mut other = Partial { way, place: place + 1, value };
            other.way.take(column, row);
            self.waiting.push(other);
        }
        partial.way.take(best[0], row);
        (partial.place, partial.value) = (place + 1, value);
    }
}

impl Partial {
    /// Writes the digits of a cell that have not come up before, whose labels remain tied.
    fn write_fresh(&mut self, row: &[u8; MAX]) {
        let (place, way) = (self.place, &mut self.way);
        let end = way.end(place);
        let shift = (way.labels + 1) as i8 - place as i8;
        for at in place..end {
            let column = way.columns[usize::from(at)];
            let digit = usize::from(row[usize::from(column)]);
            way.homes[digit] = column;
            way.shifts[digit] = shift;
            way.labels += 1;
            self.value = self.value << 4 | u64::from(way.labels);
        }
        self.place = end;
    }
}

/// The grid of these rows.
fn unpack(geometry: Geometry, rows: &[u64; MAX]) -> Grid {
    let mut grid = Grid::empty(geometry);
    for cell in geometry.cells() {
        let value = rows[cell.row()] >> (4 * (geometry.size() - 1 - cell.column())) & 15;
        grid.set(cell, Digit::new(value as u8));
    }
    grid
}

fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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
        let (mut least, mut automorphisms) = (grid.clone(), 0);
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
        Canonical { grid: least, automorphisms }
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
        let mut equal = 0;
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
                equal += u64::from(order.is_none());
            }
        }
        let digits = (1..=9).filter(|digit| cells.contains(digit)).count();
        assert_eq!(equal * factorial(9 - digits), form.automorphisms, "{grid:?}");
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
        assert_eq!(brute_force(&Grid::empty(geometry)).automorphisms, 4 * 6 * 2 * 64);
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
        assert_eq!(canonical(&CLASSIC[0].parse().unwrap()).unwrap().automorphisms, 648);
        let all = canonical(&Grid::default()).unwrap().automorphisms;
        assert_eq!(all, factorial(9) * 2 * 6_u64.pow(8));
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
        for (rows, columns) in [(1, 1), (1, 9), (2, 5), (8, 8)] {
            let grid = Grid::empty(Geometry::new(rows, columns).unwrap());
            let expected =
                format!("boxes of {rows} by {columns} cells, expected at least 2 by 2 and at most 9 cells");
            assert_eq!(error(&grid), expected);
        }
    }
}
