//! Vectors of lanes, one bit a lane: plain words everywhere, 256 or 512 bits at a time where the processor has them.
//!
//! Everything that is generic over [`Vector`] is compiled once for each of them; [`Vector::run`] compiles a [`Kernel`] with
//! the instructions of that vector switched on, and all operations are inlined into it.
#![allow(unsafe_code)] // INVARIANT: see `Register`

/// A fixed number of lanes.
pub(super) trait Vector: Copy + Send + 'static {
    /// How many words of 64 lanes.
    const WORDS: usize;

    /// No lane.
    fn zero() -> Self;
    /// The lanes as words. Lane i is bit i % 64 of word i / 64.
    fn words(&self) -> &[u64];
    /// The same, to be written.
    fn words_mut(&mut self) -> &mut [u64];
    /// A bit for each word: whether it has any lane.
    fn nonzero(self) -> u32;
    fn any(self) -> bool;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// `a ^ b ^ c`: the low bit of their sum, lane by lane.
    fn sum(a: Self, b: Self, c: Self) -> Self;
    /// The high bit of that sum.
    fn carry(a: Self, b: Self, c: Self) -> Self;
    /// `self | b & c`.
    fn or_both(self, b: Self, c: Self) -> Self;
    /// Word by word, `self - other`.
    fn minus(self, other: Self) -> Self;
    /// Word by word, `self >> count`.
    fn shifted(self, count: u32) -> Self;
    /// The first halves of two vectors.
    fn lows(a: Self, b: Self) -> Self;
    /// The second half as the first half of a vector.
    fn high(self) -> Self;
    /// Runs what is compiled for these vectors.
    fn run<K: Kernel>(kernel: K) -> K::Output;
}

/// A vector of which two can be one.
pub(super) trait Joined: Vector {
    type Both: Vector;
    fn join(self, other: Self) -> Self::Both;
}

macro_rules! joined {
    ($single:literal $double:literal) => {
        impl<R: Register> Joined for [R; $single] {
            type Both = [R; $double];

            #[inline(always)]
            fn join(self, other: Self) -> [R; $double] {
                let mut both = [R::zero(); $double];
                for i in 0..$single {
                    (both[i], both[$single + i]) = (self[i], other[i]);
                }
                both
            }
        }
    };
}

joined!(1 2);
joined!(2 4);
joined!(4 8);

/// Something to be compiled for the instructions of a vector: a closure that can be inlined for certain.
pub(super) trait Kernel {
    type Output;
    /// Must be `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// One register.
///
/// INVARIANT: a register type other than `u64` is only used by an engine that [`Level::detect`] let be made: the processor
/// has the instructions. All register types are plain bits, without padding, as large as a whole number of words.
pub(super) trait Register: Copy + Send + 'static {
    const WORDS: usize = size_of::<Self>() / 8;
    fn zero() -> Self;
    fn nonzero(self) -> u32;
    fn any(self) -> bool;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    #[inline(always)]
    fn sum(a: Self, b: Self, c: Self) -> Self {
        a.xor(b).xor(c)
    }
    #[inline(always)]
    fn carry(a: Self, b: Self, c: Self) -> Self {
        a.and(b).or(a.xor(b).and(c))
    }
    #[inline(always)]
    fn or_both(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    fn minus(self, other: Self) -> Self;
    fn shifted(self, count: u32) -> Self;
    /// For registers of more than 64 bits.
    #[inline(always)]
    fn lows(a: Self, _: Self) -> Self {
        a
    }
    #[inline(always)]
    fn high(self) -> Self {
        Self::zero()
    }
    fn run<K: Kernel>(kernel: K) -> K::Output;
}

/// An operation on arrays of registers, one register after the other.
macro_rules! each {
    ($name:ident($a:ident $(, $rest:ident)*)) => {
        #[inline(always)]
        fn $name($a: Self $(, $rest: Self)*) -> Self {
            let mut result = $a;
            for i in 0..N {
                result[i] = R::$name($a[i] $(, $rest[i])*);
            }
            result
        }
    };
    (self $name:ident($($rest:ident),*)) => {
        #[inline(always)]
        fn $name(self $(, $rest: Self)*) -> Self {
            let mut result = self;
            for i in 0..N {
                result[i] = self[i].$name($($rest[i]),*);
            }
            result
        }
    };
}

impl<R: Register, const N: usize> Vector for [R; N] {
    const WORDS: usize = N * R::WORDS;

