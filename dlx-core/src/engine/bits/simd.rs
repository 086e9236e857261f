//! The few vector operations that the hot loops need, one implementation for each instruction set, and the choice among
//! them at run time.
#![allow(unsafe_code)] // INVARIANT: a function of an instruction set runs only where `Cpu::detect` has found it

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Eight 64-bit lanes.
#[repr(C, align(64))]
#[derive(Clone, Copy, Default)]
pub(super) struct Lanes(pub(super) [u64; 8]);

/// An instruction set that the processor has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(not(feature = "std"), allow(dead_code))] // without std nothing tells what the processor has
pub(super) enum Cpu {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// All lanes side by side.
#[inline(always)]
pub(super) fn words(lanes: &[Lanes]) -> &[u64] {
    // SAFETY: lanes are eight words without padding.
    unsafe { core::slice::from_raw_parts(lanes.as_ptr().cast(), 8 * lanes.len()) }
}

/// The same, to be written.
#[inline(always)]
pub(super) fn words_mut(lanes: &mut [Lanes]) -> &mut [u64] {
    // SAFETY: the same, and any words are lanes.
    unsafe { core::slice::from_raw_parts_mut(lanes.as_mut_ptr().cast(), 8 * lanes.len()) }
}

impl Cpu {
    /// All that there are.
    #[cfg(test)]
    pub(super) const ALL: [Self; if cfg!(target_arch = "x86_64") { 3 } else { 1 }] = [
        Self::Portable,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
    ];

    /// The best one. `DLX_SIMD` (`portable`, `avx2` or `avx512`) may ask for less.
    pub(super) fn detect() -> Self {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            use std::is_x86_feature_detected as has;
            let most = match std::env::var("DLX_SIMD").as_deref() {
                Ok("portable") => Self::Portable,
                Ok("avx2") => Self::Avx2,
                _ => Self::Avx512,
            };
            let avx2 = has!("avx2") && has!("popcnt") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
            let avx512 = avx2
                && has!("avx512f")
                && has!("avx512bw")
                && has!("avx512dq")
                && has!("avx512vl")
                && has!("avx512vpopcntdq");
            let best = if avx512 {
                Self::Avx512
            } else if avx2 {
                Self::Avx2
            } else {
                Self::Portable
            };
            best.min(most)
        }
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        Self::Portable
    }
}

/// Counting in eight lanes at a time.
///
/// # Safety
/// All functions: only where the processor has the instruction set.
pub(super) trait Isa {
    /// Eight counts.
    type Counts: Copy;
    /// The smallest counts so far, with their places.
    type Best: Copy;

    /// How many bits of each lane's mask are alive; word *w* of the masks is in `masks[w]`. At most 31 words.
    unsafe fn count(masks: &[Lanes], alive: &[u64]) -> Self::Counts;
    /// Their sums.
    unsafe fn plus(counts: Self::Counts, more: Self::Counts) -> Self::Counts;
    /// The ways to branch on eight items: their counts, plus one, minus what `rooms` has more than `slack`; nothing where that is
    /// less.
    unsafe fn ways(counts: Self::Counts, rooms: &Lanes, slack: &Lanes) -> Self::Counts;
    /// Which of the given lanes count one or nothing.
    unsafe fn at_most_one(counts: Self::Counts, lanes: u8) -> u8;
    /// Which of the given lanes count nothing.
    unsafe fn nothing(counts: Self::Counts, lanes: u8) -> u8;
    /// No count so far.
    unsafe fn best() -> Self::Best;
    /// Takes the given lanes into account. Among equal counts, the lane with the least order is the smallest; orders are
    /// below 2^40.
    unsafe fn improve(best: Self::Best, counts: Self::Counts, lanes: u8, orders: &Lanes) -> Self::Best;
    /// The smallest count, shifted left by 40, plus its order.
    unsafe fn smallest(best: Self::Best) -> u64;
}

/// Plain Rust, which the compiler vectorises as far as the instruction set goes.
pub(super) struct Plain;

impl Isa for Plain {
    type Counts = [u64; 8];
    type Best = u64;

    #[inline(always)]
    unsafe fn count(masks: &[Lanes], alive: &[u64]) -> [u64; 8] {
        let mut counts = [0; 8];
        for (mask, alive) in masks.iter().zip(alive) {
            for (count, lane) in counts.iter_mut().zip(mask.0) {
                *count += u64::from((lane & alive).count_ones());
            }
        }
        counts
    }

