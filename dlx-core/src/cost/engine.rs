//! The engine of the search for cheap covers: it goes where covers are cheap, and turns back where a lower bound says that
//! none is cheap enough.
//!
//! **Branching** is on an option: it is chosen, and then it is not. It is one of an item that has few left.
//!
//! **Bounds.** At each node the relaxation is solved from where it stood before, and its prices give a bound in integers. What they
//! say of single options rules these out, which is often all but a few.

use alloc::vec;
use alloc::vec::Vec;

use super::bound::{BEYOND, Prices};
use super::residual::{Residual, State};
use super::simplex::{Simplex, Solved};
use super::watch::Watch;
use crate::engine::{Engine, Path, Selected, Tried, Untried};
use crate::{OptionId, Problem};

/// Relaxations of more rows than this take too long: their inverse has the square of that.
const MOST_ROWS: usize = 1500;
/// The relaxation is not solved anew at more than so many nodes, one after the other, where it does not help.
const MOST_SKIPPED: u32 = 64;
/// How far from a whole number a share may be to be taken for it.
const WHOLE: f64 = 1e-6;
/// What stands for no row or no column.
const NONE: u32 = u32::MAX;

/// What a search for cheap covers is after, the same for the whole of it.
pub(super) struct Task {
    /// Costs by option, divided by what divides them all.
    pub(super) costs: Vec<i64>,
    /// What divides them all.
    pub(super) divisor: i128,
}

impl Task {
    pub(super) fn new(problem: &Problem) -> Self {
        let possible = problem.options().filter(|option| problem.has_primary_item(*option));
        let sizes = possible.map(|option| u128::from(problem.cost(option).unsigned_abs()));
        let divisor = i128::try_from(sizes.fold(0, gcd).max(1)).unwrap_or(1); // it is at most 2^63
        // The costs of the others do not matter.
        let divided = |option| i64::try_from(i128::from(problem.cost(option)) / divisor).unwrap_or(0);
        Self { costs: problem.options().map(divided).collect(), divisor }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The engine. A copy goes on from where the original stands.
#[derive(Clone)]
pub(super) struct Priced {
    costs: Vec<i64>,
    residual: Residual,
    prices: Prices,
    ray: Prices, // by which there is no solution at all
    relaxation: Option<Relaxation>,
    begun: bool,
    limit: i128,                       // covers that cost as much are not wanted
    room: usize, // for how many covers there is room; none if the search reports all that it comes to
    found: Vec<(i128, Vec<OptionId>)>, // covers to be kept
    floor: i128, // a bound on what is below the branch in hand
    pub(super) root: Option<Root>,
    sound: bool,               // the assumptions do not contradict one another
    marks: Vec<(usize, bool)>, // before each assumption and exclusion, and whether all was sound
    watch: Watch,
    shut: Vec<u32>,           // room for options to be ruled out
    skip: u32,                // nodes at which the relaxation is not to be solved
    skipped: u32,             // how many that were the last time
    log: Option<Vec<Reason>>, // of what was done, if it is to be proved
}

/// Why a search does what it does. Items and options are indices of the problem's.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// A branch on an option: what follows is first the search with it, then that without it.
    Branch(u32),
    /// The first option left of an item is chosen, for the item needs all it has.
    Needs(u32),
    /// The item has not enough options.
    Lacks(u32),
    /// With these prices, in parts, options are too dear.
    TooDear(Vec<(usize, i128)>),
    /// With these prices, all is too dear.
    AllTooDear(Vec<(usize, i128)>),
    /// With these prices, there is no solution.
    Impossible(Vec<(usize, i128)>),
}

/// What is known at the root: the least that a cover costs, and that a cover with each option costs.
pub(super) type Root = (i128, Vec<i128>);

/// The relaxation, and which item and option is which there.
#[derive(Clone)]
struct Relaxation {
    simplex: Simplex,
    rows: Vec<u32>,    // the item of each row
    columns: Vec<u32>, // the option of each column
    shares: Vec<f64>,  // by column
    unit: f64,         // what is 1 there
}

/// A choice: the option in hand is chosen, or it is not.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    option: u32,
    mark: usize,
    bound: i128,
    second: bool, // it is not chosen any more
}

