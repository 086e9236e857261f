//! Which of the items with equally few options is branched on: the one that was most often left with nothing.
//!
//! It is what the search fails on that should be settled first. Sizes come before failures, so that a problem without
//! such items loses little; and failures count in powers of two, so that among items that fail about equally often it is
//! the lowest that is chosen.

use alloc::vec;
use alloc::vec::Vec;

/// The number of bits of a rank.
pub(super) const RANK_BITS: u32 = 6;

/// How often each item failed.
#[derive(Clone, Default)]
pub(super) struct Weights {
    failures: Vec<u32>,
    ranks: Vec<u32>,
}

impl Weights {
    pub(super) fn new(items: usize) -> Self {
        Self { failures: vec![0; items], ranks: vec![rank(0); items] }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.failures.fill(0);
        self.ranks.fill(rank(0));
    }

    /// The rank of each item.
    #[inline(always)]
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
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

/// One less for twice as many failures.
#[inline(always)]
pub(super) fn rank(failures: u32) -> u32 {
    failures.leading_zeros()
}
