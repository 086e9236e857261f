//! Which of the items with equally few options is branched on: the one that was most often left with nothing.
//!
//! It is what the search fails on that should be settled first. Sizes come before weights, so that a
//! problem without such items loses nothing; ties of weights go to the lowest item.

use alloc::vec;
use alloc::vec::Vec;

/// The number of bits of a rank.
pub(super) const RANK_BITS: u32 = 21;
const LAST: u32 = (1 << RANK_BITS) - 1;

/// How often each item failed.
#[derive(Clone, Default)]
pub(super) struct Weights {
    failures: Vec<u32>,
    ranks: Vec<u32>, // less for more failures
}

impl Weights {
    pub(super) fn new(items: usize) -> Self {
        Self { failures: vec![0; items], ranks: vec![LAST; items] }
    }

    /// The ranks, less for items that failed more often, [`RANK_BITS`] wide.
    #[inline(always)]
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.failures.fill(0);
        self.ranks.fill(LAST);
    }

    pub(super) fn failures(&self, item: usize) -> u32 {
        self.failures[item]
    }

    pub(super) fn set(&mut self, item: usize, failures: u32) {
        self.failures[item] = failures;
        self.ranks[item] = rank(failures);
    }

    /// The item was left with nothing.
    #[inline(always)]
    pub(super) fn blame(&mut self, item: usize) {
        self.set(item, self.failures[item].saturating_add(1));
    }
}

/// Less for more failures: the leading bits of the number as the processor writes it, exact up to a few thousand and
/// to one in eight thousand above.
#[inline(always)]
pub(super) fn rank(failures: u32) -> u32 {
    LAST - ((failures as f32).to_bits() >> (32 - RANK_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_failures_rank_first() {
        assert_eq!(rank(0), LAST);
        assert!((0..5000).all(|n| rank(n + 1) < rank(n)));
        assert!(rank(u32::MAX) < rank(u32::MAX / 2));
    }
}
