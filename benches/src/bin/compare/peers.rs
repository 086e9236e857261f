//! The peers that cannot run here: Knuth's programs and others, through what they and the crate dlx needed in one place.

use std::collections::HashMap;
use std::{fs, io};

use dlx_tests::corpus;

use crate::contestants::{CRATES, Contestant, Mode};
use crate::rounds::Contest;

/// The column of the crate dlx as it is built here.
const BASE: &str = "crate dlx 32-bit unsafe-fast-index";

/// It counts with a memory of subproblems and visits no solution.
const COUNTS_ONLY: &str = "dlx6";

/// Columns of crates that are measured here anyway.
const MEASURED: [&str; 3] = [BASE, "crate exact-covers", "crate dlx-rs"];

/// Seconds by problem and peer, from one machine.
#[derive(Debug)]
pub(crate) struct Peers {
    names: Vec<String>,
    seconds: HashMap<String, Vec<Option<f64>>>,
}

impl Peers {
    /// The list in the folder `shared`; empty where there is none.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn read() -> io::Result<Self> {
        let path = corpus::shared("data/peers.tsv");
        Ok(Self::parse(&path.map(fs::read_to_string).transpose()?.unwrap_or_default()))
    }

    /// A table with tabs: the names of the peers, then a line for each problem. A lower bound (`>30`) is no time.
    fn parse(text: &str) -> Self {
        let mut lines = text.lines().map(|line| line.split('\t'));
        let names = lines.next().into_iter().flatten().skip(1).map(str::to_owned).collect();
        let row = |mut fields: std::str::Split<'_, char>| {
            let subject = fields.next().unwrap_or_default().to_owned();
            (subject, fields.map(|field| field.parse().ok()).collect())
        };
        Self { names, seconds: lines.map(row).collect() }
    }

    /// What the peers would need here, given what the crate dlx needs here.
    fn expected(&self, subject: &str, dlx: f64) -> Vec<(&str, f64)> {
        let Some(row) = self.seconds.get(subject) else { return Vec::new() };
        let cells = || self.names.iter().map(String::as_str).zip(row);
        let Some(base) = cells().find_map(|(name, seconds)| seconds.filter(|_| name == BASE)) else {
            return Vec::new();
        };
        cells().filter_map(|(name, seconds)| Some((name, (*seconds)? * dlx / base))).collect()
    }

    /// Every peer's seconds on a problem, those measured here first.
    pub(crate) fn all<'a>(&'a self, contest: &Contest, mode: Mode) -> Vec<(&'a str, f64)> {
        let measured = |one: Contestant| Some((one.name(), contest.median(one, Mode::Enumerate)?));
        let mut all: Vec<_> = CRATES.into_iter().filter_map(measured).collect();
        if let Some(dlx) = contest.median(Contestant::Dlx, Mode::Enumerate) {
            let eligible =
                |name: &str| !MEASURED.contains(&name) && (mode == Mode::Count || name != COUNTS_ONLY);
            all.extend(self.expected(&contest.subject, dlx).into_iter().filter(|(name, _)| eligible(name)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounds::Entry;

    #[test]
    fn peers_are_scaled_by_the_crate_that_is_measured_here() {
        let table = "instance\tdlx1\tdlx6\tmcc\tcrate dlx\tcrate dlx 32-bit unsafe-fast-index\n\
                     a\t2.0\t0.5\t>30\t\t4.0\nb\t1.0\t\t\t\t\n";
        let peers = Peers::parse(table);
        let contest = |subject: &str| Contest {
            subject: subject.to_owned(),
            answer: Some("1".to_owned()),
            entries: vec![Entry {
                contestant: Contestant::Dlx,
                mode: Mode::Enumerate,
                times: Ok(vec![8.0, 8.0, 9.0]),
            }],
        };
        assert_eq!(peers.all(&contest("a"), Mode::Count), [("crate dlx", 8.0), ("dlx1", 4.0), ("dlx6", 1.0)]);
        assert_eq!(peers.all(&contest("a"), Mode::Enumerate), [("crate dlx", 8.0), ("dlx1", 4.0)]);
        assert_eq!(peers.all(&contest("b"), Mode::Count), [("crate dlx", 8.0)], "nothing to scale by");
        assert_eq!(peers.all(&contest("c"), Mode::Count), [("crate dlx", 8.0)]);
    }
}
