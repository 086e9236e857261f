//! Which cells are given together, so that the picture of the givens is symmetric.

use core::fmt;
use core::str::FromStr;

use crate::{Cell, Geometry};

/// How the picture of a puzzle's givens is symmetric: which turns and reflections of the grid leave it as it is. The
/// digits do not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// In no way, or by chance.
    #[default]
    None,
    /// By half a turn, the usual symmetry of printed puzzles.
    Rotational,
    /// By a quarter of a turn.
    QuarterTurn,
    /// Left and right.
    Mirror,
    /// Top and bottom.
    Flip,
    /// By the diagonal from the top left.
    Diagonal,
    /// By the diagonal from the top right.
    Antidiagonal,
    /// In all these ways.
    Full,
}

impl Symmetry {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Rotational,
        Self::QuarterTurn,
        Self::Mirror,
        Self::Flip,
        Self::Diagonal,
        Self::Antidiagonal,
        Self::Full,
    ];

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rotational => "rotational",
            Self::QuarterTurn => "quarter-turn",
            Self::Mirror => "mirror",
            Self::Flip => "flip",
            Self::Diagonal => "diagonal",
            Self::Antidiagonal => "antidiagonal",
            Self::Full => "full",
        }
    }

    /// The places of the cells that are given together, each set in ascending order.
    pub(super) fn orbits(self, geometry: Geometry) -> Vec<Vec<u16>> {
        let mut seen = vec![false; geometry.cell_count()];
        let mut orbits = Vec::new();
        for first in geometry.cells() {
            if seen[geometry.index(first)] {
                continue;
            }
            let mut orbit = Vec::new();
            let mut waiting = vec![first];
            while let Some(cell) = waiting.pop() {
                let place = geometry.index(cell);
                if !core::mem::replace(&mut seen[place], true) {
                    orbit.push(place as u16);
                    waiting.extend(self.images(geometry, cell));
                }
            }
            orbit.sort_unstable();
            orbits.push(orbit);
        }
        orbits
    }

    /// Where the symmetries that make up all others lead a cell.
    fn images(self, geometry: Geometry, cell: Cell) -> impl Iterator<Item = Cell> {
        let (row, column, last) = (cell.row(), cell.column(), geometry.size() - 1);
        let images: &[(usize, usize)] = match self {
            Self::None => &[],
            Self::Rotational => &[(last - row, last - column)],
            Self::QuarterTurn => &[(column, last - row)],
            Self::Mirror => &[(row, last - column)],
            Self::Flip => &[(last - row, column)],
            Self::Diagonal => &[(column, row)],
            Self::Antidiagonal => &[(last - column, last - row)],
            Self::Full => &[(column, last - row), (row, last - column)],
        };
        let images = images.iter().filter_map(|&(row, column)| geometry.cell(row, column));
        images.collect::<Vec<_>>().into_iter()
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSymmetry;

impl fmt::Display for UnknownSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown symmetry, expected one of")?;
        Symmetry::ALL.iter().try_for_each(|symmetry| write!(f, " {symmetry}"))
    }
}

impl core::error::Error for UnknownSymmetry {}

/// Reads a [`name`](Symmetry::name), or `half-turn` for [`Rotational`](Symmetry::Rotational).
impl FromStr for Symmetry {
    type Err = UnknownSymmetry;

    fn from_str(text: &str) -> Result<Self, UnknownSymmetry> {
        let name = if text == "half-turn" { "rotational" } else { text };
        Self::ALL.into_iter().find(|symmetry| symmetry.name() == name).ok_or(UnknownSymmetry)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_cell_is_in_one_orbit() {
        for geometry in [Geometry::CLASSIC, Geometry::new(2, 3).unwrap(), Geometry::new(1, 1).unwrap()] {
            for symmetry in Symmetry::ALL {
                let mut places = symmetry.orbits(geometry).concat();
                places.sort_unstable();
                assert!(places.into_iter().map(usize::from).eq(0..geometry.cell_count()), "{symmetry}");
            }
        }
    }

    #[test]
    fn orbits_are_as_large_as_they_should_be() {
        let number = |symmetry: Symmetry, size| {
            symmetry.orbits(Geometry::CLASSIC).iter().filter(|orbit| orbit.len() == size).count()
        };
        assert_eq!(number(Symmetry::None, 1), 81);
        assert_eq!((number(Symmetry::Rotational, 1), number(Symmetry::Rotational, 2)), (1, 40));
        assert_eq!((number(Symmetry::QuarterTurn, 1), number(Symmetry::QuarterTurn, 4)), (1, 20));
        for symmetry in [Symmetry::Mirror, Symmetry::Flip, Symmetry::Diagonal, Symmetry::Antidiagonal] {
            assert_eq!((number(symmetry, 1), number(symmetry, 2)), (9, 36), "{symmetry}");
        }
        assert_eq!([1, 4, 8].map(|size| number(Symmetry::Full, size)), [1, 8, 6]);
    }

    #[test]
    fn names_are_read_back() {
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.name().parse(), Ok(symmetry));
        }
        assert_eq!("half-turn".parse(), Ok(Symmetry::Rotational));
        assert_eq!("round".parse::<Symmetry>(), Err(UnknownSymmetry));
    }
}
