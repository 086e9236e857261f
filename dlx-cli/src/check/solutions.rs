//! `dlx check`: are these solutions, and all different?

use std::collections::HashMap;

use dlx_core::verify::{self, Violation};
use dlx_core::{ItemId, OptionId, OwnedSolution, Problem};
use serde::Deserialize;

use super::check_inputs;
use crate::args::CheckArgs;
use crate::cover::read_problem;
use crate::input::Input;
use crate::outcome::{self, Exit, Failure};
use crate::output::Output;
use crate::report::Report;

/// A line of `dlx solve --json`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Solution { options: Vec<u32> },
    Summary { count: String },
}

/// An option of a solution, and the line in which it stands.
type Choice = (OptionId, usize);

/// Checks solutions, and says of each that is wrong where and why.
pub(crate) fn solutions(args: &CheckArgs, report: &mut Report) -> Result<Exit, Failure> {
    check_inputs(&args.problem, &args.solutions)?;
    let (_, problem) = read_problem(&args.problem, report)?;
    let input = Input::read(&args.solutions, report)?;
    let output = Output::open(None)?;
    let text = String::from_utf8_lossy(&input.bytes);
    let mut check = Check { problem, name: input.name, output, seen: HashMap::new(), count: 0, wrong: 0 };
    let is_json = text.lines().next().is_some_and(|line| serde_json::from_str::<Line>(line).is_ok());
    if is_json {
        check.json(&text)?
    } else {
        check.text(&text)?
    }
    let count = outcome::solutions(check.count);
    match check.wrong {
        0 => writeln!(check.output, "{count}, all right")?,
        wrong => writeln!(check.output, "{count}, {wrong} wrong")?,
    }
    check.output.finish()?;
    Ok(if check.wrong == 0 { Exit::Done } else { Exit::Nothing })
}

/// A check under way.
struct Check {
    problem: Problem,
    name: String,
    output: Output,
    seen: HashMap<OwnedSolution, Seen>,
    count: u64, // the solutions so far, right or wrong
    wrong: u64, // how many of them, and of summaries, are wrong
}

/// What there was of a solution so far.
struct Seen {
    line: usize, // of the first
    times: u128,
}

impl Check {
    /// An option a line, and a blank line behind each solution. The one behind the last may be missing.
    fn text(&mut self, text: &str) -> Result<(), Failure> {
        let known = Known::new(&self.problem);
        let mut lines = text.lines().zip(1..).peekable();
        while let Some(&(_, first)) = lines.peek() {
            let (mut choices, mut unknown) = (Vec::new(), false);
            let mut used: HashMap<&[OptionId], usize> = HashMap::new();
            for (line, number) in lines.by_ref().take_while(|(line, _)| !line.trim().is_empty()) {
                let Some(options) = known.options(line) else {
                    let line = line.trim();
                    self.complain(number, format_args!("the problem has no option `{line}`"))?;
                    unknown = true;
                    continue;
                };
                // Each time another one of those with the same items, as long as there are any.
                let times = used.entry(options).or_default();
                choices.extend(options.get(*times).or(options.last()).map(|option| (*option, number)));
                *times += 1;
            }
            self.count += 1;
            if unknown {
                self.wrong += 1;
                continue;
            }
            let alike = used.iter().map(|(options, times)| ways(options.len(), *times));
            let alike = alike.fold(1, u128::saturating_mul);
            self.solution(first, &choices, alike)?;
        }
        Ok(())
    }

    /// JSON lines: options by their numbers, and perhaps the summary.
    fn json(&mut self, text: &str) -> Result<(), Failure> {
        let mut summary = None;
        for (line, number) in text.lines().zip(1..) {
            match serde_json::from_str(line) {
                Ok(Line::Solution { options }) => {
                    // The number that is no id is the number of no option either.
                    let ids: Option<Vec<_>> =
                        options.iter().map(|option| Some((OptionId::new(*option)?, number))).collect();
                    self.count += 1;
                    match ids {
                        Some(choices) => self.solution(number, &choices, 1)?,
                        None => self.condemn(number, format_args!("there is no option {}", u32::MAX))?,
                    }
                }
                Ok(Line::Summary { count }) => summary = Some((number, count)),
                Err(_) => {
                    let name = &self.name;
                    return Err(Failure::new(format_args!(
                        "{name}:{number}: expected {{\"options\":[..]}} or {{\"count\":\"..\",..}}"
                    )));
                }
            }
        }
        let here = self.count;
        if let Some((number, count)) = summary.filter(|(_, count)| *count != here.to_string()) {
            self.wrong += 1;
            writeln!(self.output, "{}:{number}: it says {count}, but here are {here} solutions", self.name)?;
        }
        Ok(())
    }

