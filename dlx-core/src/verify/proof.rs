//! An independent checker of the [proofs](crate::proof) that searches write. It reads nothing but the [`Problem`], goes
//! through the proof line by line with one path of the tree in hand, and looks at every option of an item anew.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::Violation;
use super::prices::{Aim, Prices};
use crate::{Color, Fingerprint, ItemId, OptionId, Problem};

/// The form of the proofs, and its version.
pub(crate) const FIRST_LINE: &str = "dlx proof 1";

/// What the last line of a proof says of those before it.
#[derive(Clone, Default)]
pub(crate) struct Seal {
    pub(crate) solutions: u64,
    pub(crate) cost: Option<i128>, // of the cheapest solution, if that is proved
    pub(crate) nodes: u64,
    sum: crc32fast::Hasher,
}

impl Seal {
    /// Adds a line, with its end.
    pub(crate) fn add(&mut self, line: &[u8]) {
        self.sum.update(line);
    }
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cost {
            Some(cost) => write!(f, "end cost {cost}")?,
            None => write!(f, "end {} solutions", self.solutions)?,
        }
        write!(f, " {} nodes crc {:08x}", self.nodes, self.sum.clone().finalize())
    }
}

/// Why a proof was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofError {
    /// The line, from 1, comments included.
    pub line: u64,
    /// What is wrong there.
    pub kind: ProofErrorKind,
}

/// What is wrong with a line of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofErrorKind {
    /// It is no proof of the known form and version.
    Form,
    /// It is a proof about another problem.
    Foreign {
        /// The fingerprint of that problem.
        found: Fingerprint,
        /// The one of the problem at hand.
        expected: Fingerprint,
    },
    /// Something else was expected.
    Syntax {
        /// What was expected.
        expected: &'static str,
    },
    /// An option is assumed that cannot be chosen.
    Assumption {
        /// The option.
        option: OptionId,
    },
    /// An item that the problem does not have, or that is secondary, or that cannot take a further option.
    Item {
        /// The item's number.
        item: u32,
    },
    /// A branch on an item that no option that is left contains: it decides nothing, or should be a dead end.
    NoBranch {
        /// The item.
        item: ItemId,
    },
    /// A dead end is claimed, but the item can still be covered.
    Alive {
        /// The item.
        item: ItemId,
        /// How many options contain it and are left.
        left: usize,
    },
    /// A solution is claimed, but an item is not covered, or could still take an option.
    NotSolved {
        /// The item.
        item: ItemId,
    },
    /// The options that are said to be the cheapest solution are no solution.
    NoCover {
        /// Why not.
        violation: Violation,
    },
    /// A solution costs less than the one that is said to be the cheapest.
    Cheaper,
    /// A branch on an option that is not left.
    Gone {
        /// The option.
        option: OptionId,
    },
    /// Prices do not prove what they are said to prove.
    Prices,
    /// The tree is complete, but the last line disagrees with those before it: some line was changed, lost, or added.
    Seal {
        /// What it should be.
        expected: String,
    },
    /// There is something behind the last line.
    Behind,
    /// The proof ends too early: the search was stopped, or the proof was cut off.
    Incomplete,
}

impl ProofErrorKind {
    /// The item that it is about, if any. Only of [`Item`](Self::Item) the problem may have none such.
    pub fn item(&self) -> Option<ItemId> {
        match self {
            Self::NoBranch { item } | Self::Alive { item, .. } | Self::NotSolved { item } => Some(*item),
            Self::Item { item } => ItemId::new(*item),
            _ => None,
        }
    }
}

