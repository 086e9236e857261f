//! The sets of digits that have a sum: what a cage may hold.

/// The number of sets of `count` of the digits 1 to `size` whose sum is `sum`.
pub(super) fn count(size: usize, count: usize, sum: u32) -> u64 {
    let (least, most) = bounds(size, count);
    if !(least..=most).contains(&sum) {
        return 0;
    }
    let sum = sum as usize;
    // ways[c][s]: sets of c of the digits so far with the sum s.
    let mut ways = vec![vec![0_u64; sum + 1]; count + 1];
    ways[0][0] = 1;
    for digit in 1..=size.min(sum) {
        for chosen in (1..=count).rev() {
            for total in (digit..=sum).rev() {
                ways[chosen][total] = ways[chosen][total].saturating_add(ways[chosen - 1][total - digit]);
            }
        }
    }
    ways[count][sum]
}

/// The least and the greatest sum of so many of the digits 1 to `size`.
fn bounds(size: usize, count: usize) -> (u32, u32) {
    let (size, count) = (size as u32, count as u32);
    let least = count * (count + 1) / 2;
    (least, least + count * size.saturating_sub(count))
}

/// The sets of `count` of the digits in `allowed` whose sum is `sum`; digits and sets with the digit 1 as the lowest bit.
pub(super) fn sets(allowed: u64, count: usize, sum: u32) -> Vec<u64> {
    let digits: Vec<u32> = (0..u64::BITS).filter(|bit| allowed >> bit & 1 != 0).collect();
    let mut found = Vec::new();
    // Sets in the making: the digits chosen, how many and what sum are left, and the next digit to be looked at.
    let mut stack = vec![(0_u64, count, sum, 0)];
    while let Some((set, left, rest, next)) = stack.pop() {
        if left == 0 {
            if rest == 0 {
                found.push(set);
            }
            continue;
        }
        let later = &digits[next..];
        let sum_of = |digits: &[u32]| digits.iter().map(|digit| digit + 1).sum::<u32>();
        if later.len() < left || sum_of(&later[..left]) > rest || sum_of(&later[later.len() - left..]) < rest
        {
            continue;
        }
        stack.push((set, left, rest, next + 1));
        if let Some(rest) = rest.checked_sub(later[0] + 1) {
            stack.push((set | 1 << later[0], left - 1, rest, next + 1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_all_that_there_are() {
        for (size, allowed) in [(1, 0b1), (4, 0b1111), (6, 0b11_1111), (9, 0x1FF), (9, 0b1_0110_1011)] {
            for (cells, sum) in itertools::iproduct!(1..=size, 0..50) {
                let fits = |set: &u64| {
                    let total: u32 =
                        (0..u64::BITS).filter(|bit| set >> bit & 1 != 0).map(|bit| bit + 1).sum();
                    set & !allowed == 0 && set.count_ones() as usize == cells && total == sum
                };
                let expected: Vec<_> = (0_u64..1 << size).filter(fits).collect();
                let mut found = sets(allowed, cells, sum);
                found.sort_unstable();
                assert_eq!(found, expected, "{cells} of {allowed:b} with sum {sum}");
                if allowed.count_ones() as usize == size {
                    assert_eq!(count(size, cells, sum), expected.len() as u64);
                }
            }
        }
        assert!(
            count(25, 12, 156) > 20_000 && (1..=20).all(|k| (0..=210).all(|sum| count(20, k, sum) < 20_000))
        );
    }
}
