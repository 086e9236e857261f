//! A problem compiled for counting along a fixed order of its items.
//!
//! **Bits.** Every primary item has a bit, and so has every *use*: a secondary item together with a color that some option
//! gives to it (or without one). A bit is set when options that contain that item or use cannot be chosen any
//! more: the item is covered, or it has another color. So choosing an option is `state |= block`, and it may be chosen if
//! `state & need == 0`.
//!
//! **Order.** The items are covered in a fixed order, the lowest uncovered one next. An option is tried for the lowest of
//! its items only: its *rank*. The bits are numbered along the order, a use right behind the last rank at which an
//! option needs it. So all bits below the item in hand are of no further concern (they count as set), and all bits
//! far above it are still clear. What lies between fits in a *window* of `V` words, which begins with the word of the item
//! in hand, however many items the problem has.

use alloc::vec;
use alloc::vec::Vec;

use super::order::states_of;
use super::residual::{PLAIN, Residual};

/// The options of one rank that need and block the same bits.
#[derive(Clone, Copy)]
pub(super) struct Choice<const V: usize> {
    pub(super) need: [u64; V],  // in the window of its rank
    pub(super) block: [u64; V], // likewise; the primary bits of both are the same
    pub(super) times: u64,      // how many options these are
}

/// Which options are behind each choice.
pub(crate) struct Members {
    options: Vec<u32>, // choice c has the options starts[c]..starts[c + 1]
    starts: Vec<u32>,
}

impl Members {
    /// A choice for each of so many options.
    pub(super) fn each(options: usize) -> Self {
        Self { options: (0..options as u32).collect(), starts: (0..=options as u32).collect() }
    }

    /// The options of a choice, ascending.
    pub(crate) fn of(&self, choice: usize) -> &[u32] {
        &self.options[self.starts[choice] as usize..self.starts[choice + 1] as usize]
    }
}

/// A problem along an order.
pub(super) struct Plan<const V: usize> {
    pub(super) ranks: usize, // the number of primary items
    starts: Vec<u32>,        // rank r has choices[starts[r]..starts[r + 1]]
    choices: Vec<Choice<V>>,
    members: Vec<u32>,         // the options behind the choices, one choice after the other
    bases: Vec<u32>,           // by choice: the word with which its window begins
    positions: Vec<u32>,       // by rank: the bit
    rank_at: Vec<u32>,         // by bit, if it is of a primary item
    primary: Vec<u64>,         // all bits of primary items, and V words more
    first_from: Vec<u32>,      // by word: the first rank whose bit is in it or above
    containing: Vec<Vec<u32>>, // by rank: the choices that contain the item, ascending
}

impl<const V: usize> Plan<V> {
    /// Compiles the problem along the order. The layout must fit in `V` words.
    pub(super) fn new(problem: &Residual, layout: &Layout) -> Self {
        let words = layout.bits.div_ceil(64);
        let mut this = Self {
            ranks: problem.primaries,
            starts: vec![0],
            choices: Vec::with_capacity(problem.option_count()),
            members: Vec::with_capacity(problem.option_count()),
            bases: Vec::with_capacity(problem.option_count()),
            rank_at: vec![u32::MAX; layout.bits],
            primary: vec![0; words + V],
            first_from: vec![problem.primaries as u32; words + V + 1],
            containing: vec![Vec::new(); problem.primaries],
            positions: layout.positions.clone(),
        };
        for (rank, &bit) in layout.positions.iter().enumerate() {
            this.rank_at[bit as usize] = rank as u32;
            this.primary[bit as usize / 64] |= 1 << (bit % 64);
        }
        for (rank, &bit) in layout.positions.iter().enumerate().rev() {
            this.first_from[bit as usize / 64] = rank as u32;
        }
        for word in (0..words).rev() {
            this.first_from[word] = this.first_from[word].min(this.first_from[word + 1]);
        }
        let mut by_rank: Vec<u32> = (0..problem.option_count() as u32).collect();
        by_rank.sort_by_key(|&option| layout.rank[option as usize]);
        let mut by_rank = by_rank.into_iter().peekable();
        for rank in 0..problem.primaries {
            let mut choices = Vec::new();
            while let Some(option) = by_rank.next_if(|&option| layout.rank[option as usize] as usize == rank)
            {
                choices.push((choice(problem, layout, option as usize), option));
            }
            this.merge_equal(choices);
            this.starts.push(this.choices.len() as u32);
            this.bases.resize(this.choices.len(), this.base(rank));
        }
        this.list_choices();
        this
    }

    /// Adds the choices of a rank, each with its option: one for all that are equal.
    fn merge_equal(&mut self, mut rank: Vec<(Choice<V>, u32)>) {
        let first = self.choices.len();
        rank.sort_unstable_by_key(|(choice, option)| (choice.need, choice.block, *option));
        for (choice, option) in rank {
            self.members.push(option);
            match self.choices[first..].last_mut() {
                Some(last) if (last.need, last.block) == (choice.need, choice.block) => {
                    last.times += choice.times
                }
                _ => self.choices.push(choice),
            }
        }
    }