impl fmt::Display for ProofErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => write!(f, "expected `{FIRST_LINE}`"),
            Self::Foreign { found, expected } => {
                write!(f, "it is about the problem {found}, expected {expected}")
            }
            Self::Syntax { expected } => write!(f, "expected {expected}"),
            Self::Assumption { option } => write!(f, "option {option} cannot be assumed"),
            Self::Item { item } => write!(f, "item number {item} is not to be covered here"),
            Self::NoBranch { item } => write!(f, "there is no choice for item number {item}"),
            Self::Alive { item, left } => {
                write!(f, "item number {item} can be covered: {left} of its options are left")
            }
            Self::NotSolved { item } => write!(f, "this is no solution: item number {item} is not settled"),
            Self::NoCover { violation } => write!(f, "this is no solution: {violation}"),
            Self::Cheaper => f.write_str("this solution costs less than the one that is said to be cheapest"),
            Self::Gone { option } => write!(f, "option {option} is not left"),
            Self::Prices => f.write_str("the prices do not prove that"),
            Self::Seal { expected } => write!(f, "it disagrees with the lines above, expected `{expected}`"),
            Self::Behind => f.write_str("expected nothing behind the last line"),
            Self::Incomplete => f.write_str("incomplete: the proof ends before the tree does"),
        }
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl core::error::Error for ProofError {}

/// What a proof proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Of the solutions that contain what is assumed.
    pub claim: Claim,
    /// The options that are assumed.
    pub assumed: Vec<OptionId>,
    /// The nodes of its tree.
    pub nodes: u64,
}

/// The kinds of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There are so many solutions, no more and no less.
    Solutions(u64),
    /// The cheapest solution costs that.
    Cheapest(i128),
}

/// Checks a proof that is in memory.
///
/// # Errors
/// As [`Checker::line`] and [`Checker::finish`].
///
/// ```
/// use dlx_core::format::knuth;
/// use dlx_core::verify::proof::{Claim, ProofErrorKind, check};
///
/// let problem = knuth::parse(b"a b\na\na b\n")?;
/// let proof = b"dlx proof 1\nproblem b55cb749588358766498db487a4d7a1c\n\
/// b 1\ns\nend 1 solutions 2 nodes crc ae4f22e6\n";
/// assert_eq!(check(&problem, proof)?.claim, Claim::Solutions(1));
/// assert_eq!(check(&problem, &proof[..48]).map_err(|error| error.kind), Err(ProofErrorKind::Incomplete));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(problem: &Problem, proof: &[u8]) -> Result<Proved, ProofError> {
    let mut checker = Checker::new(problem);
    proof.split_inclusive(|byte| *byte == b'\n').try_for_each(|line| checker.line(line))?;
    checker.finish()
}

/// Checks a proof line by line. Memory grows with the problem and the depth of the tree only.
///
/// A line takes time for each entry of the options that contain its item; one with prices, for each entry of the problem.
pub struct Checker {
    problem: Problem,
    fingerprint: Fingerprint,
    cover: Cover,
    stack: Vec<Branch>,
    next: Next,
    lines: u64,
    seal: Seal,
    assumed: Vec<OptionId>,
    aim: Option<Aim>, // if the cheapest solution is to be proved
}

/// What the next line must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Form,
    Problem,
    Root, // or an assumption, or the cheapest solution
    Node,
    Seal,
    Nothing,
}

/// A branch above the node in hand.
struct Branch {
    options: Vec<OptionId>, // that were left
    choices: usize,         // the one behind the last option is to take none of them
    at: usize,              // the choice in hand
}

impl Checker {
    /// A checker that expects the first line.
    pub fn new(problem: &Problem) -> Self {
        Self {
            fingerprint: problem.fingerprint(),
            cover: Cover::new(problem),
            problem: problem.clone(),
            stack: Vec::new(),
            next: Next::Form,
            lines: 0,
            seal: Seal::default(),
            assumed: Vec::new(),
            aim: None,
        }
    }

    /// Takes the next line, with the newline that ends it.
    ///
    /// # Errors
    /// What is wrong with it. The proof is refused then, whatever follows.
    pub fn line(&mut self, line: &[u8]) -> Result<(), ProofError> {
        self.lines += 1;
        if line.starts_with(b"|") {
            return Ok(());
        }
        let text = line.strip_suffix(b"\n").and_then(|text| core::str::from_utf8(text).ok());
        let read = match text {
            Some(text) => self.read(text),
            // All is well up to here, if this is where a file was cut off.
            None if !matches!(self.next, Next::Form | Next::Nothing) && !line.ends_with(b"\n") => {
                Err(ProofErrorKind::Incomplete)
            }
            None => Err(self.unexpected()),
        };
        self.seal.add(line);
        read.map_err(|kind| ProofError { line: self.lines, kind })
    }

