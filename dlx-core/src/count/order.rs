//! In which order the items are covered. A good order keeps the frontier small: the items that options chosen so far
//! may have covered already.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::residual::Residual;

/// The greedy order stops being worth its making where options are this long.
const MOST_PAIRS: usize = 1 << 25;

/// An order in which every next item lets the frontier grow as little as possible: by its neighbours that are not there yet,
/// less itself if it is there. `None` if it would take too long to make.
///
/// On a grid, say, it sweeps along the diagonals.
pub(super) fn frontier(problem: &Residual) -> Option<Vec<u32>> {
    let pairs: usize = (0..problem.option_count()).map(|option| problem.items(option).len().pow(2)).sum();
    if pairs > MOST_PAIRS {
        return None;
    }
    let neighbours = neighbours(problem);
    let mut unseen: Vec<u32> = neighbours.iter().map(|list| list.len() as u32).collect(); // neighbours
    let mut seen = vec![u32::MAX; problem.primaries]; // when the item came to the frontier
    let mut done = vec![false; problem.primaries];
    let key = |seen: &[u32], unseen: &[u32], item: u32| {
        let at = seen[item as usize];
        Reverse((unseen[item as usize] + u32::from(at == u32::MAX), at, item))
    };
    let mut heap: BinaryHeap<_> =
        (0..problem.primaries as u32).map(|item| key(&seen, &unseen, item)).collect();
    let mut order: Vec<u32> = Vec::with_capacity(problem.primaries);
    let mut clock = 0;
    while let Some(entry) = heap.pop() {
        let Reverse((_, _, item)) = entry;
        if done[item as usize] || entry != key(&seen, &unseen, item) {
            continue; // the entry is out of date: there is a later one
        }
        done[item as usize] = true;
        order.push(item);
        for &new in neighbours[item as usize].iter().chain([&item]) {
            if seen[new as usize] == u32::MAX {
                seen[new as usize] = clock;
                clock += 1;
                heap.push(key(&seen, &unseen, new));
                for &other in &neighbours[new as usize] {
                    unseen[other as usize] -= 1;
                    if !done[other as usize] {
                        heap.push(key(&seen, &unseen, other));
                    }
                }
            }
        }
    }
    Some(order)
}

/// By item, the other items with which it shares an option.
fn neighbours(problem: &Residual) -> Vec<Vec<u32>> {
    let mut options = vec![Vec::new(); problem.primaries];
    for option in 0..problem.option_count() {
        problem.items(option).iter().for_each(|&item| options[item as usize].push(option as u32));
    }
    let mut stamp = vec![u32::MAX; problem.primaries];
    (0..problem.primaries as u32)
        .map(|item| {
            stamp[item as usize] = item;
            let others = options[item as usize].iter().flat_map(|&option| problem.items(option as usize));
            others
                .copied()
                .filter(|&other| core::mem::replace(&mut stamp[other as usize], item) != item)
                .collect()
        })
        .collect()
}
