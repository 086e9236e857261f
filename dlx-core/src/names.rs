//! Names by number and numbers by name: all names in one string, a hash table of numbers beside it, so that
//! a million names cost no million allocations.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A list of names that are distinct unless they are empty.
#[derive(Clone, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>, // name i ends at ends[i] and begins where its predecessor ends
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// Why a name could not be added.
pub(crate) enum NameError {
    /// It is there already, at this place.
    Taken(u32),
    /// There would be more than `u32::MAX - 1` names, or as many bytes.
    Full,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// # Panics
    /// If there is no such name.
    pub(crate) fn get(&self, index: usize) -> &str {
        name_at(&self.text, &self.ends, index)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None; // the unnamed are not in the table
        }
        let hash = self.hasher.hash_one(name);
        self.table.find(hash, |&at| self.get(at as usize) == name).copied()
    }

    /// Adds a name at the end; the empty name any number of times.
    pub(crate) fn push(&mut self, name: &str) -> Result<u32, NameError> {
        let full = self.len() >= u32::MAX as usize - 1 || self.text.len() + name.len() > u32::MAX as usize;
        if full {
            return Err(NameError::Full);
        }
        let index = self.len() as u32;
        if !name.is_empty() {
            if let Some(taken) = self.find(name) {
                return Err(NameError::Taken(taken));
            }
            let Self { text, ends, table, hasher } = self;
            table.insert_unique(hasher.hash_one(name), index, |&at| {
                hasher.hash_one(name_at(text, ends, at as usize))
            });
            self.text.push_str(name);
        }
        self.ends.push(self.text.len() as u32);
        Ok(index)
    }
}

fn name_at<'a>(text: &'a str, ends: &[u32], index: usize) -> &'a str {
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start as usize..ends[index] as usize]
}