    /// Says what is proved, after the last line.
    ///
    /// # Errors
    /// The last line was not the last line of a proof.
    pub fn finish(self) -> Result<Proved, ProofError> {
        let kind = match self.next {
            Next::Nothing => {
                let Seal { solutions, cost, nodes, .. } = self.seal;
                let claim = cost.map_or(Claim::Solutions(solutions), Claim::Cheapest);
                return Ok(Proved { claim, nodes, assumed: self.assumed });
            }
            Next::Form => ProofErrorKind::Form,
            _ => ProofErrorKind::Incomplete,
        };
        Err(ProofError { line: self.lines + 1, kind })
    }

    fn unexpected(&self) -> ProofErrorKind {
        let expected = match self.next {
            Next::Form => return ProofErrorKind::Form,
            Next::Problem => "`problem` and its fingerprint",
            Next::Root => "`assume` and an option, or `cheapest` and options, or a node",
            Next::Node if self.aim.is_none() => {
                "`b` or `d` and an item, `o` and an option, `r` and prices, or `s`"
            }
            Next::Node => {
                "`b` or `d` and an item, `o` and an option, `r` and prices, `p` or `x` with parts and prices, or `s`"
            }
            Next::Seal => return ProofErrorKind::Seal { expected: self.seal.to_string() },
            Next::Nothing => return ProofErrorKind::Behind,
        };
        ProofErrorKind::Syntax { expected }
    }