impl Priced {
    /// An engine for the options that `keep` wants, after covers that cost less than `limit`. It keeps those that it comes to,
    /// so that the caller may take them, if there is `room` for any.
    pub(super) fn new(
        problem: &Problem,
        task: &Task,
        keep: impl Fn(OptionId) -> bool,
        limit: i128,
        room: usize,
        watch: Watch,
    ) -> Self {
        let mut residual = Residual::new(problem, keep);
        let prices = || Prices::new(&residual, problem.item_count(), problem.option_count());
        let (prices, ray) = (prices(), prices());
        let sound = residual.settle();
        Self {
            costs: task.costs.clone(),
            prices,
            ray,
            residual,
            relaxation: None,
            begun: false,
            limit: limit.clamp(-BEYOND, BEYOND),
            room,
            found: Vec::new(),
            floor: -BEYOND,
            root: None,
            sound,
            marks: Vec::new(),
            watch,
            shut: Vec::new(),
            skip: 0,
            skipped: 0,
            log: None,
        }
    }

    /// Notes from now on why it does what it does.
    pub(super) fn keep_log(&mut self) {
        self.log = Some(Vec::new());
        self.note_chosen(0);
    }

    /// Takes what was noted.
    pub(super) fn take_log(&mut self) -> Vec<Reason> {
        self.log.as_mut().map(core::mem::take).unwrap_or_default()
    }

    fn note(&mut self, reason: impl FnOnce(&Self) -> Reason) {
        if let Some(mut log) = self.log.take() {
            log.push(reason(self));
            self.log = Some(log);
        }
    }

    /// Notes why options were chosen since there were so many, and what contradiction came of it, if any.
    fn note_chosen(&mut self, before: usize) {
        let Some(log) = &mut self.log else { return };
        log.extend(self.residual.causes[before..].iter().flatten().copied().map(Reason::Needs));
        log.extend(self.residual.conflict.map(Reason::Lacks));
    }

    /// Covers that cost as much are not wanted any more.
    pub(super) fn lower_limit(&mut self, limit: i128) {
        self.limit = self.limit.min(limit);
    }

    /// Takes the covers that were found, with their costs.
    pub(super) fn take_found(&mut self) -> impl Iterator<Item = (i128, Vec<OptionId>)> {
        self.found.drain(..)
    }

    /// Before the search of a part of the tree in which no cover costs less than that.
    #[cfg(feature = "parallel")]
    pub(super) fn begin_at(&mut self, bound: i128) {
        (self.floor, self.skip, self.skipped) = (bound, 0, 0);
    }

    /// What no cover that is still to be found costs less than, if these are the open branches, and what was to be tried behind
    /// the first few was given away.
    pub(super) fn lower_bound(&self, branches: &[Branch], given: usize) -> i128 {
        let whole = branches.iter().skip(given).find(|branch| !branch.second).or(branches.last());
        whole.map_or(-BEYOND, |branch| branch.bound)
    }

    /// What is chosen costs that.
    pub(super) fn paid(&self) -> i128 {
        self.residual.chosen.iter().map(|option| i128::from(self.costs[*option as usize])).sum()
    }

    /// What no cover costs less than, at a glance.
    pub(super) fn trivial_bound(&self) -> i128 {
        let gains = self.residual.open().iter().map(|option| i128::from(self.costs[*option as usize].min(0)));
        self.paid() + gains.sum::<i128>()
    }

