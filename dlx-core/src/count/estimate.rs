//! How large the search tree is, by Knuth's estimator: a random walk down the tree, multiplying the numbers of branches;
//! its expected value is the number of nodes.

use alloc::vec;
use alloc::vec::Vec;

use super::residual::{PLAIN, Residual};

/// The number of nodes of the tree in which the item with the fewest options is branched on: a mean over random walks,
/// which go on until about `work` entries have been looked at. Reproducible.
pub(super) fn tree_size(problem: &Residual, work: usize) -> f64 {
    let mut walk = Walk::new(problem);
    let (mut sum, mut walks) = (0.0, 0.0);
    while walks < 4.0 || walk.work < work {
        sum += walk.descend();
        walks += 1.0;
    }
    sum / walks
}

struct Walk<'a> {
    problem: &'a Residual,
    alive: Vec<u32>,    // options
    sizes: Vec<u32>,    // by primary item
    covered: Vec<bool>, // primary items
    colors: Vec<u32>,   // by secondary item: FREE, PLAIN or the color that it has
    candidates: Vec<u32>,
    random: u64,
    work: usize,
}

/// A secondary item that is not used yet.
const FREE: u32 = PLAIN - 1;

impl<'a> Walk<'a> {
    fn new(problem: &'a Residual) -> Self {
        Self {
            problem,
            alive: Vec::new(),
            sizes: vec![0; problem.primaries],
            covered: Vec::new(),
            colors: Vec::new(),
            candidates: Vec::new(),
            random: 0x853C_49E6_748F_EA9B,
            work: 0,
        }
    }

    /// One walk from the root; the estimate.
    fn descend(&mut self) -> f64 {
        self.alive.clear();
        self.alive.extend(0..self.problem.option_count() as u32);
        self.covered.clear();
        self.covered.resize(self.problem.primaries, false);
        self.colors.clear();
        self.colors.resize(self.problem.secondaries, FREE);
        let (mut nodes, mut weight) = (1.0, 1.0);
        while let Some(item) = self.smallest() {
            let containing =
                self.alive.iter().filter(|&&option| self.problem.items(option as usize).contains(&item));
            self.candidates.clear();
            self.candidates.extend(containing);
            weight *= self.candidates.len() as f64;
            nodes += weight;
            let at = self.below(self.candidates.len());
            match self.candidates.get(at) {
                Some(&option) => self.choose(option as usize),
                None => break,
            }
        }
        nodes
    }

    /// The uncovered item with the fewest options.
    fn smallest(&mut self) -> Option<u32> {
        self.sizes.fill(0);
        for &option in &self.alive {
            let items = self.problem.items(option as usize);
            items.iter().for_each(|&item| self.sizes[item as usize] += 1);
            self.work += items.len();
        }
        let open = (0..self.problem.primaries as u32).filter(|&item| !self.covered[item as usize]);
        self.work += self.problem.primaries;
        open.min_by_key(|&item| self.sizes[item as usize])
    }

    fn choose(&mut self, option: usize) {
        let problem = self.problem;
        problem.items(option).iter().for_each(|&item| self.covered[item as usize] = true);
        problem.uses(option).iter().for_each(|&(item, color)| self.colors[item as usize] = color);
        let (covered, colors) = (&self.covered, &self.colors);
        self.alive.retain(|&other| {
            let agrees = |&(item, color): &(u32, u32)| match colors[item as usize] {
                FREE => true,
                PLAIN => false,
                taken => taken == color,
            };
            problem.items(other as usize).iter().all(|&item| !covered[item as usize])
                && problem.uses(other as usize).iter().all(agrees)
        });
    }

    /// A random number below the bound (xorshift; good enough for the purpose).
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((u128::from(self.random) * bound as u128) >> 64) as usize
    }
}