    /// Checks what begins in a line, where so many solutions look alike.
    fn solution(&mut self, first: usize, choices: &[Choice], alike: u128) -> Result<(), Failure> {
        let options: Vec<_> = choices.iter().map(|(option, _)| *option).collect();
        if let Err(violation) = verify::check(&self.problem, &options) {
            let (line, why) = explain(&self.problem, &violation, first, choices);
            return self.condemn(line, why);
        }
        let seen = self.seen.entry(OwnedSolution::new(&options)).or_insert(Seen { line: first, times: 0 });
        seen.times += 1;
        if seen.times > alike {
            let line = seen.line;
            return self.condemn(first, format_args!("it is there already, in line {line}"));
        }
        Ok(())
    }

    /// Says why the solution at hand is wrong.
    fn condemn(&mut self, line: usize, why: impl std::fmt::Display) -> Result<(), Failure> {
        self.wrong += 1;
        let (name, count) = (&self.name, self.count);
        writeln!(self.output, "{name}:{line}: solution {count}: {why}")
    }

    /// Says what is wrong with a line of the solution that is being read.
    fn complain(&mut self, line: usize, what: impl std::fmt::Display) -> Result<(), Failure> {
        let (name, number) = (&self.name, self.count + 1);
        writeln!(self.output, "{name}:{line}: solution {number}: {what}")
    }
}

/// Where and why a set of options is no solution, in the names of the problem.
fn explain(problem: &Problem, violation: &Violation, first: usize, choices: &[Choice]) -> (usize, String) {
    let name = |item: ItemId| problem.item_name(item).map_or_else(|| format!("#{item}"), str::to_owned);
    // The last: of an option that is there twice, that is the one too many.
    let line =
        |option| choices.iter().rev().find(|choice| choice.0 == option).map_or(first, |choice| choice.1);
    match *violation {
        Violation::RepeatedOption { option } => {
            (line(option), format!("option `{}` is chosen twice", problem.option(option)))
        }
        Violation::NoPrimaryItem { option } => {
            (line(option), format!("option `{}` has no primary item", problem.option(option)))
        }
        Violation::Uncovered { item } => (first, format!("item {} is not covered", name(item))),
        Violation::OutOfBounds { item, times } => {
            let bounds = problem.bounds(item).unwrap_or(1..=1);
            let (least, most) = bounds.into_inner();
            (first, format!("item {} is covered {times} times, expected {least} to {most}", name(item)))
        }
        Violation::Clash { item, options: [one, other] } => {
            let color = |option| {
                let entry = problem.option(option).entries().find(|entry| entry.item == item);
                entry.and_then(|entry| entry.color).map(|color| problem.color_name(color))
            };
            let (item, before) = (name(item), line(one));
            let why = match (color(one), color(other)) {
                (Some(one), Some(other)) => {
                    format!("item {item} is {other}, but {one} in line {before}")
                }
                _ => format!("item {item} is covered again, as in line {before}"),
            };
            (line(other), why)
        }
        ref other => (first, other.to_string()),
    }
}

/// The options of a problem by their items.
struct Known(HashMap<String, Vec<OptionId>>);

impl Known {
    fn new(problem: &Problem) -> Self {
        let mut known: HashMap<_, Vec<OptionId>> = HashMap::new();
        for option in problem.options() {
            known.entry(key(&problem.option(option).to_string())).or_default().push(option);
        }
        Self(known)
    }

    /// The options with the items of a line, in any order.
    fn options(&self, line: &str) -> Option<&[OptionId]> {
        self.0.get(&key(line)).map(Vec::as_slice)
    }
}

/// The words of a line in a certain order.
fn key(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

/// In how many ways so many of `n` things can be chosen.
fn ways(n: usize, chosen: usize) -> u128 {
    let (n, chosen) = (n as u128, chosen as u128);
    (0..chosen).fold(1, |ways: u128, at| ways.saturating_mul(n.saturating_sub(at)) / (at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_choose() {
        for (n, chosen, expected) in [(1, 1, 1), (3, 0, 1), (3, 2, 3), (6, 3, 20), (2, 3, 0)] {
            assert_eq!(ways(n, chosen), expected, "{chosen} of {n}");
        }
    }
}