    fn list_choices(&mut self) {
        for (at, choice) in self.choices.iter().enumerate() {
            let base = self.bases[at] as usize;
            for (word, &bits) in choice.need.iter().enumerate() {
                let mut bits = bits & self.primary[base + word];
                while bits != 0 {
                    let bit = (base + word) * 64 + bits.trailing_zeros() as usize;
                    self.containing[self.rank_at[bit] as usize].push(at as u32);
                    bits &= bits - 1;
                }
            }
        }
    }

    /// The options behind the choices, once they are all that is still of interest.
    pub(super) fn into_members(self) -> Members {
        let mut starts = vec![0];
        starts.extend(self.choices.iter().scan(0, |end, choice| {
            *end += choice.times as u32; // no more than there are options
            Some(*end)
        }));
        Members { options: self.members, starts }
    }

    /// The word with which the window of a rank begins.
    #[inline]
    pub(super) fn base(&self, rank: usize) -> u32 {
        self.positions[rank] / 64
    }

    /// The bit of a rank in the first word of its window.
    #[inline]
    pub(super) fn bit(&self, rank: usize) -> u64 {
        1 << (self.positions[rank] % 64)
    }

    /// The number of the first choice for the item of a rank.
    #[inline]
    pub(super) fn first_choice(&self, rank: usize) -> usize {
        self.starts[rank] as usize
    }

