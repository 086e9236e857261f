//! Random numbers that are the same on every machine and in every release: the algorithm is fixed, and so is what is
//! made of its output, here.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of a seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A stream of its own, told by the next number of this one.
    pub(super) fn fork(&mut self) -> Self {
        Self::new(self.0.next_u64())
    }

    /// A number less than `end`, which is not 0. Some are likelier than others by one in 2^50.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// Brings things into a random order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }

    /// One of the bits that are set, of which there is at least one.
    pub(super) fn bit(&mut self, bits: u64) -> u32 {
        let mut left = bits;
        for _ in 0..self.below(bits.count_ones() as usize) {
            left &= left - 1;
        }
        left.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_algorithm() {
        // Computed by the reference implementations of SplitMix64 and xoshiro256++, in C.
        let mut random = Random::new(0);
        let numbers: Vec<_> = (0..3).map(|_| random.0.next_u64()).collect();
        assert_eq!(numbers, [0x5317_5d61_490b_23df, 0x61da_6f3d_c380_d507, 0x5c0f_df91_ec9a_7bfc]);
    }

    #[test]
    fn every_choice_is_taken() {
        let mut random = Random::new(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[random.below(5)] += 1;
            assert!([1, 4, 63].contains(&random.bit(1 << 1 | 1 << 4 | 1 << 63)));
        }
        assert!(seen.iter().all(|&times| times > 150), "{seen:?}");
        let mut order: Vec<_> = (0..100).collect();
        random.shuffle(&mut order);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert!(order.into_iter().eq(0..100));
    }
}
