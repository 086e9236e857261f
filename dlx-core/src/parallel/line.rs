//! The parts of the tree, lined up in its order: which of them is searched next, and the solutions that wait for their
//! turn.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

/// How many parts may be put back for nearer ones. Each keeps its tables, which may be large.
const ASIDE: usize = 8;

/// How much makes a batch.
pub(super) const BATCH: usize = 1 << 14;

/// Solutions, one after the other: their options, or what has been made of them.
pub(super) struct Batch<T> {
    contents: Vec<T>,
    ends: Vec<usize>, // where in `contents` each solution ends
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self { contents: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Batch<T> {
    /// One more solution, which `write` appends to the others.
    pub(super) fn push(&mut self, write: impl FnOnce(&mut Vec<T>)) {
        write(&mut self.contents);
        self.ends.push(self.contents.len());
    }

    fn append(&mut self, other: &Self) {
        let before = self.contents.len();
        self.contents.extend_from_slice(&other.contents);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// How much room it takes. Even empty solutions take some.
    pub(super) fn len(&self) -> usize {
        self.contents.len() + self.ends.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn solutions(&self) -> impl Iterator<Item = &[T]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.contents[start..end])
    }
}

/// The place of a part in the line, valid until the part is finished.
pub(super) type Place = usize;

/// In front of the first part, and behind the last: the line is a ring.
pub(super) const ENDS: Place = 0;

/// The parts, each with a `W` that says what is to be done. Whoever works on one has taken that away.
pub(super) struct Line<W, T> {
    slots: Vec<Slot<W, T>>,
    free: Vec<Place>,
    waiting: usize,   // parts that wait to be searched
    aside: usize,     // those of them that were put back
    room: usize,      // for solutions
    held: usize,      // how much of it they take
    delivering: bool, // somebody is; so others should not
    resting: usize,   // threads that have nothing to do
}

struct Slot<W, T> {
    before: Place,
    next: Place,
    state: State<W>,
    aside: bool, // it was put back, and waits
    found: VecDeque<Batch<T>>,
}

enum State<W> {
    Waiting(W),
    Taken,
    Searched, // it has solutions that are still to be delivered
}

/// What remains of a part.
pub(super) struct Remains<W, T> {
    /// What was still to be done, if anything.
    pub(super) work: Option<W>,
    /// Solutions that were held.
    pub(super) found: VecDeque<Batch<T>>,
}

impl<W, T: Copy> Line<W, T> {
    /// An empty line with some room for solutions.
    pub(super) fn new(room: usize) -> Self {
        let ends =
            Slot { before: ENDS, next: ENDS, state: State::Taken, aside: false, found: VecDeque::new() };
        let slots = alloc::vec![ends];
        Self { slots, free: Vec::new(), waiting: 0, aside: 0, room, held: 0, delivering: false, resting: 0 }
    }

    /// So many threads rest.
    pub(super) fn rest(&mut self, threads: usize) {
        self.resting += threads;
    }

    /// Puts a part in line. Returns its place.
    pub(super) fn insert(&mut self, before: Place, work: W) -> Place {
        let next = self.slots[before].next;
        let slot = Slot { before, next, state: State::Waiting(work), aside: false, found: VecDeque::new() };
        let place = self.free.pop().unwrap_or(self.slots.len());
        if place == self.slots.len() {
            self.slots.push(slot);
        } else {
            self.slots[place] = slot;
        }
        (self.slots[before].next, self.slots[next].before) = (place, place);
        self.waiting += 1;
        place
    }

    /// What a thread that has nothing to do should do. Without an answer, it rests.
    ///
    /// It is the first part that waits: the nearest to what is delivered next. If too many solutions are held already, only the
    /// very first part is searched, whose solutions need not be held.
    pub(super) fn take(&mut self) -> Option<(Place, W)> {
        let place = self.first_waiting();
        if place != ENDS && (self.is_at_the_front(place) || self.held < self.room) {
            let slot = &mut self.slots[place];
            if let State::Waiting(work) = mem::replace(&mut slot.state, State::Taken) {
                self.waiting -= 1;
                self.aside -= usize::from(mem::take(&mut slot.aside));
                return Some((place, work));
            }
        }
        self.resting += 1;
        None
    }

    /// Puts what was taken back.
    pub(super) fn put_back(&mut self, place: Place, work: W) {
        let slot = &mut self.slots[place];
        (slot.state, slot.aside) = (State::Waiting(work), true);
        self.waiting += 1;
        self.aside += 1;
    }

    /// Whether a thread should put its part back, because much is held and it could do something nearer or should rest.
    pub(super) fn is_far_ahead(&self, place: Place) -> bool {
        if self.held < self.room / 4 || self.is_at_the_front(place) {
            return false;
        }
        let nearer = || self.slots_from_the_first().take_while(|at| *at != place).any(|at| self.waits(at));
        self.held >= self.room || (self.aside < ASIDE && nearer())
    }

    /// How many threads should be woken. They count as awake from now on.
    pub(super) fn wake(&mut self) -> usize {
        let wanted = if self.held < self.room / 2 { self.waiting.min(self.resting) } else { 0 };
        self.resting -= wanted;
        wanted
    }

    /// Takes solutions of a part.
    pub(super) fn add(&mut self, place: Place, batch: Batch<T>) {
        self.held += batch.len();
        append(&mut self.slots[place].found, batch);
    }

    /// The part has been searched.
    pub(super) fn finish(&mut self, place: Place) {
        self.slots[place].state = State::Searched;
        let Slot { before, next, .. } = self.slots[place];
        if self.slots[place].found.is_empty() {
            return self.remove(place);
        }
        // Of neighbours that have been searched there remains one, so that the ways along the line stay short.
        for (place, next) in [(place, next), (before, place)] {
            if place != ENDS && next != ENDS && self.is_searched(place) && self.is_searched(next) {
                let found = mem::take(&mut self.slots[next].found);
                found.into_iter().for_each(|batch| append(&mut self.slots[place].found, batch));
                self.remove(next);
            }
        }
    }

    /// The next solutions in the order of the tree, if they have been found and nobody else delivers any. The caller must
    /// come again until there are none.
    pub(super) fn begin_to_deliver(&mut self) -> Option<Batch<T>> {
        if self.delivering { None } else { self.next_batch() }
    }

    /// The same for the one who delivers, after the batch before.
    pub(super) fn go_on_to_deliver(&mut self, delivered: &Batch<T>) -> Option<Batch<T>> {
        self.held -= delivered.len();
        self.next_batch()
    }

    fn next_batch(&mut self) -> Option<Batch<T>> {
        let first = self.slots[ENDS].next;
        let batch = if first == ENDS { None } else { self.slots[first].found.pop_front() };
        if first != ENDS && self.is_searched(first) && self.slots[first].found.is_empty() {
            self.remove(first);
        }
        self.delivering = batch.is_some();
        batch
    }

    /// Empties the line. `None` if one who delivers was told to stop, so that some solutions are missing.
    pub(super) fn drain(&mut self) -> Option<Vec<Remains<W, T>>> {
        let places: Vec<_> = self.slots_from_the_first().collect();
        let drained = places.into_iter().map(|place| {
            let slot = &mut self.slots[place];
            let work = match mem::replace(&mut slot.state, State::Taken) {
                State::Waiting(work) => Some(work),
                State::Taken | State::Searched => None,
            };
            Remains { work, found: mem::take(&mut slot.found) }
        });
        (!self.delivering).then(|| drained.collect())
    }

    fn remove(&mut self, place: Place) {
        let Slot { before, next, .. } = self.slots[place];
        (self.slots[before].next, self.slots[next].before) = (next, before);
        self.free.push(place);
    }

    fn slots_from_the_first(&self) -> impl Iterator<Item = Place> {
        let after = |&place: &Place| Some(self.slots[place].next).filter(|next| *next != ENDS);
        core::iter::successors(after(&ENDS), after)
    }

    /// Few are in front of it: those that are taken, and between two of these a searched one at the most.
    fn first_waiting(&self) -> Place {
        self.slots_from_the_first().find(|place| self.waits(*place)).unwrap_or(ENDS)
    }

    fn waits(&self, place: Place) -> bool {
        matches!(self.slots[place].state, State::Waiting(_))
    }

    fn is_searched(&self, place: Place) -> bool {
        matches!(self.slots[place].state, State::Searched)
    }

    /// Whether its solutions are delivered as they are found.
    fn is_at_the_front(&self, place: Place) -> bool {
        self.slots[ENDS].next == place && !self.delivering
    }
}

/// Appends a batch to others; small ones become one.
fn append<T: Copy>(batches: &mut VecDeque<Batch<T>>, batch: Batch<T>) {
    match batches.back_mut() {
        Some(last) if last.len() + batch.len() <= BATCH => last.append(&batch),
        _ => batches.push_back(batch),
    }
}