    /// The choices for the item of a rank.
    #[inline]
    pub(super) fn choices(&self, rank: usize) -> &[Choice<V>] {
        &self.choices[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// What it takes to deal with a state: see [`Figures`](super::sweep::Figures).
    #[inline]
    pub(super) fn steps(&self, rank: usize) -> u64 {
        1 + u64::from(self.starts[rank + 1] - self.starts[rank])
    }

    /// The rank of the lowest uncovered item of a state in the window that begins with the word `base`; `None` if all items
    /// are covered.
    #[inline]
    pub(super) fn next(&self, base: u32, state: &[u64; V]) -> Option<usize> {
        let primary = &self.primary[base as usize..][..V];
        for word in 0..V {
            let open = !state[word] & primary[word];
            if open != 0 {
                let bit = (base as usize + word) * 64 + open.trailing_zeros() as usize;
                return Some(self.rank_at[bit] as usize);
            }
        }
        let rank = self.first_from[(base as usize + V).min(self.first_from.len() - 1)] as usize;
        (rank < self.ranks).then_some(rank)
    }

    /// Moves a state from the window that begins with the word `base` to that of the rank, its lowest uncovered
    /// item, and sets all bits below.
    #[inline]
    pub(super) fn shift(&self, base: u32, state: &[u64; V], rank: usize) -> [u64; V] {
        let by = (self.base(rank) - base) as usize;
        let mut shifted = match by {
            0 => *state,
            _ => core::array::from_fn(|word| state.get(word + by).copied().unwrap_or(0)),
        };
        shifted[0] |= self.bit(rank) - 1;
        shifted
    }

    /// Whether one of the lowest `depth` uncovered items of a state cannot be covered any more. `witness` has, by rank, a
    /// choice that covered the item in another state.
    #[inline]
    pub(super) fn is_dead(&self, rank: usize, state: &[u64; V], depth: usize, witness: &mut [u32]) -> bool {
        let base = self.base(rank) as usize;
        let first = self.starts[rank];
        let mut left = depth;
        for word in 0..V {
            let mut open = !state[word] & self.primary[base + word];
            while open != 0 {
                if left == 0 {
                    return false;
                }
                left -= 1;
                let item = self.rank_at[(base + word) * 64 + open.trailing_zeros() as usize] as usize;
                open &= open - 1;
                if self.fits(witness[item], first, base, state) {
                    continue;
                }
                let mut choices = self.containing[item].iter().rev().take_while(|&&choice| choice >= first);
                match choices.find(|&&choice| self.fits(choice, first, base, state)) {
                    Some(&choice) => witness[item] = choice,
                    None => return true,
                }
            }
        }
        false
    }

    /// Whether the choice is one of those from `first` on, and can be made in a state whose window begins with the
    /// word `base`.
    #[inline]
    fn fits(&self, choice: u32, first: u32, base: usize, state: &[u64; V]) -> bool {
        let Some(&Choice { need, .. }) = self.choices.get(choice as usize) else {
            return false;
        };
        if choice < first {
            return false;
        }
        match self.bases[choice as usize] as usize - base {
            0 => (0..V).fold(0, |clash, word| clash | (need[word] & state[word])) == 0,
            by => need.iter().zip(state.iter().skip(by)).all(|(need, state)| need & state == 0),
        }
    }
}

/// Where the bits of a problem are, along an order of its primary items.
pub(super) struct Layout {
    bits: usize,
    /// How many words the window needs.
    pub(super) width: usize,
    /// How many states there may be, if any part of the frontier may be covered.
    pub(super) size: f64,
    positions: Vec<u32>, // by rank
    rank_of: Vec<u32>,   // by primary item
    /// The rank of each option.
    pub(super) rank: Vec<u32>,
    uses: Vec<Vec<Use>>, // by secondary item, descending by bit
}

/// A secondary item with a color or [`PLAIN`].
#[derive(Clone, Copy)]
struct Use {
    bit: u32,
    color: u32,
}

impl Layout {
    pub(super) fn new(problem: &Residual, order: &[u32]) -> Self {
        let mut rank_of = vec![0; problem.primaries];
        order.iter().enumerate().for_each(|(rank, &item)| rank_of[item as usize] = rank as u32);
        let lowest = |option| problem.items(option).iter().map(|&item| rank_of[item as usize]).min();
        let rank: Vec<u32> = (0..problem.option_count()).map(|option| lowest(option).unwrap_or(0)).collect();

        // The uses, each with the last rank at which an option needs it.
        let mut all: Vec<(u32, u32, u32)> = (0..problem.option_count())
            .flat_map(|option| problem.uses(option).iter().map(move |&(item, color)| (item, color, option)))
            .map(|(item, color, option)| (item, color, rank[option]))
            .collect();
        all.sort_unstable();
        let last_of_each = all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter_map(|same| same.last());
        let mut ending: Vec<(u32, u32, u32)> =
            last_of_each.map(|&(item, color, last)| (last, item, color)).collect();
        ending.sort_unstable();

        let mut uses = vec![Vec::new(); problem.secondaries];
        let mut positions = Vec::with_capacity(problem.primaries);
        let (mut bits, mut ending) = (0, ending.into_iter().peekable());
        for rank in 0..problem.primaries as u32 {
            positions.push(bits);
            bits += 1;
            while let Some((_, item, color)) = ending.next_if(|&(last, ..)| last == rank) {
                uses[item as usize].push(Use { bit: bits, color });
                bits += 1;
            }
        }
        uses.iter_mut().for_each(|uses| uses.reverse());
        let mut this = Self { bits: bits as usize, width: 1, size: 0.0, positions, rank_of, rank, uses };
        this.measure(problem);
        this
    }

    /// Finds out how large states are and how many there may be.
    fn measure(&mut self, problem: &Residual) {
        let ranks = self.positions.len();
        let mut first = vec![u32::MAX; self.bits]; // by bit: the first rank whose options block it
        let mut highest = self.positions.clone(); // by rank: the highest bit that its options block
        for option in 0..problem.option_count() {
            let rank = self.rank[option];
            let mut blocks = |bit: u32| {
                first[bit as usize] = first[bit as usize].min(rank);
                highest[rank as usize] = highest[rank as usize].max(bit);
            };
            for &item in problem.items(option) {
                blocks(self.positions[self.rank_of[item as usize] as usize]);
            }
            for &(item, color) in problem.uses(option) {
                let others =
                    self.uses[item as usize].iter().filter(|other| color == PLAIN || other.color != color);
                others.for_each(|other| blocks(other.bit));
            }
        }
        let mut reach = 0;
        let widths = highest.iter().zip(&self.positions).map(|(&highest, &position)| {
            reach = reach.max(highest);
            reach / 64 - position / 64 + 1
        });
        self.width = widths.max().unwrap_or(1) as usize;

        let mut comes = vec![0; ranks + 1]; // by rank: so many bits come to the frontier, less those that go
        for (bit, &first) in first.iter().enumerate() {
            let last = self.positions.partition_point(|&position| position as usize <= bit) - 1;
            if (first as usize) < last {
                comes[first as usize] += 1;
                comes[last] -= 1;
            }
        }
        let mut frontier = 0i32;
        let sizes = comes[..ranks].iter().map(|change| {
            frontier += change;
            states_of(frontier.max(0) as usize)
        });
        self.size = sizes.sum();
    }
}

/// An option as a choice of its rank.
fn choice<const V: usize>(problem: &Residual, layout: &Layout, option: usize) -> Choice<V> {
    let position = layout.positions[layout.rank[option] as usize];
    let mut choice = Choice { need: [0; V], block: [0; V], times: 1 };
    let set = |bits: &mut [u64; V], bit: u32| bits[(bit / 64 - position / 64) as usize] |= 1 << (bit % 64);
    for &item in problem.items(option) {
        let bit = layout.positions[layout.rank_of[item as usize] as usize];
        set(&mut choice.need, bit);
        set(&mut choice.block, bit);
    }
    for &(item, color) in problem.uses(option) {
        for other in layout.uses[item as usize].iter().take_while(|other| other.bit > position) {
            if other.color == color {
                set(&mut choice.need, other.bit);
            }
            if other.color != color || color == PLAIN {
                set(&mut choice.block, other.bit);
            }
        }
    }
    choice
}
