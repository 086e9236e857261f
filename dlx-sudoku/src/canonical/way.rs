//! One way to choose and order the rows of a grid so far, with all that it leaves open; and the rows that can follow.

use itertools::Itertools as _;

use super::factorial;
use crate::{Geometry, Grid};

/// The grid as it is, or transposed.
pub(super) struct View<const N: usize> {
    /// The digits row by row, 0 for a blank.
    pub(super) rows: [[u8; N]; N],
    /// The rows that can be the next one of their band; of several empty ones only the first, for they are the same.
    empty_rows: u32,
    /// How many ways a kept way stands for: empty rows, bands and stacks are kept in one order only.
    pub(super) multiplicity: u128,
}

impl<const N: usize> View<N> {
    fn new(rows: [[u8; N]; N], geometry: Geometry) -> Self {
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

    pub(super) fn is_empty_stack(&self, stack: usize, geometry: Geometry) -> bool {
        let width = geometry.box_columns();
        self.rows.iter().all(|row| row[stack * width..][..width].iter().all(|&digit| digit == 0))
    }

    /// The rows that can follow.
    pub(super) fn next_rows(&self, way: &Way<N>, geometry: Geometry) -> impl Iterator<Item = usize> {
        let height = geometry.box_rows();
        let (rows, used) = (geometry.size(), way.rows);
        let band_of = move |row: usize| ((1_u32 << height) - 1) << (row / height * height);
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
pub(super) fn views<const N: usize>(grid: &Grid) -> Vec<View<N>> {
    let geometry = grid.geometry();
    let (mut rows, mut columns) = ([[0; N]; N], [[0; N]; N]);
    for (cell, digit) in grid.givens() {
        rows[cell.row()][cell.column()] = digit.get();
        columns[cell.column()][cell.row()] = digit.get();
    }
    let square = geometry.box_rows() == geometry.box_columns();
    let both = [Some(rows), Some(columns).filter(|_| square)];
    both.into_iter().flatten().map(|rows| View::new(rows, geometry)).collect()
}

/// All orders of the stacks, and no row yet.
pub(super) fn first_ways<const N: usize>(views: &[View<N>], geometry: Geometry) -> Vec<Way<N>> {
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
pub(super) struct Way<const N: usize> {
    pub(super) view: u8,
    /// The rows taken.
    pub(super) rows: u32,
    /// Where cells of the partition begin.
    starts: u32,
    /// The column at each place.
    pub(super) columns: [u8; N],
    /// The place of each column.
    pub(super) places: [u8; N],
    /// The column in which a digit first came up, by which it has its label.
    pub(super) homes: [u8; N],
    /// What its label is more than the place of that column; 0 before it came up.
    pub(super) shifts: [i8; N],
    /// The number of digits that came up.
    pub(super) labels: u8,
}

/// What `shifts` holds for a digit that has not come up.
pub(super) const FRESH: i8 = i8::MIN;

impl<const N: usize> Way<N> {
    fn new(view: usize, stacks: &[usize], width: usize) -> Self {
        let mut way = Self {
            view: view as u8,
            rows: 0,
            starts: 0,
            columns: [0; N],
            places: [0; N],
            homes: [0; N],
            shifts: [FRESH; N],
            labels: 0,
        };
        let columns = stacks.iter().flat_map(|stack| stack * width..(stack + 1) * width);
        for (place, column) in columns.enumerate() {
            way.columns[place] = column as u8;
            way.places[column] = place as u8;
            way.starts |= u32::from(place % width == 0) << place;
        }
        // An end for the last cell.
        way.starts |= 1 << (stacks.len() * width);
        way
    }

    /// Where the cell of this place begins.
    pub(super) fn start(&self, place: u8) -> u8 {
        (31 - (self.starts & ((2 << place) - 1)).leading_zeros()) as u8
    }

    /// Where the cell of this place ends.
    pub(super) fn end(&self, place: u8) -> u8 {
        place + 1 + (self.starts >> (place + 1)).trailing_zeros() as u8
    }

    /// Gives a column the first place of its cell, alone.
    pub(super) fn single_out(&mut self, column: u8) {
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
    pub(super) fn take(&mut self, column: u8, row: &[u8; N]) {
        self.single_out(column);
        self.single_out(self.homes[usize::from(row[usize::from(column)])]);
    }

    /// The least label that a digit can have.
    pub(super) fn label(&self, digit: u8) -> u8 {
        let start = self.start(self.places[usize::from(self.homes[usize::from(digit)])]);
        start.wrapping_add_signed(self.shifts[usize::from(digit)])
    }

    /// In how many orders the columns are the same.
    pub(super) fn ties(&self, geometry: Geometry) -> u128 {
        let places = 0..geometry.size() as u8;
        let starts = places.filter(|&place| self.start(place) == place);
        starts.map(|place| factorial(usize::from(self.end(place) - place))).product()
    }

    /// Splits the cell that begins here into blanks, digits that came up before, and others, in this order: none of the
    /// others can be less. Returns where the first two end.
    pub(super) fn split(&mut self, place: u8, row: &[u8; N]) -> (u8, u8) {
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
