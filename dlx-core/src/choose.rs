//! Branching rules: MRV, the active item with the fewest remaining options, ties to the lowest, as the engines apply it by
//! themselves; and in `rules` those that take its place.

mod rules;
pub use rules::{BranchingRule, Candidate, Mrv, Sharp, Weights};

/// What is added to the key of an item that is not (or no longer) to be chosen. Above the key of any active one, so that
/// a plain minimum over all keys is the choice.
pub(crate) const INACTIVE: i32 = 1 << 30;

/// How many keys are looked at in one go. Tables of keys are filled up to a multiple of it with inactive ones.
pub(crate) const STRETCH: usize = 16;

/// The remaining options of all items, each with the item's own place, so that the minimum names its item:
/// the key of place *p* with *n* options is `n * unit + p`.
///
/// There is no list of active items to follow: a linear pass that the compiler vectorises is faster than a chain of
/// dependent loads, and `front` spares it the long stretch of covered items at the beginning of large problems.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    /// A power of two. It is 1, and keys are plain lengths, where places and lengths do not fit in one key.
    pub(crate) unit: i32,
}

impl Keys {
    /// For `places` items of which the longest has `longest` options.
    pub(crate) fn new(places: usize, longest: usize) -> Self {
        let unit = places.max(1).next_power_of_two();
        let fits =
            longest.checked_add(1).and_then(|n| n.checked_mul(unit)).is_some_and(|n| n <= INACTIVE as usize);
        Self { unit: if fits { unit as i32 } else { 1 } }
    }

    /// The key of a place without options.
    pub(crate) fn empty(self, place: usize) -> i32 {
        if self.unit == 1 { 0 } else { place as i32 }
    }

    /// The place of the first of the shortest items, and its length; `None` if no item is active. The first `front`
    /// stretches are known to be inactive, and `front` goes on where it can.
    ///
    /// Stops at a length of 1: no active item has length 0 here.
    #[inline(always)]
    pub(crate) fn fewest(self, keys: &[i32], front: &mut u32) -> Option<(usize, i32)> {
        let (stretches, _) = keys.as_chunks::<STRETCH>();
        let (mut best, mut best_at) = (INACTIVE, 0);
        for (at, stretch) in stretches.iter().enumerate().skip(*front as usize) {
            let mut least = best;
            for &[a, b, c, d] in stretch.as_chunks::<4>().0 {
                let four = a.min(b).min(c.min(d));
                if four < least {
                    least = four;
                    if least < 2 * self.unit {
                        break;
                    }
                }
            }
            if least < best {
                (best, best_at) = (least, at);
                if least < 2 * self.unit {
                    break;
                }
            } else if best == INACTIVE {
                *front = at as u32 + 1;
            }
        }
        if best == INACTIVE {
            return None;
        }
        if self.unit > 1 {
            return Some(((best & (self.unit - 1)) as usize, best >> self.unit.trailing_zeros()));
        }
        let start = best_at * STRETCH;
        keys[start..].iter().position(|&key| key == best).map(|place| (start + place, best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(unit: Keys, lens: &[i32]) -> alloc::vec::Vec<i32> {
        let mut keys: alloc::vec::Vec<_> =
            lens.iter().enumerate().map(|(at, len)| len * unit.unit + unit.empty(at)).collect();
        keys.resize(lens.len().next_multiple_of(STRETCH), INACTIVE);
        keys
    }

    #[test]
    fn the_first_of_the_smallest_is_chosen() {
        for unit in [Keys::new(64, 70), Keys { unit: 1 }] {
            let mut front = 0;
            assert_eq!(unit.fewest(&[], &mut front), None);
            assert_eq!(unit.fewest(&[INACTIVE + 2; STRETCH], &mut front), None);
            let mut some = keys(unit, &[3, 9, 2, 2]);
            some[1] += INACTIVE;
            front = 0;
            assert_eq!(unit.fewest(&some, &mut front), Some((2, 2)));
            let mut lens = [5; 3 * STRETCH];
            (lens[STRETCH + 7], lens[2 * STRETCH]) = (2, 2);
            assert_eq!(unit.fewest(&keys(unit, &lens), &mut front), Some((STRETCH + 7, 2)));
            assert_eq!(front, 0);
            let mut late = keys(unit, &lens);
            late[..STRETCH + 8].iter_mut().for_each(|key| *key += INACTIVE);
            assert_eq!(unit.fewest(&late, &mut front), Some((2 * STRETCH, 2)));
            assert_eq!(front, 1);
        }
    }

    #[test]
    fn keys_that_would_not_fit_are_plain_lengths() {
        assert_eq!(Keys::new(1000, 100).unit, 1024);
        assert_eq!(Keys::new(1 << 20, 1 << 12).unit, 1);
        assert_eq!(Keys::new(0, 0).unit, 1);
    }
}