    #[inline(always)]
    fn zero() -> Self {
        [R::zero(); N]
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        // SAFETY: registers are plain bits; N of them are exactly that many words.
        unsafe { core::slice::from_raw_parts(self.as_ptr().cast(), Self::WORDS) }
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: the same, and any words are a register.
        unsafe { core::slice::from_raw_parts_mut(self.as_mut_ptr().cast(), Self::WORDS) }
    }

    #[inline(always)]
    fn nonzero(self) -> u32 {
        let mut result = 0;
        for (i, register) in self.into_iter().enumerate() {
            result |= register.nonzero() << (i * R::WORDS);
        }
        result
    }

    #[inline(always)]
    fn any(self) -> bool {
        let mut all = self[0];
        for register in &self[1..] {
            all = all.or(*register);
        }
        all.any()
    }

    #[inline(always)]
    fn shifted(mut self, count: u32) -> Self {
        for register in &mut self {
            *register = register.shifted(count);
        }
        self
    }

    #[inline(always)]
    fn lows(a: Self, b: Self) -> Self {
        let mut lows = a;
        for i in N / 2..N {
            lows[i] = if N == 1 { R::lows(a[0], b[0]) } else { b[i - N / 2] };
        }
        lows
    }

    #[inline(always)]
    fn high(self) -> Self {
        let mut high = Self::zero();
        for i in 0..N.div_ceil(2) {
            high[i] = if N == 1 { self[0].high() } else { self[N / 2 + i] };
        }
        high
    }

    each!(self minus(other));
    each!(self and(other));
    each!(self or(other));
    each!(self xor(other));
    each!(self without(other));
    each!(self or_both(b, c));
    each!(sum(a, b, c));
    each!(carry(a, b, c));

    #[inline(always)]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        R::run(kernel)
    }
}

