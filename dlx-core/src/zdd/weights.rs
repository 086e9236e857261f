//! Numbers of paths through a diagram, and what follows from them: how many solutions there are, how many contain an
//! option, and samples.

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::{BOTTOM, Node, TOP, Zdd, ZddError};
use crate::{OptionId, OwnedSolution};

/// What the heap takes for a number, its words apart.
const HEAP: usize = 16;

impl Zdd {
    /// How many solutions contain each option, by the index of the option: zero for those that are never chosen.
    ///
    /// Takes a few additions and multiplications a node.
    ///
    /// # Errors
    /// [`ZddError::Memory`] if a number for each node would not fit in the limit with which the diagram was made.
    ///
    /// ```
    /// use dlx_core::{BigUint, ProblemBuilder};
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// b.option([a])?;
    /// b.option([c])?;
    /// b.option([c])?;
    /// b.option([a, c])?;
    /// let zdd = b.build()?.solver().zdd()?;
    /// assert_eq!(zdd.counts_by_option()?, [2u32, 1, 1, 1].map(BigUint::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts_by_option(&self) -> Result<Vec<BigUint>, ZddError> {
        let weights = self.weights()?;
        let mut counts = vec![BigUint::ZERO; self.options];
        self.descend(|node, ways| counts[node.option.index()] += ways * &weights[node.hi as usize]);
        Ok(counts)
    }

    /// Draws solutions at random: each time every solution with the same probability, whatever was drawn before. Draws
    /// the same ones for the same solver and seed on every machine and in every run.
    ///
    /// The iterator never ends, unless there is no solution. Making it takes an addition a node; every sample a step for each node of a path.
    ///
    /// # Errors
    /// As [`counts_by_option`](Self::counts_by_option).
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// for item in b.unnamed_primaries(100)? {
    ///     b.option([item])?;
    ///     b.option([item])?;
    /// }
    /// let zdd = b.build()?.solver().zdd()?; // of 2^100 solutions
    /// let samples: Vec<_> = zdd.sampler(7)?.take(3).collect();
    /// assert!(samples.iter().all(|sample| sample.len() == 100));
    /// assert_eq!(zdd.sampler(7)?.take(3).collect::<Vec<_>>(), samples);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sampler(&self, seed: u64) -> Result<Sampler<'_>, ZddError> {
        Ok(Sampler { zdd: self, weights: self.weights()?, random: Xoshiro256PlusPlus::seed_from_u64(seed) })
    }

    /// Shows each node, those that lead to it first, with the number of paths that lead there from the root. The number of
    /// paths to ⊤. A number is kept no longer than it is needed.
    pub(super) fn descend(&self, mut show: impl FnMut(&Node, &BigUint)) -> BigUint {
        let mut paths = vec![BigUint::ZERO; self.nodes.len() + 2];
        paths[self.root as usize] = 1u32.into();
        for (place, node) in self.nodes.iter().enumerate().rev() {
            let ways = core::mem::take(&mut paths[place + 2]);
            show(node, &ways);
            if node.lo != BOTTOM {
                paths[node.lo as usize] += &ways;
            }
            paths[node.hi as usize] += ways;
        }
        core::mem::take(&mut paths[TOP as usize])
    }

    /// The number of paths to ⊤ from each successor.
    fn weights(&self) -> Result<Vec<BigUint>, ZddError> {
        let full = ZddError::Memory { limit: self.memory };
        let mut room = self.memory.checked_sub((self.nodes.len() + 2) * size_of::<BigUint>()).ok_or(full)?;
        let mut weights = Vec::with_capacity(self.nodes.len() + 2);
        weights.extend([BigUint::ZERO, 1u32.into()]); // of ⊥ and ⊤
        for node in &self.nodes {
            let weight = &weights[node.lo as usize] + &weights[node.hi as usize];
            let bytes = HEAP + weight.bits().div_ceil(64) as usize * size_of::<u64>();
            room = room.checked_sub(bytes).ok_or(full)?;
            weights.push(weight);
        }
        Ok(weights)
    }
}

/// The iterator that [`Zdd::sampler`] returns.
#[derive(Clone)]
pub struct Sampler<'a> {
    zdd: &'a Zdd,
    weights: Vec<BigUint>,
    random: Xoshiro256PlusPlus,
}

impl Sampler<'_> {
    /// A number less than the bound, which is not 0, each with the same probability.
    fn below(&mut self, bound: &BigUint) -> BigUint {
        let bits = bound.bits();
        loop {
            // In less than two attempts on average.
            let mut digits = Vec::with_capacity(2 * bits.div_ceil(64) as usize);
            for _ in 0..bits.div_ceil(64) {
                let word = self.random.next_u64();
                digits.extend([word as u32, (word >> 32) as u32]);
            }
            let number = BigUint::new(digits) >> (bits.next_multiple_of(64) - bits);
            if number < *bound {
                return number;
            }
        }
    }
}

impl Iterator for Sampler<'_> {
    type Item = OwnedSolution;

    fn next(&mut self) -> Option<OwnedSolution> {
        let zdd = self.zdd;
        if zdd.is_empty() {
            return None;
        }
        let all = core::mem::take(&mut self.weights[zdd.root as usize]);
        let mut number = self.below(&all); // of the solution, where those without an option come before those with it
        self.weights[zdd.root as usize] = all;
        let (mut at, mut options) = (zdd.root, Vec::<OptionId>::new());
        while let Some(node) = zdd.node(at) {
            let without = &self.weights[node.lo as usize];
            if number < *without {
                at = node.lo;
            } else {
                number -= without;
                options.push(node.option);
                at = node.hi;
            }
        }
        Some(OwnedSolution::new(&options))
    }
}