    #[inline(always)]
    unsafe fn plus(counts: [u64; 8], more: [u64; 8]) -> [u64; 8] {
        core::array::from_fn(|k| counts[k] + more[k])
    }

    #[inline(always)]
    unsafe fn ways(counts: [u64; 8], rooms: &Lanes, slack: &Lanes) -> [u64; 8] {
        core::array::from_fn(|k| (counts[k] + 1).saturating_sub(rooms.0[k].saturating_sub(slack.0[k])))
    }

    #[inline(always)]
    unsafe fn at_most_one(counts: [u64; 8], lanes: u8) -> u8 {
        (0..8).fold(0, |found, k| found | u8::from(counts[k] <= 1) << k) & lanes
    }

    #[inline(always)]
    unsafe fn nothing(counts: [u64; 8], lanes: u8) -> u8 {
        (0..8).fold(0, |found, k| found | u8::from(counts[k] == 0) << k) & lanes
    }

    #[inline(always)]
    unsafe fn best() -> u64 {
        u64::MAX
    }

    #[inline(always)]
    unsafe fn improve(best: u64, counts: [u64; 8], lanes: u8, orders: &Lanes) -> u64 {
        (0..8).fold(best, |best, k| {
            let out = u64::from(lanes >> k & 1).wrapping_sub(1); // all ones for a lane that does not take part
            best.min(counts[k] << 40 | orders.0[k] | out)
        })
    }

    #[inline(always)]
    unsafe fn smallest(best: u64) -> u64 {
        best
    }
}

/// AVX-512 with VPOPCNTDQ.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    type Counts = __m512i;
    type Best = __m512i;

    #[inline(always)]
    unsafe fn count(masks: &[Lanes], alive: &[u64]) -> __m512i {
        // SAFETY: the processor has the instructions; the loads are of 64 bytes of a `Lanes`.
        unsafe {
            let mut counts = _mm512_setzero_si512();
            for (mask, &alive) in masks.iter().zip(alive) {
                let mask = _mm512_load_si512((mask as *const Lanes).cast());
                let left = _mm512_and_si512(mask, _mm512_set1_epi64(alive as i64));
                counts = _mm512_add_epi64(counts, _mm512_popcnt_epi64(left));
            }
            counts
        }
    }

    #[inline(always)]
    unsafe fn plus(counts: __m512i, more: __m512i) -> __m512i {
        // SAFETY: the processor has the instructions.
        unsafe { _mm512_add_epi64(counts, more) }
    }

    #[inline(always)]
    unsafe fn ways(counts: __m512i, rooms: &Lanes, slack: &Lanes) -> __m512i {
        // SAFETY: the processor has the instructions; the loads are of 64 bytes of a `Lanes`.
        unsafe {
            let rooms = _mm512_load_si512((rooms as *const Lanes).cast());
            let slack = _mm512_load_si512((slack as *const Lanes).cast());
            let asked = _mm512_sub_epi64(_mm512_max_epu64(rooms, slack), slack);
            let more = _mm512_add_epi64(counts, _mm512_set1_epi64(1));
            _mm512_sub_epi64(_mm512_max_epu64(more, asked), asked)
        }
    }

    #[inline(always)]
    unsafe fn at_most_one(counts: __m512i, lanes: u8) -> u8 {
        // SAFETY: the processor has the instructions.
        unsafe { _mm512_mask_cmple_epu64_mask(lanes, counts, _mm512_set1_epi64(1)) }
    }

    #[inline(always)]
    unsafe fn nothing(counts: __m512i, lanes: u8) -> u8 {
        // SAFETY: the processor has the instructions.
        unsafe { _mm512_mask_testn_epi64_mask(lanes, counts, counts) }
    }

    #[inline(always)]
    unsafe fn best() -> __m512i {
        // SAFETY: the processor has the instructions.
        unsafe { _mm512_set1_epi64(-1) }
    }

    #[inline(always)]
    unsafe fn improve(best: __m512i, counts: __m512i, lanes: u8, orders: &Lanes) -> __m512i {
        // SAFETY: the processor has the instructions; the load is of the 64 bytes of a `Lanes`.
        unsafe {
            let orders = _mm512_load_si512((orders as *const Lanes).cast());
            let keys = _mm512_or_si512(_mm512_slli_epi64::<40>(counts), orders);
            _mm512_mask_min_epu64(best, lanes, best, keys)
        }
    }

    #[inline(always)]
    unsafe fn smallest(best: __m512i) -> u64 {
        // SAFETY: the processor has the instructions.
        unsafe { _mm512_reduce_min_epu64(best) }
    }
}