    /// The bound of this node, after ruling options out as far as it goes. `None` if nothing here is wanted.
    fn tighten(&mut self) -> Option<i128> {
        if !self.begun {
            self.begun = true;
            self.relaxation = Relaxation::new(&self.residual, &self.costs, &self.prices);
            if self.relaxation.is_none() {
                self.prices.climb(
                    &self.residual,
                    |option| self.costs[option as usize],
                    self.paid(),
                    &self.watch,
                );
            }
        }
        let before = self.residual.mark();
        let solve = self.skip == 0;
        loop {
            if solve && !self.reprice() {
                self.skipped = 0;
                return None;
            }
            let bound =
                self.prices.evaluate(&self.residual, |option| self.costs[option as usize], self.paid());
            self.floor = self.floor.max(bound);
            self.try_relaxation();
            let wanted = self.limit;
            if self.floor >= wanted {
                self.note(|engine| Reason::AllTooDear(engine.prices.stated()));
                self.skipped = 0;
                return None;
            }
            if self.root.is_none() {
                self.root = Some((self.floor, self.with_each()));
            }
            self.shut.clear();
            let prices = &self.prices;
            let dear = self.residual.open().iter().filter(|option| prices.with(**option) >= wanted);
            self.shut.extend(dear);
            if !self.shut.is_empty() {
                self.note(|engine| Reason::TooDear(engine.prices.stated()));
            }
            let (left, chosen) = (self.residual.open().len() - self.shut.len(), self.residual.chosen.len());
            let possible = self.residual.rule_out_all(&self.shut);
            self.note_chosen(chosen);
            if !possible {
                return None;
            }
            if self.residual.open().len() == left || self.watch.is_over() {
                break;
            }
        }
        self.pace(solve, self.residual.mark() > before);
        Some(self.floor)
    }

    /// Where all covers up to a cost are wanted, bounds may be of no use for long: then the relaxation is solved at ever fewer nodes.
    fn pace(&mut self, solved: bool, helped: bool) {
        if self.room > 0 || self.log.is_some() || helped {
            self.skipped = 0;
        } else if solved {
            self.skipped = (2 * self.skipped + 1).min(MOST_SKIPPED);
        }
        self.skip = if solved || helped { self.skipped } else { self.skip - 1 };
    }

    /// What all was done so far, in additions.
    pub(super) fn work(&self) -> u64 {
        let relaxation = self.relaxation.as_ref().map_or(0, |relaxation| relaxation.simplex.work);
        relaxation + 8 * self.residual.updates + 8 * self.prices.work
    }

    /// The least that a cover with each option costs.
    fn with_each(&self) -> Vec<i128> {
        let mut with = vec![BEYOND; self.costs.len()];
        for &option in self.residual.open() {
            with[option as usize] = self.prices.with(option);
        }
        for &option in &self.residual.chosen {
            with[option as usize] = -BEYOND;
        }
        with
    }

    /// Solves the relaxation and sets the prices. False if there is no solution.
    fn reprice(&mut self) -> bool {
        let enough = self.limit;
        let Some(relaxation) = &mut self.relaxation else { return true };
        let enough = if enough == BEYOND { f64::INFINITY } else { enough as f64 / relaxation.unit };
        let solved = relaxation.solve(&self.residual, enough, &self.watch);
        let (prices, unit) = (relaxation.simplex.prices(), relaxation.unit);
        for (item, price) in relaxation.rows.iter().zip(prices) {
            self.prices.set(*item as usize, price * unit);
        }
        if solved == Solved::Infeasible {
            for (item, price) in relaxation.rows.iter().zip(relaxation.simplex.ray()) {
                self.ray.set(*item as usize, *price);
            }
            let possible = self.ray.evaluate(&self.residual, |_| 0, 0) <= 0;
            if !possible {
                self.note(|engine| Reason::Impossible(engine.ray.stated()));
            }
            return possible;
        }
        true
    }

