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

    /// How many bits of each lane's mask are alive; word *w* of the masks is in `masks[w]`.
    unsafe fn count<const W: usize>(masks: &[Lanes; W], alive: &[u64; W]) -> Self::Counts;
    /// Which of the given lanes count one or nothing.
    unsafe fn at_most_one(counts: Self::Counts, lanes: u8) -> u8;
    /// Which of the given lanes count nothing.
    unsafe fn nothing(counts: Self::Counts, lanes: u8) -> u8;
    /// No count so far.
    unsafe fn best() -> Self::Best;
    /// Takes the given lanes into account; lane *k* has the place `base + k`.
    unsafe fn improve(best: Self::Best, counts: Self::Counts, lanes: u8, base: usize) -> Self::Best;
    /// The smallest count, shifted left by 16, plus its place, the first if there are several.
    unsafe fn smallest(best: Self::Best) -> u64;
}

/// Plain Rust, which the compiler vectorises as far as the instruction set goes.
pub(super) struct Plain;

impl Isa for Plain {
    type Counts = [u64; 8];
    type Best = u64;

    #[inline(always)]
    unsafe fn count<const W: usize>(masks: &[Lanes; W], alive: &[u64; W]) -> [u64; 8] {
        let mut counts = [0; 8];
        for (mask, alive) in masks.iter().zip(alive) {
            for (count, lane) in counts.iter_mut().zip(mask.0) {
                *count += u64::from((lane & alive).count_ones());
            }
        }
        counts
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
    unsafe fn improve(best: u64, counts: [u64; 8], lanes: u8, base: usize) -> u64 {
        (0..8).fold(best, |best, k| {
            let out = u64::from(lanes >> k & 1).wrapping_sub(1); // all ones for a lane that does not take part
            best.min(counts[k] << 16 | (base + k) as u64 | out)
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
    unsafe fn count<const W: usize>(masks: &[Lanes; W], alive: &[u64; W]) -> __m512i {
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
    unsafe fn improve(best: __m512i, counts: __m512i, lanes: u8, base: usize) -> __m512i {
        // SAFETY: the processor has the instructions.
        unsafe {
            let places =
                _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(base as i64));
            let keys = _mm512_or_si512(_mm512_slli_epi64::<16>(counts), places);
            _mm512_mask_min_epu64(best, lanes, best, keys)
        }
    }

    #[inline(always)]
    unsafe fn smallest(best: __m512i) -> u64 {
        // SAFETY: the processor has the instructions.
        unsafe { _mm512_reduce_min_epu64(best) }
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
                unsafe { $body::<$crate::engine::bits::simd::Plain, $($c),*>($($arg),*) }
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
