//! Whether what is written for other solvers says the same as the problem: all assignments are tried.

use alloc::string::String;
use alloc::vec::Vec;

use super::{cnf, lp, opb};
use crate::engine::contract::{Dice, any_problem, by_definition, random_problem};

/// A sum of variables with coefficients, and what it is to be: at least, at most or equal to a number.
struct Row {
    terms: Vec<(i64, u32)>,
    relation: String,
    number: i64,
}

impl Row {
    fn holds(&self, set: u32) -> bool {
        let value = |&(factor, variable): &(i64, u32)| factor * i64::from(set >> (variable - 1) & 1);
        let sum: i64 = self.terms.iter().map(value).sum();
        match &self.relation[..] {
            "=" => sum == self.number,
            ">=" => sum >= self.number,
            "<=" => sum <= self.number,
            other => unreachable!("{other}"),
        }
    }
}

fn variable(word: &str) -> u32 {
    word.strip_prefix('x').unwrap().parse().unwrap()
}

/// The number of variables, and the rows.
fn read_opb(text: &str) -> (u32, Vec<Row>) {
    let header: Vec<&str> = text.lines().next().unwrap().split(' ').collect();
    let rows: Vec<_> = text.lines().filter(|line| !line.starts_with('*')).map(opb_row).collect();
    assert_eq!(header[4].parse(), Ok(rows.len()), "{text}");
    (header[2].parse().unwrap(), rows)
}

fn opb_row(line: &str) -> Row {
    let words: Vec<&str> = line.strip_suffix(" ;").unwrap().split(' ').collect();
    let (terms, end) = words.split_at(words.len() - 2);
    let terms = terms.chunks(2).map(|term| (term[0].parse().unwrap(), variable(term[1]))).collect();
    Row { terms, relation: end[0].into(), number: end[1].parse().unwrap() }
}

fn read_lp(text: &str) -> (u32, Vec<Row>) {
    let (_, rest) = text.split_once("Subject To\n").unwrap();
    let (rows, rest) = rest.split_once("Binary\n").unwrap();
    let rows = rows.replace("\n  +", " +");
    (rest.strip_suffix("End\n").unwrap().lines().count() as u32, rows.lines().map(lp_row).collect())
}

fn lp_row(line: &str) -> Row {
    let (_, line) = line.split_once(": ").unwrap();
    let words: Vec<&str> = line.split(' ').filter(|word| *word != "+").collect();
    let (terms, end) = words.split_at(words.len() - 2);
    let terms: &[&str] = if terms == ["0", "x1"] { &[] } else { terms };
    let terms = terms.iter().map(|word| (1, variable(word))).collect();
    Row { terms, relation: end[0].into(), number: end[1].parse().unwrap() }
}

#[test]
fn linear_constraints_have_the_solutions_of_the_problem() {
    let mut dice = Dice(21);
    for _ in 0..1500 {
        let problem = any_problem(&mut dice);
        let usable = problem.options().filter(|option| problem.has_primary_item(*option)).count() as u32;
        let expected = by_definition(&problem, &[]).len();
        let (mut pseudo, mut linear) = (String::new(), String::new());
        opb::write(&problem, &mut pseudo).unwrap();
        lp::write(&problem, &mut linear).unwrap();
        for ((variables, rows), text) in [(read_opb(&pseudo), &pseudo), (read_lp(&linear), &linear)] {
            assert_eq!(variables, usable.max(1), "{text}");
            let models = (0..1_u32 << usable).filter(|set| rows.iter().all(|row| row.holds(*set))).count();
            assert_eq!(models, expected, "{problem:?}\n{text}");
        }
    }
}

#[test]
fn formulas_have_the_solutions_of_the_problem() {
    let mut dice = Dice(22);
    for round in 0..1500 {
        let problem = random_problem(&mut dice, round % 2 == 0);
        let mut text = String::new();
        cnf::write(&problem, &mut text).unwrap();
        let mut lines = text.lines().skip_while(|line| line.starts_with("c "));
        let header: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let numbers = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<i64>>();
        let clauses: Vec<_> = lines.map(numbers).collect();
        let variables: u32 = header[2].parse().unwrap();
        assert_eq!((&header[..2], header[3].parse()), (&["p", "cnf"][..], Ok(clauses.len())));
        let is_true =
            |set: u32, literal: &i64| (set >> (literal.unsigned_abs() - 1) & 1 == 1) == (*literal > 0);
        let is_model = |set: &u32| {
            clauses
                .iter()
                .all(|clause| clause[..clause.len() - 1].iter().any(|literal| is_true(*set, literal)))
        };
        let models = (0..1 << variables).filter(is_model).count();
        assert_eq!(models, by_definition(&problem, &[]).len(), "{problem:?}\n{text}");
    }
}
