//! Every small problem, once each up to symmetry.
//!
//! [`problems`] lists all problems with up to 3 primary items, 2 secondary items (in each option absent, uncolored, in
//! color `a` or in color `b`) and up to 4 options, equal ones and empty ones included. Two problems are the same up to
//! symmetry where a permutation of the options, of the primary items, of the secondary items, or the exchange of the
//! two colors turns one into the other. What an engine does depends on the order of items and options, so a test does
//! well to run each problem in a second order too: [`mirrored`].
//!
//! An option is a number below 2^p * 4^s, a problem an ascending list of such numbers, and of all lists that symmetry
//! makes equal the lexicographically smallest stands for them. If a list is the smallest of its kind, so is the list
//! without its last number (a smaller image of the shorter list would stay smaller with one more number put in its
//! place), so growing lists one number at a time and dropping what is not smallest loses nothing.

use itertools::{Itertools, iproduct};

use crate::{Entry, Instance};

/// Most primary items of a small problem.
pub const MAX_PRIMARY: usize = 3;
/// Most secondary items of a small problem.
pub const MAX_SECONDARY: usize = 2;
/// Most options of a small problem.
pub const MAX_OPTIONS: usize = 4;

/// All of them, from the empty problem to the largest: 776,504.
///
/// ```
/// use dlx_tests::small;
///
/// let empty = small::problems().next().unwrap();
/// assert_eq!((empty.primary.len(), empty.options.len()), (0, 0));
/// assert!(small::problems().take(1000).all(|problem| problem.options.len() <= small::MAX_OPTIONS));
/// ```
pub fn problems() -> impl Iterator<Item = Instance> {
    iproduct!(0..=MAX_PRIMARY, 0..=MAX_SECONDARY)
        .flat_map(|(primary, secondary)| Family::new(primary, secondary))
}

/// All bounds of a small problem's items: lower bounds up to 2, upper ones up to 3.
pub const BOUNDS: [(u32, u32); 9] = [(1, 1), (0, 0), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)];

/// Small problems with bounds: with all bounds where there are up to 2 primary items and up to 1 secondary one, or 3 primary items
/// and none; and of every 16th of all small problems one with some bounds.
///
/// ```
/// use dlx_tests::small;
///
/// let problem = small::bounded_problems().find(|problem| problem.bounds == [(0, 2), (2, 2)]).unwrap();
/// assert_eq!(problem.to_string(), "0:2|p0 2|p1\n");
/// ```
pub fn bounded_problems() -> impl Iterator<Item = Instance> {
    let families = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0)];
    let all = families.into_iter().flat_map(|(primary, secondary)| {
        Family::new(primary, secondary).flat_map(move |instance| {
            let bounds = (0..primary).map(|_| BOUNDS).multi_cartesian_product();
            bounds.map(move |bounds| Instance { bounds, ..instance.clone() })
        })
    });
    let some = problems().step_by(16).zip(0..).map(|(instance, mut number): (_, usize)| {
        let mut next = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            BOUNDS[(number >> 33) % BOUNDS.len()]
        };
        Instance { bounds: instance.primary.iter().map(|_| next()).collect(), ..instance }
    });
    all.chain(some)
}

/// The same problem with its items of each kind and its options in reverse order, and the items of each option too.
///
/// Option `i` becomes option `n - 1 - i`.
///
/// # Panics
/// Where an option names an item that there is not.
///
/// ```
/// use dlx_tests::{generators, small};
///
/// assert_eq!(small::mirrored(&generators::cycle(3)).to_string(), "p2 p1 p0\np0 p2\np2 p1\np1 p0\n");
/// ```
#[must_use]
pub fn mirrored(instance: &Instance) -> Instance {
    let (p, s) = (instance.primary.len(), instance.secondary.len());
    let place = |item: usize| if item < p { p - 1 - item } else { p + (s - 1 - (item - p)) };
    let option =
        |entries: &Vec<Entry>| entries.iter().rev().map(|&(item, color)| (place(item), color)).collect();
    Instance {
        name: format!("{}, mirrored", instance.name),
        primary: instance.primary.iter().rev().cloned().collect(),
        secondary: instance.secondary.iter().rev().cloned().collect(),
        bounds: (0..p).rev().map(|item| instance.bounds_of(item)).collect(),
        options: instance.options.iter().rev().map(option).collect(),
        known: instance.known,
    }
}

/// The problems with a given number of items, as an iterator that stands on its next problem.
struct Family {
    primary: usize,
    secondary: usize,
    /// Each symmetry of the items and colors, as what it makes of each option number.
    symmetries: Vec<Vec<u8>>,
    /// The next problem; `None` after the last.
    next: Option<Vec<u8>>,
}

impl Family {
    fn new(primary: usize, secondary: usize) -> Self {
        Self { primary, secondary, symmetries: symmetries(primary, secondary), next: Some(Vec::new()) }
    }

    /// How many different options there are.
    fn alphabet(&self) -> usize {
        1 << (self.primary + 2 * self.secondary)
    }

    /// The list after this one in lexicographic order that is the smallest of its kind.
    fn successor(&self, mut list: Vec<u8>) -> Option<Vec<u8>> {
        if list.len() < MAX_OPTIONS {
            list.push(list.last().copied().unwrap_or(0));
        } else {
            increment(&mut list);
        }
        loop {
            if usize::from(*list.last()?) == self.alphabet() {
                list.pop();
            } else if self.is_smallest(&list) {
                return Some(list);
            }
            increment(&mut list);
        }
    }

