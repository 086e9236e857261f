//! The solutions of a diagram by their cost.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{BOTTOM, Node, Zdd};
use crate::{OptionId, OwnedSolution};

impl Zdd {
    /// The solutions, cheapest first, each with the sum of its options' costs. Where sums are equal, the order is the same
    /// every time.
    ///
    /// Takes two additions a node before the first solution, and 16 bytes a node. For every solution, it looks at the nodes
    /// of a path, and remembers some 100 bytes at the most for each: where else it might have gone.
    ///
    /// ```
    /// use dlx_core::ProblemBuilder;
    ///
    /// let mut b = ProblemBuilder::new();
    /// let [a, c] = b.primaries(["a", "c"])?;
    /// let [one, other, both] = [b.option([a])?, b.option([c])?, b.option([a, c])?];
    /// let zdd = b.build()?.solver().zdd()?;
    /// let price = [3, 4, 5];
    /// let all: Vec<_> = zdd.cheapest(|option| price[option.index()]).map(|(sum, s)| (sum, s.to_vec())).collect();
    /// assert_eq!(all, [(5, vec![both]), (7, vec![one, other])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cheapest(&self, cost: impl Fn(OptionId) -> i64) -> Cheapest<'_> {
        let costs = (0..self.options as u32).map(|index| OptionId::new(index).map_or(0, &cost)).collect();
        Cheapest::new(self, costs)
    }
}

/// The iterator that [`Zdd::cheapest`] returns.
///
/// The solutions that are still to come fall into sets: those whose path begins like one that was taken, and goes on by the
/// successor that was not. The cheapest of each set is known from the cheapest way from every node to ⊤ (Lawler's
/// method).
#[derive(Clone)]
pub struct Cheapest<'a> {
    zdd: &'a Zdd,
    costs: Vec<i64>,                // by option
    rest: Vec<i128>,                // by successor: of the cheapest way to ⊤ from there
    chosen: Vec<Chosen>,            // the beginnings of paths, as lists that share what is the same
    sets: BinaryHeap<Reverse<Set>>, // to come
    number: u64,                    // of sets so far
}

/// The options chosen on the way to a node: the last of them, and where the others are.
#[derive(Clone, Copy)]
struct Chosen {
    option: OptionId,
    before: Option<usize>,
}

/// The solutions with a given beginning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Set {
    cost: i128, // of the cheapest
    number: u64,
    chosen: Option<usize>,
    at: u32,
}

impl<'a> Cheapest<'a> {
    fn new(zdd: &'a Zdd, costs: Vec<i64>) -> Self {
        let mut rest = vec![0; zdd.nodes.len() + 2];
        for (place, node) in zdd.nodes.iter().enumerate() {
            let with = rest[node.hi as usize] + i128::from(costs[node.option.index()]);
            rest[place + 2] = if node.lo == BOTTOM { with } else { with.min(rest[node.lo as usize]) };
        }
        let (chosen, sets) = (Vec::new(), BinaryHeap::new());
        let mut this = Self { zdd, costs, rest, chosen, sets, number: 0 };
        this.add(0, None, zdd.root);
        this
    }

    /// Adds the solutions with that beginning, which costs so much, unless there are none.
    fn add(&mut self, spent: i128, chosen: Option<usize>, at: u32) {
        if at != BOTTOM {
            self.sets.push(Reverse(Set {
                cost: spent + self.rest[at as usize],
                number: self.number,
                chosen,
                at,
            }));
            self.number += 1;
        }
    }

    fn choose(&mut self, node: &Node, before: Option<usize>) -> Option<usize> {
        self.chosen.push(Chosen { option: node.option, before });
        Some(self.chosen.len() - 1)
    }
}

impl Iterator for Cheapest<'_> {
    type Item = (i128, OwnedSolution);

    fn next(&mut self) -> Option<(i128, OwnedSolution)> {
        let Reverse(Set { cost, mut chosen, mut at, .. }) = self.sets.pop()?;
        let mut spent = cost - self.rest[at as usize];
        while let Some(node) = self.zdd.node(at) {
            let with = spent + i128::from(self.costs[node.option.index()]);
            let best = spent + self.rest[at as usize];
            let beginning = self.choose(node, chosen);
            if with + self.rest[node.hi as usize] == best {
                self.add(spent, chosen, node.lo);
                (spent, chosen, at) = (with, beginning, node.hi);
            } else {
                self.add(with, beginning, node.hi);
                at = node.lo;
            }
        }
        let steps = core::iter::successors(chosen, |&at| self.chosen[at].before);
        let options: Vec<OptionId> = steps.map(|at| self.chosen[at].option).collect();
        Some((cost, OwnedSolution::new(&options)))
    }
}

impl core::iter::FusedIterator for Cheapest<'_> {}