    fn read(&mut self, line: &str) -> Result<(), ProofErrorKind> {
        match self.next {
            Next::Form if line == FIRST_LINE => self.next = Next::Problem,
            Next::Problem => {
                let found = line.strip_prefix("problem ").and_then(|found| found.parse().ok());
                let found: Fingerprint = found.ok_or_else(|| self.unexpected())?;
                if found != self.fingerprint {
                    return Err(ProofErrorKind::Foreign { found, expected: self.fingerprint });
                }
                self.next = Next::Root;
            }
            Next::Root if line.starts_with("assume ") => self.assume(line)?,
            Next::Root if self.assumed.is_empty() && line.starts_with("cheapest") => self.cheapest(line)?,
            Next::Root | Next::Node => self.node(line)?,
            Next::Seal if line == self.seal.to_string() => self.next = Next::Nothing,
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn assume(&mut self, line: &str) -> Result<(), ProofErrorKind> {
        let option = line.strip_prefix("assume ").and_then(number).and_then(OptionId::new);
        let option = option.ok_or_else(|| self.unexpected())?;
        if self.problem.get_option(option).is_none() || !self.cover.is_left(&self.problem, option) {
            return Err(ProofErrorKind::Assumption { option });
        }
        self.cover.choose(&self.problem, option);
        self.assumed.push(option);
        Ok(())
    }

    /// Takes the solution that is said to be the cheapest.
    fn cheapest(&mut self, line: &str) -> Result<(), ProofErrorKind> {
        let mut words = line.split(' ');
        let known = words.next() == Some("cheapest");
        let options: Option<Vec<_>> = words.map(|word| number(word).and_then(OptionId::new)).collect();
        let options = options.filter(|options| known && options.is_sorted());
        let options = options.ok_or_else(|| self.unexpected())?;
        super::check(&self.problem, &options).map_err(|violation| ProofErrorKind::NoCover { violation })?;
        let cost = self.problem.total_cost(&options);
        self.aim = Some(Aim::new(&self.problem, cost));
        self.seal.cost = Some(cost);
        self.next = Next::Node;
        Ok(())
    }

    fn node(&mut self, line: &str) -> Result<(), ProofErrorKind> {
        self.seal.nodes += 1;
        self.next = Next::Node;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "s" if line == word => self.solution(),
            "b" | "d" => self.item(word, rest),
            "o" => self.option(rest),
            "r" | "p" | "x" => self.prices(word, rest),
            _ => Err(self.unexpected()),
        }
    }

    fn solution(&mut self) -> Result<(), ProofErrorKind> {
        self.cover.check_solved(&self.problem).map_err(|item| ProofErrorKind::NotSolved { item })?;
        match &self.aim {
            Some(aim) if !aim.is_reached(&self.cover.chosen) => return Err(ProofErrorKind::Cheaper),
            Some(_) => (),
            None => self.seal.solutions += 1,
        }
        self.turn();
        Ok(())
    }

    /// A branch on an item, or a dead end because of one.
    fn item(&mut self, word: &str, item: &str) -> Result<(), ProofErrorKind> {
        let number = number(item).ok_or_else(|| self.unexpected())?;
        let item = ItemId::new(number).filter(|item| self.cover.may_be_covered(&self.problem, *item));
        let item = item.ok_or(ProofErrorKind::Item { item: number })?;
        let options = self.cover.options_left(&self.problem, item);
        let choices = (options.len() + 1).saturating_sub(self.cover.missing(&self.problem, item));
        match word {
            "b" if choices == 0 || options.is_empty() => return Err(ProofErrorKind::NoBranch { item }),
            "b" => self.branch(Branch { options, choices, at: 0 }),
            _ if choices > 0 => return Err(ProofErrorKind::Alive { item, left: options.len() }),
            _ => self.turn(),
        }
        Ok(())
    }

    /// A branch on an option: it is chosen, and then it is not.
    fn option(&mut self, option: &str) -> Result<(), ProofErrorKind> {
        let option = number(option).and_then(OptionId::new).ok_or_else(|| self.unexpected())?;
        if self.problem.get_option(option).is_none() || !self.cover.is_left(&self.problem, option) {
            return Err(ProofErrorKind::Gone { option });
        }
        self.branch(Branch { options: alloc::vec![option], choices: 2, at: 0 });
        Ok(())
    }

    /// A leaf that prices refute, or options that they rule out.
    fn prices(&mut self, word: &str, rest: &str) -> Result<(), ProofErrorKind> {
        let nothing = Aim::nothing(&self.problem);
        let mut words = rest.split(' ').filter(|_| !rest.is_empty());
        let (parts, aim) = match (word, &self.aim) {
            ("r", _) => (Some(1), Some(&nothing)),
            (_, aim) => (words.next().and_then(number), aim.as_ref()),
        };
        let prices = parts.and_then(|parts| Prices::read(&self.problem, parts, words));
        let (prices, aim) = prices.zip(aim).ok_or_else(|| self.unexpected())?;
        let bound = prices.bound(&self.problem, &self.cover, aim).ok_or(ProofErrorKind::Prices)?;
        if word != "x" {
            return bound.is_enough().then(|| self.turn()).ok_or(ProofErrorKind::Prices);
        }
        let options = bound.too_dear();
        if options.is_empty() {
            return Err(ProofErrorKind::Prices);
        }
        // The only choice is to take none of them.
        options.iter().for_each(|option| self.cover.pass_over(*option));
        let none = options.len();
        self.stack.push(Branch { options, choices: none + 1, at: none });
        Ok(())
    }

    fn branch(&mut self, branch: Branch) {
        self.stack.push(branch);
        self.choose();
    }

    /// Makes the choice in hand of the last branch.
    fn choose(&mut self) {
        let option = self.stack.last().and_then(|branch| branch.options.get(branch.at));
        option.into_iter().for_each(|option| self.cover.choose(&self.problem, *option));
    }

    /// Behind a leaf: turns to the next choice there is.
    fn turn(&mut self) {
        while let Some(branch) = self.stack.last_mut() {
            if let Some(&option) = branch.options.get(branch.at) {
                self.cover.unchoose(&self.problem, option);
                self.cover.pass_over(option);
            }
            branch.at += 1;
            if branch.at < branch.choices {
                return self.choose();
            }
            for option in branch.options.iter().take(branch.at) {
                self.cover.take_in(*option);
            }
            self.stack.pop();
        }
        self.next = Next::Seal;
    }
}

/// Reads a number as it is written: digits, a sign where it is negative, and no zero before others.
pub(super) fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// What is chosen and passed over.
pub(super) struct Cover {
    pub(super) chosen: Vec<OptionId>,