/// AVX2. The upper four lanes are in the second vector.
// No closures: they would be compiled without the instructions, and the calls in them not be inlined.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    type Counts = [__m256i; 2];
    type Best = [__m256i; 2];

    #[inline(always)]
    unsafe fn count(masks: &[Lanes], alive: &[u64]) -> [__m256i; 2] {
        // SAFETY: the processor has the instructions; the loads are of the halves of a `Lanes`.
        unsafe {
            let zero = _mm256_setzero_si256();
            let (mut low, mut high) = (zero, zero); // sums by byte, which has room for 31 words
            for (mask, &alive) in masks.iter().zip(alive) {
                let alive = _mm256_set1_epi64x(alive as i64);
                let mask = (mask as *const Lanes).cast::<__m256i>();
                low = _mm256_add_epi8(low, bytewise(_mm256_and_si256(_mm256_load_si256(mask), alive)));
                high =
                    _mm256_add_epi8(high, bytewise(_mm256_and_si256(_mm256_load_si256(mask.add(1)), alive)));
            }
            [_mm256_sad_epu8(low, zero), _mm256_sad_epu8(high, zero)]
        }
    }

    #[inline(always)]
    unsafe fn plus(counts: [__m256i; 2], more: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: the processor has the instructions.
        unsafe { [_mm256_add_epi64(counts[0], more[0]), _mm256_add_epi64(counts[1], more[1])] }
    }

    #[inline(always)]
    unsafe fn ways(counts: [__m256i; 2], rooms: &Lanes, slack: &Lanes) -> [__m256i; 2] {
        // SAFETY: the processor has the instructions; the loads are of the halves of a `Lanes`.
        unsafe {
            let (rooms, slack) = ((rooms as *const Lanes).cast(), (slack as *const Lanes).cast());
            let low = ways(counts[0], _mm256_load_si256(rooms), _mm256_load_si256(slack));
            [low, ways(counts[1], _mm256_load_si256(rooms.add(1)), _mm256_load_si256(slack.add(1)))]
        }
    }

    #[inline(always)]
    unsafe fn at_most_one(counts: [__m256i; 2], lanes: u8) -> u8 {
        // SAFETY: the processor has the instructions.
        unsafe {
            let two = _mm256_set1_epi64x(2);
            signs(_mm256_cmpgt_epi64(two, counts[0]), _mm256_cmpgt_epi64(two, counts[1])) & lanes
        }
    }

    #[inline(always)]
    unsafe fn nothing(counts: [__m256i; 2], lanes: u8) -> u8 {
        // SAFETY: the processor has the instructions.
        unsafe {
            let zero = _mm256_setzero_si256();
            signs(_mm256_cmpeq_epi64(zero, counts[0]), _mm256_cmpeq_epi64(zero, counts[1])) & lanes
        }
    }

    #[inline(always)]
    unsafe fn best() -> [__m256i; 2] {
        // SAFETY: the processor has the instructions.
        unsafe { [_mm256_set1_epi64x(i64::MAX), _mm256_set1_epi64x(i64::MAX)] }
    }

    #[inline(always)]
    unsafe fn improve(best: [__m256i; 2], counts: [__m256i; 2], lanes: u8, orders: &Lanes) -> [__m256i; 2] {
        // SAFETY: the processor has the instructions; the loads are of the halves of a `Lanes`.
        unsafe {
            let lanes = _mm256_set1_epi64x(i64::from(lanes));
            let orders = (orders as *const Lanes).cast::<__m256i>();
            let (low, high) = (_mm256_load_si256(orders), _mm256_load_si256(orders.add(1)));
            let (low_bits, high_bits) = (_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128));
            [
                smaller(best[0], counts[0], low, lanes, low_bits),
                smaller(best[1], counts[1], high, lanes, high_bits),
            ]
        }
    }

    #[inline(always)]
    unsafe fn smallest(best: [__m256i; 2]) -> u64 {
        // SAFETY: the processor has the instructions.
        unsafe {
            let greater = _mm256_cmpgt_epi64(best[0], best[1]);
            let four = _mm256_blendv_epi8(best[0], best[1], greater);
            let (low, high) = (_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            let two = _mm_blendv_epi8(low, high, _mm_cmpgt_epi64(low, high));
            (_mm_cvtsi128_si64(two) as u64).min(_mm_extract_epi64::<1>(two) as u64)
        }
    }
}

