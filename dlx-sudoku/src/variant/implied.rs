//! What follows from the rules and helps the search: cages that others leave of houses.
//!
//! As each house has all digits, and so a known sum, the cells of some houses that are left over by the cages within them
//! have a known sum as well, and so have the cells by which cages stick out of houses that they fill. Where such cells are
//! few and differ, they are a cage like any other.

use super::layout::Layout;

/// The most cells of such a cage: of more, nearly all digits are possible.
const MOST: usize = 4;
/// The most houses that are looked at together.
const HOUSES: usize = 4;

/// The cages that follow from others: their sums and cells. No solution is lost by them, and none is gained.
pub(super) fn cages(layout: &Layout) -> Vec<(u32, Vec<u16>)> {
    let mut found: Vec<(u32, Vec<u16>)> = Vec::new();
    if layout.cages.is_empty() {
        return found;
    }
    let size = layout.size;
    for count in 1..=HOUSES.min(size - 1) {
        for houses in layout.areas.windows(count) {
            let mut cells: Vec<u16> = houses.iter().flat_map(|(_, cells)| cells).copied().collect();
            cells.sort_unstable();
            cells.dedup();
            if cells.len() < count * size {
                continue; // they overlap
            }
            let total = (count * size * (size + 1) / 2) as u32;
            found.extend(inside(layout, &cells, total).into_iter().chain(outside(layout, &cells, total)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|cage| !layout.cages.contains(cage));
    found
}

/// What the cages within some cells leave of them.
fn inside(layout: &Layout, cells: &[u16], total: u32) -> Option<(u32, Vec<u16>)> {
    let (mut left, mut sum) = (cells.to_vec(), Some(total));
    for (of_cage, cage) in &layout.cages {
        if cage.iter().all(|cell| left.binary_search(cell).is_ok()) {
            left.retain(|cell| !cage.contains(cell));
            sum = sum.and_then(|sum| sum.checked_sub(*of_cage));
        }
    }
    let some = left.len() < cells.len();
    sum.filter(|_| some && is_cage(layout, &left)).map(|sum| (sum, left))
}

/// What the cages that fill some cells have beyond them.
fn outside(layout: &Layout, cells: &[u16], total: u32) -> Option<(u32, Vec<u16>)> {
    let (mut open, mut beyond, mut sum) = (cells.to_vec(), Vec::new(), 0_u32);
    for (of_cage, cage) in &layout.cages {
        let within = cage.iter().filter(|cell| open.binary_search(cell).is_ok()).count();
        let outer: Vec<u16> =
            cage.iter().filter(|cell| cells.binary_search(cell).is_err()).copied().collect();
        if within > 0 && within + outer.len() == cage.len() && !outer.iter().any(|cell| beyond.contains(cell))
        {
            open.retain(|cell| !cage.contains(cell));
            beyond.extend(outer);
            sum = sum.saturating_add(*of_cage);
        }
    }
    beyond.sort_unstable();
    let sum = sum.checked_sub(total).filter(|_| open.is_empty() && is_cage(layout, &beyond));
    sum.map(|sum| (sum, beyond))
}

/// Whether cells are few, and differ from one another.
fn is_cage(layout: &Layout, cells: &[u16]) -> bool {
    let differ = |(at, cell): (usize, &u16)| {
        cells[at + 1..].iter().all(|other| layout.peers[usize::from(*cell)].binary_search(other).is_ok())
    };
    (1..=MOST).contains(&cells.len()) && cells.iter().enumerate().all(differ)
}