impl Register for u64 {
    #[inline(always)]
    fn zero() -> Self {
        0
    }
    #[inline(always)]
    fn nonzero(self) -> u32 {
        u32::from(self != 0)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn shifted(self, count: u32) -> Self {
        self >> count
    }
    #[inline(always)]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Ternary;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Kernel, Register};

    /// The operations of a register type, each by one intrinsic.
    macro_rules! operations {
        ($and:ident $or:ident $xor:ident $andnot:ident $zero:ident $minus:ident $shifted:ident) => {
            #[inline(always)]
            fn zero() -> Self {
                // SAFETY: the invariant of `Register`; likewise below.
                unsafe { $zero() }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $and(self, other) }
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $or(self, other) }
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $xor(self, other) }
            }
            #[inline(always)]
            fn without(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $andnot(other, self) }
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $minus(self, other) }
            }
            #[inline(always)]
            fn shifted(self, count: u32) -> Self {
                // SAFETY: as above.
                unsafe { $shifted(self, _mm_cvtsi32_si128(count as i32)) }
            }
        };
    }

    impl Register for __m128i {
        operations!(_mm_and_si128 _mm_or_si128 _mm_xor_si128 _mm_andnot_si128 _mm_setzero_si128 _mm_sub_epi64 _mm_srl_epi64);

        #[inline(always)]
        fn nonzero(self) -> u32 {
            // SAFETY: SSE2 is part of x86-64.
            let zeros = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self, _mm_setzero_si128())) as u32 };
            u32::from(zeros & 0xFF != 0xFF) | u32::from(zeros >> 8 != 0xFF) << 1
        }
        #[inline(always)]
        fn any(self) -> bool {
            // SAFETY: SSE2 is part of x86-64.
            unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self, _mm_setzero_si128())) != 0xFFFF }
        }
        #[inline(always)]
        fn run<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
    }

    impl Register for __m256i {
        operations!(_mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_andnot_si256 _mm256_setzero_si256 _mm256_sub_epi64 _mm256_srl_epi64);

        #[inline(always)]
        fn nonzero(self) -> u32 {
            // SAFETY: the invariant of `Register`.
            unsafe {
                let zeros = _mm256_cmpeq_epi64(self, _mm256_setzero_si256());
                _mm256_movemask_pd(_mm256_castsi256_pd(zeros)) as u32 ^ 0xF
            }
        }
        #[inline(always)]
        fn any(self) -> bool {
            // SAFETY: the invariant of `Register`.
            unsafe { _mm256_testz_si256(self, self) == 0 }
        }
        #[inline(always)]
        fn lows(a: Self, b: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            unsafe { _mm256_permute2x128_si256::<0x20>(a, b) }
        }
        #[inline(always)]
        fn high(self) -> Self {
            // SAFETY: the invariant of `Register`.
            unsafe { _mm256_zextsi128_si256(_mm256_extracti128_si256::<1>(self)) }
        }
        #[inline(always)]
        fn run<K: Kernel>(kernel: K) -> K::Output {
            #[inline(never)]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2<K: Kernel>(kernel: K) -> K::Output {
                kernel.run()
            }
            // SAFETY: the invariant of `Register`.
            unsafe { avx2(kernel) }
        }
    }

    /// A register of 256 bits, on processors that have AVX-512: operations with three operands.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(in super::super) struct Ternary(__m256i);

    /// Operations that are those of the register within.
    macro_rules! within {
        ($($name:ident)*) => {
            $(
                #[inline(always)]
                fn $name(self, other: Self) -> Self {
                    Self(self.0.$name(other.0))
                }
            )*
        };
    }

    impl Register for Ternary {
        within!(and or xor without minus);

        #[inline(always)]
        fn zero() -> Self {
            Self(__m256i::zero())
        }
        #[inline(always)]
        fn nonzero(self) -> u32 {
            // SAFETY: the invariant of `Register`.
            u32::from(unsafe { _mm256_test_epi64_mask(self.0, self.0) })
        }
        #[inline(always)]
        fn any(self) -> bool {
            self.0.any()
        }
        #[inline(always)]
        fn shifted(self, count: u32) -> Self {
            Self(self.0.shifted(count))
        }
        #[inline(always)]
        fn lows(a: Self, b: Self) -> Self {
            Self(__m256i::lows(a.0, b.0))
        }
        #[inline(always)]
        fn high(self) -> Self {
            Self(self.0.high())
        }
        #[inline(always)]
        fn sum(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            Self(unsafe { _mm256_ternarylogic_epi64::<0x96>(a.0, b.0, c.0) })
        }
        #[inline(always)]
        fn carry(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            Self(unsafe { _mm256_ternarylogic_epi64::<0xE8>(a.0, b.0, c.0) })
        }
        #[inline(always)]
        fn or_both(self, b: Self, c: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            Self(unsafe { _mm256_ternarylogic_epi64::<0xF8>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn run<K: Kernel>(kernel: K) -> K::Output {
            __m512i::run(kernel)
        }
    }

    impl Register for __m512i {
        operations!(_mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_andnot_si512 _mm512_setzero_si512 _mm512_sub_epi64 _mm512_srl_epi64);

        #[inline(always)]
        fn nonzero(self) -> u32 {
            // SAFETY: the invariant of `Register`.
            u32::from(unsafe { _mm512_test_epi64_mask(self, self) })
        }
        #[inline(always)]
        fn any(self) -> bool {
            self.nonzero() != 0
        }
        #[inline(always)]
        fn sum(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            unsafe { _mm512_ternarylogic_epi64::<0x96>(a, b, c) }
        }
        #[inline(always)]
        fn carry(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            unsafe { _mm512_ternarylogic_epi64::<0xE8>(a, b, c) }
        }
        #[inline(always)]
        fn or_both(self, b: Self, c: Self) -> Self {
            // SAFETY: the invariant of `Register`.
            unsafe { _mm512_ternarylogic_epi64::<0xF8>(self, b, c) }
        }
        #[inline(always)]
        fn run<K: Kernel>(kernel: K) -> K::Output {
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512<K: Kernel>(kernel: K) -> K::Output {
                kernel.run()
            }
            // SAFETY: the invariant of `Register`.
            unsafe { avx512(kernel) }
        }
    }
}

/// Which registers to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// What every processor of the target has.
    Portable,
    /// 256 bits.
    Avx2,
    /// 512 bits.
    Avx512,
}

impl Level {
    /// Whether this processor has it.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    pub(super) fn available(self) -> bool {
        use std::is_x86_feature_detected;
        let small = || {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        };
        let large = || {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
        };
        match self {
            Self::Portable => true,
            Self::Avx2 => small(),
            Self::Avx512 => small() && large(),
        }
    }

    /// Whether this processor has it: detection needs `std`.
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    pub(super) fn available(self) -> bool {
        self == Self::Portable
    }

    /// The widest there is, or the one that the environment variable `DLX_SIMD` names, if there is that.
    pub(super) fn detect() -> Self {
        #[cfg(feature = "std")]
        let asked = match std::env::var("DLX_SIMD").as_deref() {
            Ok("portable") => Self::Portable,
            Ok("avx2") => Self::Avx2,
            _ => Self::Avx512,
        };
        #[cfg(not(feature = "std"))]
        let asked = Self::Portable;
        let level = [Self::Avx512, Self::Avx2].into_iter().find(|level| *level <= asked && level.available());
        level.unwrap_or(Self::Portable)
    }
}