    /// If the relaxation has no fractions, it is a cover unless colors forbid it.
    fn try_relaxation(&mut self) {
        let Some(relaxation) = &self.relaxation else { return };
        if self.room == 0 {
            return;
        }
        self.shut.clear();
        for (&option, &share) in relaxation.columns.iter().zip(&relaxation.shares) {
            if self.residual.state(option) == State::Open {
                if share > 1.0 - WHOLE {
                    self.shut.push(option);
                } else if share > WHOLE {
                    return;
                }
            }
        }
        let mark = self.residual.mark();
        let chosen = core::mem::take(&mut self.shut);
        let possible = chosen.iter().all(|&option| match self.residual.state(option) {
            State::Open => self.residual.choose(option),
            State::Chosen => true,
            State::Out => false,
        });
        if possible {
            let rest = self.residual.open().to_vec();
            if self.residual.rule_out_all(&rest) && self.paid() < self.limit {
                self.record();
            }
        }
        self.residual.undo(mark);
        self.shut = chosen;
    }

    /// Keeps what is chosen, if it is to be kept. Whoever takes it lowers the limit; only where there is room for no other cover
    /// it is clear at once.
    fn record(&mut self) {
        if self.room == 0 {
            return;
        }
        let cost = self.paid();
        if self.room == 1 {
            self.lower_limit(cost);
        }
        let chosen = self.residual.chosen.iter();
        self.found.push((cost, chosen.filter_map(|option| OptionId::new(*option)).collect()));
    }

    /// Assumes or excludes an option.
    fn suppose(&mut self, option: OptionId, wanted: State) {
        self.marks.push((self.residual.mark(), self.sound));
        let option = option.raw();
        self.sound = self.sound
            && match (self.residual.state(option), wanted) {
                (State::Open, State::Chosen) => self.residual.choose(option),
                (State::Open, _) => self.residual.rule_out(option),
                (state, wanted) => state == wanted,
            };
    }

    /// Back to the last mark.
    fn go_back(&mut self) {
        if let Some((mark, sound)) = self.marks.pop() {
            self.sound = sound;
            self.residual.undo(mark);
        }
    }

    /// The option to branch on.
    fn pick(&self) -> Option<u32> {
        let needy = |item: &usize| self.residual.need(*item).1 > 0;
        let items = (0..self.residual.item_count()).filter(needy);
        let smallest = items.min_by_key(|item| self.residual.need(*item).0 - self.residual.need(*item).1);
        let share = |option: u32| self.relaxation.as_ref().map_or(0.0, |relaxation| relaxation.share(option));
        let better = |a: &u32, b: &u32| {
            let by_share = share(*a).total_cmp(&share(*b));
            by_share.then(self.prices.reduced(*b).cmp(&self.prices.reduced(*a))).then(b.cmp(a))
        };
        match smallest {
            Some(item) => self.residual.open_options(item).max_by(better),
            None => self.residual.open().iter().copied().max_by(better),
        }
    }
}

impl Relaxation {
    /// That of the open options; `None` if it is too large.
    fn new(residual: &Residual, costs: &[i64], prices: &Prices) -> Option<Self> {
        let priced = |item: &usize| !prices.is_free(*item) && residual.need(*item).0 > 0;
        let rows: Vec<u32> = (0..residual.item_count()).filter(priced).map(|item| item as u32).collect();
        if rows.len() > MOST_ROWS {
            return None;
        }
        let mut row_of = vec![NONE; residual.item_count()];
        rows.iter().zip(0..).for_each(|(item, row)| row_of[*item as usize] = row);
        let mut columns = residual.open().to_vec();
        columns.sort_unstable();
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for &option in &columns {
            let rows = residual.items(option).iter().map(|item| row_of[*item as usize]);
            entries.extend(rows.filter(|row| *row != NONE));
            starts.push(entries.len() as u32);
        }
        let cost = |option: &u32| costs[*option as usize] as f64;
        let largest = columns.iter().map(|option| cost(option).abs()).fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest / 1000.0 } else { 1.0 };
        let costs = columns.iter().map(|option| cost(option) / unit).collect();
        let mut simplex = Simplex::new(rows.len(), starts, entries, costs);
        for (row, &item) in rows.iter().enumerate() {
            let (_, least, most) = residual.need(item as usize);
            simplex.set_item(row, f64::from(least), f64::from(most));
        }
        Some(Self { simplex, rows, shares: vec![0.0; columns.len()], columns, unit })
    }

    fn solve(&mut self, residual: &Residual, enough: f64, watch: &Watch) -> Solved {
        for (column, &option) in self.columns.iter().enumerate() {
            let (least, most) = match residual.state(option) {
                State::Open => (0.0, 1.0),
                State::Chosen => (1.0, 1.0),
                State::Out => (0.0, 0.0),
            };
            self.simplex.set_option(column, least, most);
        }
        let solved = self.simplex.solve(enough, || !watch.is_over());
        self.simplex.shares(&mut self.shares);
        solved
    }

    fn share(&self, option: u32) -> f64 {
        self.columns.binary_search(&option).map_or(0.0, |column| self.shares[column])
    }
}

