//! A hash table from states to big counts, in one flat array: `V` words of state, then a number of words of count
//! that is the same for all and grows when one of them overflows. The states themselves are the keys: nothing is
//! left to chance.

use alloc::vec;
use alloc::vec::Vec;

/// States, none of which has 0 as its first word (that marks a vacant slot), each with its count.
pub(super) struct Table<const V: usize> {
    words: Vec<u64>, // slots of V + limbs words, their number a power of two, or none at all
    limbs: usize,
    len: usize,
}

/// Where [`Table::find`] found a state, or where it belongs.
pub(super) enum Slot {
    Occupied(usize),
    Vacant(usize),
}

const FEWEST_SLOTS: usize = 16;

impl<const V: usize> Table<V> {
    pub(super) const fn new(limbs: usize) -> Self {
        Self { words: Vec::new(), limbs, len: 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// How many bytes more it takes before the next state is added.
    pub(super) fn bytes_to_grow(&self) -> usize {
        if self.is_full() {
            (2 * self.slots()).max(FEWEST_SLOTS) * self.stride() * size_of::<u64>()
        } else {
            0
        }
    }

    fn stride(&self) -> usize {
        V + self.limbs
    }

    pub(super) fn slots(&self) -> usize {
        self.words.len() / self.stride()
    }

    fn is_full(&self) -> bool {
        4 * (self.len + 1) > 3 * self.slots()
    }

    /// Makes room for one more state.
    #[inline]
    pub(super) fn reserve(&mut self) {
        if self.is_full() {
            self.grow(self.limbs, (2 * self.slots()).max(FEWEST_SLOTS));
        }
    }

    /// Makes room for larger counts.
    pub(super) fn widen(&mut self, limbs: usize) {
        self.grow(limbs, self.slots());
    }

    #[cold]
    fn grow(&mut self, limbs: usize, slots: usize) {
        let mut larger = Self { words: vec![0; slots * (V + limbs)], limbs, len: self.len };
        for slot in self.words.chunks_exact(self.stride()).filter(|slot| slot[0] != 0) {
            let at = match larger.find(&core::array::from_fn(|word| slot[word])) {
                Slot::Vacant(at) | Slot::Occupied(at) => at,
            };
            larger.words[at..at + slot.len()].copy_from_slice(slot);
        }
        *self = larger;
    }

    /// Looks a state up. There must be a vacant slot: see [`reserve`](Self::reserve).
    #[inline]
    pub(super) fn find(&self, state: &[u64; V]) -> Slot {
        let (stride, mask) = (self.stride(), self.slots() - 1);
        let mut slot = hash(state) as usize & mask;
        loop {
            let at = slot * stride;
            let found = &self.words[at..at + V];
            if found == state {
                return Slot::Occupied(at);
            }
            if found[0] == 0 {
                return Slot::Vacant(at);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Puts a state with the count 0 in a vacant slot.
    #[inline]
    pub(super) fn occupy(&mut self, at: usize, state: &[u64; V]) {
        self.words[at..at + V].copy_from_slice(state);
        self.len += 1;
    }

    /// The count of an occupied slot.
    #[inline]
    pub(super) fn count_mut(&mut self, at: usize) -> &mut [u64] {
        &mut self.words[at + V..at + V + self.limbs]
    }

    /// The state and the count in the slot of a number, if it is occupied.
    #[inline]
    pub(super) fn slot(&self, number: usize) -> Option<([u64; V], &[u64])> {
        let slot = &self.words[number * self.stride()..][..self.stride()];
        let (state, count) = slot.split_at(V);
        (state[0] != 0).then(|| (core::array::from_fn(|word| state[word]), count))
    }
}

/// Adds `times * count` to a sum of the same length. True if it overflows; then [`subtract`] takes it back.
#[inline]
pub(super) fn add(sum: &mut [u64], count: &[u64], times: u64) -> bool {
    let mut carry = 0;
    for (sum, &count) in sum.iter_mut().zip(count) {
        // At most (2^64 - 1) * (2^64 - 1) + 2 * (2^64 - 1) = 2^128 - 1.
        let total = u128::from(count) * u128::from(times) + u128::from(*sum) + carry;
        *sum = total as u64;
        carry = total >> 64;
    }
    carry != 0
}

/// Takes an [`add`] that has overflowed back.
pub(super) fn subtract(sum: &mut [u64], count: &[u64], times: u64) {
    let (mut carry, mut borrow) = (0, false);
    for (sum, &count) in sum.iter_mut().zip(count) {
        let product = u128::from(count) * u128::from(times) + carry;
        carry = product >> 64;
        let (less, first) = sum.overflowing_sub(product as u64);
        let (less, second) = less.overflowing_sub(u64::from(borrow));
        (*sum, borrow) = (less, first || second);
    }
}

/// Spreads the bits of a state.
#[inline]
fn hash(state: &[u64]) -> u64 {
    let mut hash = 0;
    for word in state {
        let product = u128::from(hash ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash
}