    fn is_smallest(&self, list: &[u8]) -> bool {
        self.symmetries.iter().all(|symmetry| {
            let mut image = [0; MAX_OPTIONS];
            let image = &mut image[..list.len()];
            for (to, &from) in image.iter_mut().zip(list) {
                *to = symmetry[usize::from(from)];
            }
            image.sort_unstable();
            *image >= *list
        })
    }

    fn instance(&self, list: &[u8]) -> Instance {
        let (p, s) = (self.primary, self.secondary);
        let option = |&number: &u8| {
            let (mask, kinds) = decode(number, p, s);
            let primary =
                mask.into_iter().enumerate().filter_map(|(item, there)| there.then_some((item, None)));
            let secondary = kinds.into_iter().enumerate().filter_map(|(item, kind)| match kind {
                0 => None,
                1 => Some((p + item, None)),
                2 => Some((p + item, Some('a'))),
                _ => Some((p + item, Some('b'))),
            });
            primary.chain(secondary).collect()
        };
        Instance {
            name: format!("small {p}+{s} {list:?}"),
            primary: (0..p).map(|item| format!("p{item}")).collect(),
            secondary: (0..s).map(|item| format!("s{item}")).collect(),
            bounds: Vec::new(),
            options: list.iter().map(option).collect(),
            known: None,
        }
    }
}

impl Iterator for Family {
    type Item = Instance;

    fn next(&mut self) -> Option<Instance> {
        let list = self.next.take()?;
        let instance = self.instance(&list);
        self.next = self.successor(list);
        Some(instance)
    }
}

fn increment(list: &mut [u8]) {
    if let Some(last) = list.last_mut() {
        *last += 1;
    }
}

/// An option number as what it says of each primary item (there or not) and of each secondary item (0 absent,
/// 1 uncolored, 2 and 3 the colors).
fn decode(number: u8, primary: usize, secondary: usize) -> (Vec<bool>, Vec<u8>) {
    let mask = (0..primary).map(|item| number >> item & 1 == 1).collect();
    let kinds = (0..secondary).map(|item| number >> (primary + 2 * item) & 3).collect();
    (mask, kinds)
}

/// The inverse of [`decode`].
fn encode(mask: impl IntoIterator<Item = bool>, kinds: impl IntoIterator<Item = u8>, primary: usize) -> u8 {
    let low: u8 = mask.into_iter().zip(0..).map(|(there, item)| u8::from(there) << item).sum();
    let high: u8 = kinds.into_iter().zip(0..).map(|(kind, item)| kind << (primary + 2 * item)).sum();
    low + high
}

fn symmetries(primary: usize, secondary: usize) -> Vec<Vec<u8>> {
    let numbers = 0..(1_u16 << (primary + 2 * secondary));
    let exchange = |kind: u8, colors: bool| if colors && kind >= 2 { 5 - kind } else { kind };
    iproduct!((0..primary).permutations(primary), (0..secondary).permutations(secondary), [false, true])
        .map(|(p, s, colors)| {
            let image = |number: u16| {
                let (mask, kinds) = decode(number as u8, primary, secondary);
                encode(p.iter().map(|&i| mask[i]), s.iter().map(|&i| exchange(kinds[i], colors)), primary)
            };
            numbers.clone().map(image).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds of multisets of each size, by Burnside's lemma: the mean, over the symmetries, of how many multisets each
    /// leaves alone; a multiset is left alone where it takes whole cycles equally often.
    fn kinds_by_size(family: &Family) -> [usize; MAX_OPTIONS + 1] {
        let mut total = [0; MAX_OPTIONS + 1];
        for symmetry in &family.symmetries {
            let mut fixed = [1, 0, 0, 0, 0];
            for length in cycle_lengths(symmetry) {
                for size in length..=MAX_OPTIONS {
                    fixed[size] += fixed[size - length];
                }
            }
            for (sum, n) in total.iter_mut().zip(fixed) {
                *sum += n;
            }
        }
        total.map(|sum| sum / family.symmetries.len())
    }

    fn cycle_lengths(permutation: &[u8]) -> Vec<usize> {
        let mut seen = vec![false; permutation.len()];
        let mut lengths = Vec::new();
        for start in 0..permutation.len() {
            let (mut at, mut length) = (start, 0);
            while !seen[at] {
                seen[at] = true;
                at = usize::from(permutation[at]);
                length += 1;
            }
            if length > 0 {
                lengths.push(length);
            }
        }
        lengths
    }

    #[test]
    fn as_many_problems_as_burnside_counts() {
        let mut total = 0;
        for (primary, secondary) in iproduct!(0..=MAX_PRIMARY, 0..=MAX_SECONDARY) {
            let expected = kinds_by_size(&Family::new(primary, secondary));
            let mut found = [0; MAX_OPTIONS + 1];
            let mut family = Family::new(primary, secondary);
            while let Some(list) = family.next.take() {
                found[list.len()] += 1;
                family.next = family.successor(list);
            }
            assert_eq!(found, expected, "{primary} primary, {secondary} secondary");
            total += found.iter().sum::<usize>();
        }
        assert_eq!(total, 776_504);
    }

    #[test]
    fn option_numbers_decode_and_encode() {
        for number in 0..128 {
            let (mask, kinds) = decode(number, 3, 2);
            assert_eq!(encode(mask, kinds, 3), number);
        }
    }
}
