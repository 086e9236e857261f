//! Branching rules. So far MRV: the active item with the fewest remaining options, ties to the lowest.

/// What is added to the length of an item that is not (or no longer) to be chosen. Above any number of options
/// (the builder bounds them), so that a plain minimum over all lengths is the choice.
pub(crate) const INACTIVE: i32 = 1 << 30;

/// How many items share one count of active ones, so that long stretches of covered items cost nothing.
pub(crate) const STRETCH: usize = 64;

/// The place of the first smallest length, and that length, if any item is active. `active[k]` is the number of
/// active items in the `k`-th stretch of `lens`.
///
/// There is no list of active items to follow: a linear pass that the compiler vectorises is faster than a
/// chain of dependent loads. It stops at a length of 0 or 1, the former impossible to beat, the latter
/// impossible to beat where items of length 0 were given up earlier.
pub(crate) fn fewest(lens: &[i32], active: &[u32]) -> Option<(usize, i32)> {
    let (mut best, mut best_stretch) = (INACTIVE, 0);
    for (k, stretch) in lens.chunks(STRETCH).enumerate() {
        if active[k] == 0 {
            continue;
        }
        let least = stretch.iter().fold(INACTIVE, |least, &len| least.min(len));
        if least < best {
            (best, best_stretch) = (least, k);
            if best <= 1 {
                break;
            }
        }
    }
    if best == INACTIVE {
        return None;
    }
    let start = best_stretch * STRETCH;
    lens[start..].iter().position(|&len| len == best).map(|at| (start + at, best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_smallest_is_chosen() {
        assert_eq!(fewest(&[], &[]), None);
        assert_eq!(fewest(&[INACTIVE + 2], &[0]), None);
        assert_eq!(fewest(&[3, INACTIVE, 2, 2], &[3]), Some((2, 2)));
        let mut lens = [5; 3 * STRETCH];
        (lens[STRETCH + 7], lens[2 * STRETCH]) = (2, 2);
        assert_eq!(fewest(&lens, &[64, 64, 64]), Some((STRETCH + 7, 2)));
    }
}
