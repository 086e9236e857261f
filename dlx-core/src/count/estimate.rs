//! How large the search tree is, by Knuth's estimator: a random walk down the tree, multiplying the numbers of branches;
//! its expected value is the number of nodes.

use alloc::vec;
use alloc::vec::Vec;

use super::residual::{PLAIN, Residual};

/// Trees are not told apart beyond that many nodes.
const HUGE: f64 = 1e15;
/// A secondary item that is not used yet; see [`PLAIN`].
const FREE: u32 = PLAIN - 1;

/// The number of guesses, and one for the root, of the tree in which the item with the fewest options is branched on: a
/// mean over random walks (at least four), until about `work` entries have been looked at. The same every time.
///
/// Engines differ in what they count as nodes, but hardly in how many of these are [guesses](crate::Statistics::guesses).
pub(super) fn tree_size(problem: &Residual, work: usize) -> f64 {
    let mut walk = Walk::new(problem);
    let mut sum = 0.0;
    while walk.number < 4 || walk.work < work {
        sum += walk.descend();
    }
    sum / f64::from(walk.number)
}

struct Walk<'a> {
    problem: &'a Residual,
    containing: Vec<Vec<u32>>, // options, by primary item and then by secondary item
    sizes: Vec<u32>,           // by primary item: alive options, or COVERED
    all_sizes: Vec<u32>,       // at the root
    gone: Vec<u32>,            // by option: the number of the walk in which it went
    colors: Vec<u32>,          // by secondary item: FREE, PLAIN or the color that it has
    forced: Vec<u32>,          // items that once had a single option left
    candidates: Vec<u32>,
    dead: bool, // an item has no option left
    number: u32,
    random: u64,
    work: usize,
}

const COVERED: u32 = u32::MAX;

impl<'a> Walk<'a> {
    fn new(problem: &'a Residual) -> Self {
        let mut containing = vec![Vec::new(); problem.primaries + problem.secondaries];
        for option in 0..problem.option_count() {
            let items = problem.items(option).iter().map(|&item| item as usize);
            let uses = problem.uses(option).iter().map(|&(item, _)| problem.primaries + item as usize);
            items.chain(uses).for_each(|item| containing[item].push(option as u32));
        }
        Self {
            problem,
            sizes: Vec::new(),
            all_sizes: containing[..problem.primaries].iter().map(|list| list.len() as u32).collect(),
            containing,
            gone: vec![0; problem.option_count()],
            colors: Vec::new(),
            forced: Vec::new(),
            candidates: Vec::new(),
            dead: false,
            number: 0,
            random: 0x853C_49E6_748F_EA9B,
            work: 0,
        }
    }

    /// One walk from the root; the estimate.
    fn descend(&mut self) -> f64 {
        self.number += 1;
        self.sizes.clone_from(&self.all_sizes);
        self.colors.clear();
        self.colors.resize(self.problem.secondaries, FREE);
        self.forced.clear();
        self.dead = false;
        let (mut nodes, mut weight) = (1.0, 1.0);
        while !self.dead && nodes < HUGE {
            let Some(item) = self.smallest() else { break };
            self.candidates.clear();
            let alive =
                self.containing[item].iter().filter(|&&option| self.gone[option as usize] != self.number);
            self.candidates.extend(alive);
            self.work += self.containing[item].len();
            if self.candidates.len() > 1 {
                weight *= self.candidates.len() as f64;
                nodes += weight;
            }
            let at = self.below(self.candidates.len());
            match self.candidates.get(at) {
                Some(&option) => self.choose(option as usize),
                None => break,
            }
        }
        nodes
    }

    /// The uncovered item with the fewest options; a forced one is found without a search.
    fn smallest(&mut self) -> Option<usize> {
        while let Some(item) = self.forced.pop() {
            if self.sizes[item as usize] == 1 {
                return Some(item as usize);
            }
        }
        self.work += self.sizes.len();
        let least = self.sizes.iter().copied().min().filter(|&least| least != COVERED)?;
        self.sizes.iter().position(|&size| size == least)
    }

    fn choose(&mut self, option: usize) {
        let problem = self.problem;
        problem.items(option).iter().for_each(|&item| self.sizes[item as usize] = COVERED);
        for &item in problem.items(option) {
            self.remove(item as usize, |_| true);
        }
        for &(item, color) in problem.uses(option) {
            if self.colors[item as usize] == FREE {
                self.colors[item as usize] = color;
                let clashes = |other: usize| color == PLAIN || !problem.uses(other).contains(&(item, color));
                self.remove(problem.primaries + item as usize, clashes);
            }
        }
    }

    /// Removes the options of an item that clash.
    fn remove(&mut self, item: usize, clashes: impl Fn(usize) -> bool) {
        for &option in &self.containing[item] {
            let option = option as usize;
            if self.gone[option] == self.number || !clashes(option) {
                continue;
            }
            self.gone[option] = self.number;
            for &other in self.problem.items(option) {
                let size = &mut self.sizes[other as usize];
                if *size == COVERED {
                    continue;
                }
                *size -= 1;
                match *size {
                    0 => self.dead = true,
                    1 => self.forced.push(other),
                    _ => (),
                }
            }
            self.work += self.problem.items(option).len();
        }
        self.work += self.containing[item].len();
    }

    /// A random number below the bound (xorshift; good enough for the purpose).
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((u128::from(self.random) * bound as u128) >> 64) as usize
    }
}