impl Engine for Priced {
    type Branch = Branch;

    fn select(&mut self) -> Selected<Branch> {
        if !self.sound {
            return Selected::Dead;
        }
        if !self.residual.open().is_empty() && self.tighten().is_none() {
            return Selected::Dead;
        }
        if let Some(option) = self.pick() {
            let branch = Branch { option, mark: self.residual.mark(), bound: self.floor, second: false };
            return Selected::Branch { branch, forced: false };
        }
        if self.paid() >= self.limit {
            self.note(|_| Reason::AllTooDear(Vec::new()));
            return Selected::Dead;
        }
        self.record();
        Selected::Complete
    }

    fn enter(&mut self, branch: &mut Branch) {
        self.note(|_| Reason::Branch(branch.option));
    }

    fn attempt(&mut self, branch: &mut Branch) -> Tried {
        self.floor = branch.bound;
        if self.floor >= self.limit {
            return Tried::Dead;
        }
        let chosen = self.residual.chosen.len();
        let possible = if branch.second {
            self.residual.rule_out(branch.option)
        } else {
            self.residual.choose(branch.option)
        };
        self.note_chosen(chosen);
        if possible {
            return Tried::Open;
        }
        self.residual.undo(branch.mark);
        Tried::Dead
    }

    fn collect(&mut self, _: &[Branch], _: usize, assumed: usize, solution: &mut Vec<OptionId>) {
        solution.truncate(assumed);
        for &option in &self.residual.chosen {
            solution.extend(OptionId::new(option).filter(|option| !solution[..assumed].contains(option)));
        }
    }

    fn retract(&mut self, branch: &Branch) {
        self.residual.undo(branch.mark);
    }

    fn advance(&mut self, branch: &mut Branch) -> bool {
        !core::mem::replace(&mut branch.second, true)
    }

    fn leave(&mut self, _: &Branch) {}

    fn follow(&self, branches: &[Branch], at: usize, path: &mut Path) {
        let Branch { option, second, .. } = branches[at];
        let way = if second { &mut path.without } else { &mut path.before };
        way.extend(OptionId::new(option));
    }

    fn untried(&self, branches: &[Branch], at: usize, _: usize) -> Untried {
        let Branch { option, second, .. } = branches[at];
        let without = OptionId::new(option).into_iter().collect();
        Untried { without, tried: second.into(), behind: (!second).into(), ..Untried::default() }
    }

    const SEES_CLASHES: bool = true;

    fn assume(&mut self, option: OptionId) {
        self.suppose(option, State::Chosen);
    }

    fn unassume(&mut self, _: OptionId) {
        self.go_back();
    }

    fn exclude(&mut self, option: OptionId) {
        self.suppose(option, State::Out);
    }

    fn readmit(&mut self, _: OptionId) {
        self.go_back();
    }

    fn updates(&self) -> u64 {
        self.residual.updates
    }
}
