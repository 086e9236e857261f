//! The classic grid in tables: houses, cells and peers by number, and sets of cells as bits.
//!
//! Cells are numbered row by row from 0. Houses 0 to 8 are the rows, 9 to 17 the columns, 18 to 26 the boxes. A place is
//! the number of a cell within a house.

use crate::{Cell, Digit, Geometry, House, HouseKind};

/// A set of cells, bit by number.
pub(super) type Cells = u128;

/// The cells of each house, ascending.
pub(super) static HOUSES: [[u8; 9]; 27] = houses();
/// The row, column and box of each cell.
pub(super) static HOUSES_OF: [[u8; 3]; 81] = houses_of();
/// The place of each cell in its row, column and box.
pub(super) static PLACES_OF: [[u8; 3]; 81] = places_of();
/// The cells of each house as a set.
pub(super) static HOUSE: [Cells; 27] = house_sets();
/// The peers of each cell as a set.
pub(super) static PEERS: [Cells; 81] = peers();
/// The sets of places in a house, by their size up to 4.
static SUBSETS: [[u16; 126]; 5] = subset_table();

const fn houses_of() -> [[u8; 3]; 81] {
    let mut table = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        table[cell] = [row as u8, 9 + column as u8, (18 + row / 3 * 3 + column / 3) as u8];
        cell += 1;
    }
    table
}

const fn places_of() -> [[u8; 3]; 81] {
    let mut table = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        table[cell] = [column as u8, row as u8, (row % 3 * 3 + column % 3) as u8];
        cell += 1;
    }
    table
}

const fn houses() -> [[u8; 9]; 27] {
    let (of, places) = (houses_of(), places_of());
    let mut table = [[0; 9]; 27];
    let mut cell = 0;
    while cell < 81 {
        let mut kind = 0;
        while kind < 3 {
            table[of[cell][kind] as usize][places[cell][kind] as usize] = cell as u8;
            kind += 1;
        }
        cell += 1;
    }
    table
}

const fn house_sets() -> [Cells; 27] {
    let of = houses_of();
    let mut table = [0; 27];
    let mut cell = 0;
    while cell < 81 {
        let mut kind = 0;
        while kind < 3 {
            table[of[cell][kind] as usize] |= 1 << cell;
            kind += 1;
        }
        cell += 1;
    }
    table
}

const fn peers() -> [Cells; 81] {
    let (of, sets) = (houses_of(), house_sets());
    let mut table = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let [row, column, in_box] = of[cell];
        let all = sets[row as usize] | sets[column as usize] | sets[in_box as usize];
        table[cell] = all & !(1 << cell);
        cell += 1;
    }
    table
}

const fn subset_table() -> [[u16; 126]; 5] {
    let mut table = [[0; 126]; 5];
    let mut sizes = [0; 5];
    let mut mask: u16 = 1;
    while mask < 512 {
        let size = mask.count_ones() as usize;
        if size <= 4 {
            table[size][sizes[size]] = mask;
            sizes[size] += 1;
        }
        mask += 1;
    }
    table
}

/// The subsets of `size` bits, 1 to 4, of nine bits.
pub(super) fn subsets(of: u16, size: usize) -> impl Iterator<Item = u16> {
    let all = SUBSETS[size].iter().copied().take_while(|&subset| subset != 0);
    all.filter(move |subset| subset & !of == 0)
}

/// The numbers of the bits that are set, ascending.
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> + Clone {
    core::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lowest
    })
}

/// The cells of a set, ascending.
pub(super) fn cells(mut set: Cells) -> impl Iterator<Item = usize> + Clone {
    core::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The cells at some places of a house, as a set.
pub(super) fn at(house: usize, places: u16) -> Cells {
    bits(places).fold(0, |set, place| set | 1 << HOUSES[house][place])
}

/// The cells that see every cell of a set.
pub(super) fn common_peers(set: Cells) -> Cells {
    cells(set).fold(!0, |common, cell| common & PEERS[cell])
}

/// The house of this number.
pub(super) fn house(number: usize) -> House {
    let kind = [HouseKind::Row, HouseKind::Column, HouseKind::Box][number / 9];
    House { kind, number: (number % 9) as u8 + 1 }
}

/// The cell of each number.
pub(super) static CELLS: [Cell; 81] = {
    let Some(first) = Geometry::CLASSIC.cell(0, 0) else { unreachable!() };
    let mut table = [first; 81];
    let mut number = 0;
    while number < 81 {
        if let Some(cell) = Geometry::CLASSIC.cell(number / 9, number % 9) {
            table[number] = cell;
        }
        number += 1;
    }
    table
};

/// The digit of each index.
pub(super) static DIGITS: [Digit; 9] = {
    let Some(first) = Digit::new(1) else { unreachable!() };
    let mut table = [first; 9];
    let mut index = 0;
    while index < 9 {
        if let Some(digit) = Digit::new(index as u8 + 1) {
            table[index] = digit;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_geometry() {
        let geometry = Geometry::CLASSIC;
        for (number, expected) in geometry.houses().enumerate() {
            assert_eq!(house(number), expected);
            let in_house: Vec<_> = HOUSES[number].iter().map(|&cell| CELLS[usize::from(cell)]).collect();
            assert!(geometry.cells_of(expected).eq(in_house.iter().copied()), "{expected}");
            assert!(cells(HOUSE[number]).map(|cell| CELLS[cell]).eq(in_house));
            assert_eq!(at(number, 0x1ff), HOUSE[number]);
        }
        for (number, cell) in geometry.cells().enumerate() {
            assert_eq!(CELLS[number], cell);
            assert!(geometry.peers(cell).eq(cells(PEERS[number]).map(|peer| CELLS[peer])));
            for kind in 0..3 {
                let place = usize::from(PLACES_OF[number][kind]);
                assert_eq!(usize::from(HOUSES[usize::from(HOUSES_OF[number][kind])][place]), number);
            }
        }
        assert!(geometry.digits().eq(DIGITS));
    }

    #[test]
    fn subsets_are_all_of_their_size() {
        let sizes: Vec<_> = (1..=4).map(|size| subsets(0x1ff, size).count()).collect();
        assert_eq!(sizes, [9, 36, 84, 126]);
        assert!(subsets(0b1_0110, 2).eq([0b110, 0b1_0010, 0b1_0100]));
    }
}
