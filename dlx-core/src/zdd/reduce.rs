//! Where nodes are made: none twice, and none of which hi is ⊥.

use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{BOTTOM, Node};

/// Nodes for which there is room at first.
const FEWEST: usize = 64;
/// What a node takes: itself, and its share of the table of nodes while that is copied to a larger one.
const BYTES: usize = size_of::<Node>() + 20;

/// The nodes so far, successors first.
#[derive(Default)]
pub(super) struct Reducer {
    /// The bytes that may be used.
    pub(super) room: usize,
    nodes: Vec<Node>,
    places: HashTable<u32>, // of nodes
    hasher: DefaultHashBuilder,
}

/// There is no room for another node.
#[derive(Debug)]
pub(super) struct Full;

impl Reducer {
    /// The successor that stands for this node, which may be there already, or may not be needed.
    pub(super) fn node(&mut self, node: Node) -> Result<u32, Full> {
        if node.hi == BOTTOM {
            return Ok(node.lo);
        }
        let Self { nodes, places, hasher, .. } = self;
        let hash = hasher.hash_one(node);
        if let Some(&place) = places.find(hash, |&place| nodes[place as usize] == node) {
            return Ok(place + 2);
        }
        self.make_room()?;
        let Self { nodes, places, hasher, .. } = self;
        let place = nodes.len() as u32; // there is room for fewer
        nodes.push(node);
        places.insert_unique(hash, place, |&place| hasher.hash_one(nodes[place as usize]));
        Ok(place + 2)
    }

    /// Sees to it that there is room for another node.
    fn make_room(&mut self) -> Result<(), Full> {
        if self.nodes.len() == self.nodes.capacity() {
            let more = (self.nodes.len() / 2).max(FEWEST);
            let all = self.nodes.len() + more;
            // The nodes may have to be copied as well.
            let bytes = all
                .checked_mul(BYTES)
                .and_then(|bytes| bytes.checked_add(self.nodes.len() * size_of::<Node>()));
            if all >= (u32::MAX - 2) as usize || bytes.is_none_or(|bytes| bytes > self.room) {
                return Err(Full);
            }
            self.nodes.reserve_exact(more);
        }
        Ok(())
    }

    /// All nodes.
    pub(super) fn into_nodes(mut self) -> Vec<Node> {
        self.nodes.shrink_to_fit();
        self.nodes
    }
}
