//! The identifiers of items, options and colors: `u32` newtypes with a niche, so that
//! `Option<ItemId>` is as small as `ItemId`.

use core::fmt;
use core::num::NonZeroU32;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(NonZeroU32); // the index plus one: zero is the niche

        impl $name {
            /// The identifier with this index, counted from 0; `None` for `u32::MAX`, which is the niche.
            pub const fn new(index: u32) -> Option<Self> {
                match NonZeroU32::new(index.wrapping_add(1)) {
                    Some(raw) => Some(Self(raw)),
                    None => None,
                }
            }

            /// The index, counted from 0.
            pub const fn index(self) -> usize {
                (self.0.get() - 1) as usize
            }

            /// The index as it is stored in the tables of the engines.
            pub(crate) const fn raw(self) -> u32 {
                self.0.get() - 1
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.raw())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.raw().fmt(f)
            }
        }
    };
}

id! {
    /// An item: something to be covered. Items are numbered in the order in which they were declared.
    ItemId
}
id! {
    /// An option: a set of items that are covered together. Its index is its place in the input, from 0;
    /// options that can never be chosen (no primary item) count as well.
    OptionId
}
id! {
    /// A color that an option gives to a secondary item. Two options may share a secondary item when both
    /// give it the same color.
    Color
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_a_niche_and_keep_their_index() {
        assert_eq!(size_of::<Option<ItemId>>(), 4);
        assert_eq!(OptionId::new(0).map(OptionId::index), Some(0));
        assert_eq!(Color::new(u32::MAX - 1).map(Color::index), Some(u32::MAX as usize - 1));
        assert_eq!(ItemId::new(u32::MAX), None);
    }
}
