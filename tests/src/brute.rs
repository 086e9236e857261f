//! The reference: what a solution is, by the definition and nothing else.
//!
//! Two solvers, both far from any engine: [`all_subsets`] tries every set of options against [`is_solution`];
//! [`search`] covers the items in their given order and takes back what did not work, which reaches problems with
//! some thousand solutions. Both read only an [`Instance`].

use std::collections::HashMap;

use itertools::Itertools;

use crate::Instance;

/// Is this set of options (places in the input, in any order) a solution?
///
/// Every primary item is in exactly one of them, or in as many as its bounds say, every secondary item in at most one, or in several that all give it
/// the same color; and each of them contains a primary item. A set that names an option twice is none.
///
/// # Panics
/// Where there is no such option.
///
/// ```
/// use dlx_tests::{brute, generators};
///
/// let ring = generators::cycle(4); // options 0-1, 1-2, 2-3, 3-0
/// assert!(brute::is_solution(&ring, &[0, 2]));
/// assert!(!brute::is_solution(&ring, &[0, 1]));
/// ```
#[must_use]
pub fn is_solution(instance: &Instance, options: &[usize]) -> bool {
    let entries = || options.iter().flat_map(|&option| &instance.options[option]);
    let primary_within_bounds = || {
        let mut times = vec![0; instance.primary.len()];
        for &(item, _) in entries() {
            if let Some(n) = times.get_mut(item) {
                *n += 1;
            }
        }
        times.iter().enumerate().all(|(item, n)| {
            let (least, most) = instance.bounds_of(item);
            (least..=most).contains(n)
        })
    };
    let secondary_compatible = || {
        entries()
            .filter(|(item, _)| *item >= instance.primary.len())
            .array_combinations()
            .all(|[a, b]| a.0 != b.0 || (a.1.is_some() && a.1 == b.1))
    };
    options.iter().all_unique()
        && options.iter().all(|&option| instance.has_primary(option))
        && primary_within_bounds()
        && secondary_compatible()
}

/// Every solution, each as ascending places of options, in lexicographic order; by trying all 2^n sets of options.
///
/// ```
/// use dlx_tests::{brute, generators};
///
/// assert_eq!(brute::all_subsets(&generators::cycle(4)), [[0, 2], [1, 3]]);
/// ```
#[must_use]
pub fn all_subsets(instance: &Instance) -> Vec<Vec<usize>> {
    let sets = (0..instance.options.len()).powerset();
    sets.filter(|options| is_solution(instance, options)).sorted().collect()
}

/// Every solution, as [`all_subsets`] gives them, by plain backtracking: the first primary item in the given order
/// that is not covered yet, each option that contains it and agrees with those chosen before. With bounds: each option in
/// the given order, chosen if it agrees, and left out if enough are to come for every lower bound.
///
/// Recursive: its depth is the number of options in a solution, with bounds that of all options.
///
/// ```
/// use dlx_tests::{brute, generators};
///
/// assert_eq!(brute::search(&generators::queens(8, generators::QueenOrder::Natural)).len(), 92);
/// ```
#[must_use]
pub fn search(instance: &Instance) -> Vec<Vec<usize>> {
    let mut containing = vec![Vec::new(); instance.primary.len()];
    for (option, entries) in instance.options.iter().enumerate() {
        for &(item, _) in entries {
            if let Some(list) = containing.get_mut(item) {
                list.push(option);
            }
        }
    }
    let mut state =
        Search { instance, containing, used: HashMap::new(), chosen: Vec::new(), solutions: Vec::new() };
    if instance.bounds.is_empty() {
        state.extend();
    } else {
        state.decide(0);
    }
    state.solutions.sort_unstable();
    state.solutions
}

/// Where [`search`] stands.
struct Search<'a> {
    instance: &'a Instance,
    /// For each primary item, the options that contain it.
    containing: Vec<Vec<usize>>,
    /// Each item that a chosen option contains: its color, and how many chosen options contain it.
    used: HashMap<usize, (Option<char>, usize)>,
    chosen: Vec<usize>,
    solutions: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn extend(&mut self) {
        let Some(item) = (0..self.instance.primary.len()).find(|item| !self.used.contains_key(item)) else {
            self.solutions.push(self.chosen.iter().copied().sorted().collect());
            return;
        };
        for place in 0..self.containing[item].len() {
            let option = self.containing[item][place];
            if self.agrees(option) {
                self.choose(option);
                self.extend();
                self.take_back();
            }
        }
    }

    /// Chooses the option and leaves it out, as far as either is possible.
    fn decide(&mut self, option: usize) {
        let times = |item: &usize| self.used.get(item).map_or(0, |(_, times)| *times);
        let reachable = self.containing.iter().enumerate().all(|(item, options)| {
            let to_come = options.len() - options.partition_point(|&other| other < option);
            times(&item) + to_come >= self.instance.bounds_of(item).0 as usize
        });
        if !reachable {
            return;
        }
        if option == self.instance.options.len() {
            return self.solutions.push(self.chosen.clone());
        }
        if self.instance.has_primary(option) && self.agrees(option) {
            self.choose(option);
            self.decide(option + 1);
            self.take_back();
        }
        self.decide(option + 1);
    }

    fn agrees(&self, option: usize) -> bool {
        let primaries = self.instance.primary.len();
        self.instance.options[option].iter().all(|(item, color)| match self.used.get(item) {
            None => *item >= primaries || self.instance.bounds_of(*item).1 > 0,
            Some((_, times)) if *item < primaries => *times < self.instance.bounds_of(*item).1 as usize,
            Some((other, _)) => color.is_some() && color == other,
        })
    }

    fn choose(&mut self, option: usize) {
        for &(item, color) in &self.instance.options[option] {
            self.used.entry(item).or_insert((color, 0)).1 += 1;
        }
        self.chosen.push(option);
    }

    fn take_back(&mut self) {
        let Some(option) = self.chosen.pop() else { return };
        for (item, _) in &self.instance.options[option] {
            if let Some((_, times)) = self.used.get_mut(item) {
                *times -= 1;
                if *times == 0 {
                    self.used.remove(item);
                }
            }
        }
    }
}
