//! What a search can be watched by. Nothing of it remains where nobody watches.

use crate::OptionId;
use crate::engine::{Engine, Selected, Tried};

/// Is told each step of a search with the engine `E`, in the order in which they are done.
pub(crate) trait Observer<E: Engine> {
    /// The search begins, with these assumptions and without the options that are excluded.
    fn begin(&mut self, _assumed: &[OptionId], _excluded: &[OptionId]) {}

    /// The engine has chosen what to branch on.
    fn selected(&mut self, _engine: &E, _selected: &Selected<E::Branch>) {}

    /// The option in hand of a branch has been tried.
    fn tried(&mut self, _engine: &mut E, _branch: &E::Branch, _tried: Tried) {}

    /// A branch is about to be left, all its choices having been tried.
    fn leaving(&mut self, _engine: &E, _branch: &E::Branch) {}

    /// The whole tree has been searched. Also said again if the search is asked to go on.
    fn end(&mut self) {}

    /// The search is given up, to begin anew.
    fn abandon(&mut self) {}
}

impl<E: Engine> Observer<E> for () {}
