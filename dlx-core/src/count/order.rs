//! In which order the items are covered. A good order keeps the frontier small: the items that options chosen so far
//! may have covered already.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::residual::Residual;

/// The greedy order stops being worth its making where options are this long.
const MOST_PAIRS: usize = 1 << 25;

/// The best of several orders in which every next item lets the frontier grow as little as possible: by its neighbours
/// that are not there yet, less itself if it is there. They differ in where they begin and in what they do where items are
/// alike. `None` if they would take too long to make.
///
/// On a grid, say, the first one sweeps along the diagonals.
pub(super) fn frontier(problem: &Residual, attempts: u32) -> Option<Vec<u32>> {
    let pairs: usize = (0..problem.option_count()).map(|option| problem.items(option).len().pow(2)).sum();
    if pairs > MOST_PAIRS {
        return None;
    }
    let neighbours = neighbours(problem);
    let (mut best, mut size) = (None, f64::INFINITY);
    for attempt in 0..attempts.max(1) {
        if let Some(order) = greedy(&neighbours, attempt, &mut size) {
            best = Some(order);
        }
    }
    best
}

/// An order, unless there may be as many states along it as `size` says; `size` is what it needs then.
fn greedy(neighbours: &[Vec<u32>], attempt: u32, size: &mut f64) -> Option<Vec<u32>> {
    let count = neighbours.len();
    let mut unseen: Vec<u32> = neighbours.iter().map(|list| list.len() as u32).collect(); // neighbours
    let mut seen = vec![u32::MAX; count]; // when the item came to the frontier
    let mut done = vec![false; count];
    let key = |seen: &[u32], unseen: &[u32], item: u32| {
        let at = seen[item as usize];
        let growth = unseen[item as usize] + u32::from(at == u32::MAX);
        let rank = match attempt {
            0 => at,
            // At random, every other time those of the frontier first.
            _ => {
                (item + 1).wrapping_mul(attempt.wrapping_mul(0x9E37_79B9) | 1) >> 1
                    | u32::from(attempt.is_multiple_of(2) && at == u32::MAX) << 31
            }
        };
        Reverse((growth, rank, item))
    };
    let mut heap: BinaryHeap<_> = (0..count as u32).map(|item| key(&seen, &unseen, item)).collect();
    let mut order: Vec<u32> = Vec::with_capacity(count);
    let (mut clock, mut states) = (0, 0.0);
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
        states += states_of(clock as usize - order.len());
        if states >= *size {
            return None;
        }
    }
    *size = states;
    Some(order)
}

/// How many states there are at the most with so many items in the frontier: a power of two.
pub(super) fn states_of(frontier: usize) -> f64 {
    f64::from_bits((1023 + frontier.min(1000) as u64) << 52)
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
