//! The solutions of a diagram, one after the other.

use alloc::vec::Vec;

use super::{BOTTOM, Node, Zdd};
use crate::{OptionId, OwnedSolution};

/// The iterator that [`Zdd::iter`] returns.
#[derive(Clone)]
pub struct Iter<'a> {
    zdd: &'a Zdd,
    chosen: Vec<&'a Node>, // the nodes that the path so far leaves by hi
    next: Option<u32>,     // where the next path goes on from there; ⊥ is left out
}

impl<'a> Iter<'a> {
    pub(super) fn new(zdd: &'a Zdd) -> Self {
        Self { zdd, chosen: Vec::new(), next: Some(zdd.root).filter(|&root| root != BOTTOM) }
    }
}

impl Iterator for Iter<'_> {
    type Item = OwnedSolution;

    fn next(&mut self) -> Option<OwnedSolution> {
        // No hi is ⊥: by hi alone every path ends in ⊤.
        let mut at = self.next.take()?;
        while let Some(node) = self.zdd.node(at) {
            self.chosen.push(node);
            at = node.hi;
        }
        let options: Vec<OptionId> = self.chosen.iter().map(|node| node.option).collect();
        while let Some(node) = self.chosen.pop() {
            if node.lo != BOTTOM {
                self.next = Some(node.lo);
                break;
            }
        }
        Some(OwnedSolution::new(&options))
    }
}

impl core::iter::FusedIterator for Iter<'_> {}
