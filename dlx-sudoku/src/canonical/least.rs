//! The least next row, and all ways to it.

use core::ops::{BitOr, Shl, Shr};

use super::way::{View, Way};
use crate::Geometry;

/// The most rows that are written before the search is given up, and the most ways that are kept. Grids of 9x9 need some
/// thousands.
pub(super) const MOST: u32 = 10_000_000;
const MOST_WAYS: usize = 1_000_000;

/// A row of labels in a number, so many bits a cell: rows are compared as numbers are.
pub(super) trait Packed:
    Copy + Ord + From<u8> + Shl<u32, Output = Self> + Shr<u32, Output = Self> + BitOr<Output = Self>
{
    const CELL: u32;
    const MAX: Self;

    /// The label of a cell, so many cells from the last one.
    fn label(self, from_last: usize) -> u8;
}

impl Packed for u64 {
    const CELL: u32 = 4;
    const MAX: Self = Self::MAX;

    fn label(self, from_last: usize) -> u8 {
        (self >> (4 * from_last) & 15) as u8
    }
}

impl Packed for u128 {
    const CELL: u32 = 5;
    const MAX: Self = Self::MAX;

    fn label(self, from_last: usize) -> u8 {
        (self >> (5 * from_last) & 31) as u8
    }
}

/// A way whose last row is written up to a place.
#[derive(Clone, Copy)]
struct Partial<const N: usize, P> {
    way: Way<N>,
    place: u8,
    value: P,
}

/// The ways of the least next row that was found so far.
pub(super) struct Least<const N: usize, P> {
    size: u8,
    /// That row.
    pub(super) value: P,
    pub(super) ways: Vec<Way<N>>,
    waiting: Vec<Partial<N, P>>,
    /// How many rows may still be written.
    left: u32,
}

impl<const N: usize, P: Packed> Least<N, P> {
    pub(super) fn new(geometry: Geometry) -> Self {
        let size = geometry.size() as u8;
        Self { size, value: P::MAX, ways: Vec::new(), waiting: Vec::new(), left: MOST }
    }

    /// Begins a row.
    pub(super) fn begin(&mut self) {
        self.value = P::MAX;
        self.ways.clear();
    }

    /// Adds what a way becomes by this row, if that is least. False if that is too much.
    pub(super) fn add(&mut self, mut way: Way<N>, row: usize, view: &View<N>) -> bool {
        way.rows |= 1 << row;
        self.waiting.push(Partial { way, place: 0, value: P::from(0) });
        while let Some(mut partial) = self.waiting.pop() {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            if self.write(&mut partial, &view.rows[row]) {
                if partial.value < self.value {
                    self.value = partial.value;
                    self.ways.clear();
                }
                if self.ways.len() == MOST_WAYS {
                    return false;
                }
                self.ways.push(partial.way);
            }
        }
        true
    }

    /// Writes the rest of a row; where several columns are equally good, all but the last are put aside. False if the
    /// row is not least.
    fn write(&mut self, partial: &mut Partial<N, P>, row: &[u8; N]) -> bool {
        while partial.place < self.size {
            let (blanks, olds) = partial.way.split(partial.place, row);
            if blanks > partial.place {
                partial.value = partial.value << (P::CELL * u32::from(blanks - partial.place));
                partial.place = blanks;
            } else if olds > partial.place {
                self.write_old(partial, olds, row);
            } else {
                partial.write_fresh(row);
            }
            if partial.value > self.value >> (P::CELL * u32::from(self.size - partial.place)) {
                return false;
            }
        }
        true
    }

    /// Writes one digit that came up before: the column whose digit has the least label.
    fn write_old(&mut self, partial: &mut Partial<N, P>, end: u8, row: &[u8; N]) {
        let Partial { way, place, value } = *partial;
        let (mut least, mut best, mut ties) = (u8::MAX, [0; N], 0);
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
        let value = value << P::CELL | P::from(least);
        for &column in &best[1..ties] {
            let mut other = Partial { way, place: place + 1, value };
            other.way.take(column, row);
            self.waiting.push(other);
        }
        partial.way.take(best[0], row);
        (partial.place, partial.value) = (place + 1, value);
    }
}

impl<const N: usize, P: Packed> Partial<N, P> {
    /// Writes the digits of a cell that have not come up before, whose labels remain tied.
    fn write_fresh(&mut self, row: &[u8; N]) {
        let (place, way) = (self.place, &mut self.way);
        let end = way.end(place);
        let shift = (way.labels + 1) as i8 - place as i8;
        for at in place..end {
            let column = way.columns[usize::from(at)];
            let digit = usize::from(row[usize::from(column)]);
            way.homes[digit] = column;
            way.shifts[digit] = shift;
            way.labels += 1;
            self.value = self.value << P::CELL | P::from(way.labels);
        }
        self.place = end;
    }
}