    containing: Vec<Vec<OptionId>>, // by item: the options that contain it, if it is primary
    times: Vec<u32>,                // by item: how many options that are chosen contain it
    colors: Vec<Option<Color>>,     // by item: what these give to it
    out: Vec<bool>,                 // by option: whether it is chosen or passed over
}

impl Cover {
    fn new(problem: &Problem) -> Self {
        let items = problem.item_count();
        let mut containing = alloc::vec![Vec::new(); items];
        for option in problem.options() {
            for entry in problem.option(option).entries().filter(|entry| problem.is_primary(entry.item)) {
                containing[entry.item.index()].push(option);
            }
        }
        Self {
            chosen: Vec::new(),
            containing,
            times: alloc::vec![0; items],
            colors: alloc::vec![None; items],
            out: alloc::vec![false; problem.option_count()],
        }
    }

    fn choose(&mut self, problem: &Problem, option: OptionId) {
        self.out[option.index()] = true;
        self.chosen.push(option);
        for entry in problem.option(option).entries() {
            self.times[entry.item.index()] += 1;
            self.colors[entry.item.index()] = entry.color;
        }
    }

    fn unchoose(&mut self, problem: &Problem, option: OptionId) {
        self.out[option.index()] = false;
        self.chosen.pop(); // it was the last
        for entry in problem.option(option).entries() {
            self.times[entry.item.index()] -= 1;
        }
    }

    fn pass_over(&mut self, option: OptionId) {
        self.out[option.index()] = true;
    }

    fn take_in(&mut self, option: OptionId) {
        self.out[option.index()] = false;
    }

    /// Whether the option may be chosen beside those that are. One without a primary item never is.
    pub(super) fn is_left(&self, problem: &Problem, option: OptionId) -> bool {
        let mut entries = problem.option(option).entries();
        !self.out[option.index()]
            && entries.clone().any(|entry| problem.is_primary(entry.item))
            && entries.all(|entry| match problem.bounds(entry.item) {
                Some(bounds) => self.times[entry.item.index()] < *bounds.end(),
                None => {
                    let agreed = entry.color.is_some() && entry.color == self.colors[entry.item.index()];
                    self.times[entry.item.index()] == 0 || agreed
                }
            })
    }

    /// The options that contain a primary item and are left, in ascending order.
    fn options_left(&self, problem: &Problem, item: ItemId) -> Vec<OptionId> {
        let all = self.containing[item.index()].iter().copied();
        all.filter(|option| self.is_left(problem, *option)).collect()
    }

    /// How many more options must contain an item. None must contain a secondary one.
    pub(super) fn missing(&self, problem: &Problem, item: ItemId) -> usize {
        let least = problem.bounds(item).map_or(0, |bounds| *bounds.start());
        least.saturating_sub(self.times[item.index()]) as usize
    }

    /// How many more options may contain an item, without colors.
    pub(super) fn room(&self, problem: &Problem, item: ItemId) -> u32 {
        let most = problem.bounds(item).map_or(1, |bounds| *bounds.end());
        most.saturating_sub(self.times[item.index()])
    }

    /// Whether it is a primary item of the problem that may be in one more option.
    fn may_be_covered(&self, problem: &Problem, item: ItemId) -> bool {
        let times = self.times.get(item.index());
        times.is_some_and(|times| problem.bounds(item).is_some_and(|bounds| times < bounds.end()))
    }

    /// Whether all is covered and no option is left; or else an item that says no.
    fn check_solved(&self, problem: &Problem) -> Result<(), ItemId> {
        let settled = |item: &ItemId| {
            !self.may_be_covered(problem, *item)
                || (self.missing(problem, *item) == 0 && self.options_left(problem, *item).is_empty())
        };
        let mut primary = problem.items().filter(|item| problem.is_primary(*item));
        primary.find(|item| !settled(item)).map_or(Ok(()), Err)
    }
}