/// How many bits each byte has.
///
/// # Safety
/// Only where there is AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn bytewise(bits: __m256i) -> __m256i {
    // SAFETY: the processor has the instructions.
    unsafe {
        let of_nibble = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let nibble = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(bits, nibble));
        let high = _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(_mm256_srli_epi16::<4>(bits), nibble));
        _mm256_add_epi8(low, high)
    }
}

/// [`Isa::ways`] of four items. All figures are far below 2^63.
///
/// # Safety
/// Only where there is AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn ways(counts: __m256i, rooms: __m256i, slack: __m256i) -> __m256i {
    // SAFETY: the processor has the instructions.
    unsafe {
        let asked = _mm256_and_si256(_mm256_sub_epi64(rooms, slack), _mm256_cmpgt_epi64(rooms, slack));
        let left = _mm256_sub_epi64(_mm256_add_epi64(counts, _mm256_set1_epi64x(1)), asked);
        _mm256_andnot_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), left), left)
    }
}

/// The sign bits of eight lanes.
///
/// # Safety
/// Only where there is AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn signs(low: __m256i, high: __m256i) -> u8 {
    // SAFETY: the processor has the instructions.
    unsafe {
        let low = _mm256_movemask_pd(_mm256_castsi256_pd(low));
        (low | _mm256_movemask_pd(_mm256_castsi256_pd(high)) << 4) as u8
    }
}

/// The smaller ones of `best` and the counts with their orders, in those lanes that have their bit in `lanes`.
///
/// # Safety
/// Only where there is AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn smaller(best: __m256i, counts: __m256i, orders: __m256i, lanes: __m256i, bits: __m256i) -> __m256i {
    // SAFETY: the processor has the instructions.
    unsafe {
        let keys = _mm256_or_si256(_mm256_slli_epi64::<40>(counts), orders);
        let takes_part = _mm256_cmpeq_epi64(_mm256_and_si256(lanes, bits), bits);
        let smaller = _mm256_and_si256(takes_part, _mm256_cmpgt_epi64(best, keys));
        _mm256_blendv_epi8(best, keys, smaller)
    }
}

/// Defines `$name`, which finds the version of the function `$body` for the instruction set: `$body` is generic over
/// [`Isa`] and then over the constants.
macro_rules! versions {
    ($(#[$doc:meta])* $vis:vis fn $name:ident<$($c:ident),*> = $body:ident as fn($($arg:ident: $ty:ty),*) -> $ret:ty) => {
        $(#[$doc])*
        $vis fn $name<$(const $c: usize),*>(level: Cpu) -> unsafe fn($($ty),*) -> $ret {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,popcnt,bmi1,bmi2,lzcnt")]
            unsafe fn avx512<$(const $c: usize),*>($($arg: $ty),*) -> $ret {
                // SAFETY: passed on to the caller.
                unsafe { $body::<$crate::engine::bits::simd::Avx512, $($c),*>($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
            unsafe fn avx2<$(const $c: usize),*>($($arg: $ty),*) -> $ret {
                // SAFETY: passed on to the caller.
                unsafe { $body::<$crate::engine::bits::simd::Avx2, $($c),*>($($arg),*) }
            }
            unsafe fn portable<$(const $c: usize),*>($($arg: $ty),*) -> $ret {
                // SAFETY: passed on to the caller.
                unsafe { $body::<$crate::engine::bits::simd::Plain, $($c),*>($($arg),*) }
            }
            match level {
                Cpu::Portable => portable::<$($c),*>,
                #[cfg(target_arch = "x86_64")]
                Cpu::Avx2 => avx2::<$($c),*>,
                #[cfg(target_arch = "x86_64")]
                Cpu::Avx512 => avx512::<$($c),*>,
            }
        }
    };
}
pub(super) use versions;
