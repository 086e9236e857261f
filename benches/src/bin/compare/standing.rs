//! What the times say: us over the best peer, and our choice of an engine over our best one.

use dlx_core::EngineKind;

use crate::contestants::{Contestant, Mode};
use crate::peers::Peers;
use crate::rounds::Contest;

/// Ours is what a user gets who chooses nothing.
pub(crate) const OURS: Contestant = Contestant::Ours(EngineKind::Auto);

/// Problems that take the best peer less do not count.
pub(crate) const MATTERS: f64 = 0.05;

/// Choices of an engine on problems that take us less do not count.
pub(crate) const CHOICE_MATTERS: f64 = 0.1;

/// How we stand on a problem.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    pub(crate) subject: String,
    /// The best peer and its seconds.
    pub(crate) peer: String,
    pub(crate) seconds: f64,
    /// Its seconds over ours: above 1 we are faster. `None` where we have no time.
    pub(crate) ratio: Option<f64>,
}

/// How we stand on a problem; `None` if no peer has a time.
pub(crate) fn standing(contest: &Contest, mode: Mode, peers: &Peers) -> Option<Standing> {
    let (peer, seconds) = peers.all(contest, mode).into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let ratio = contest.median(OURS, mode).map(|ours| seconds / ours);
    Some(Standing { subject: contest.subject.clone(), peer: peer.to_owned(), seconds, ratio })
}

/// The figures over all problems that matter.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// How many there are with a ratio.
    pub(crate) number: usize,
    /// The geometric mean of our ratios to the best peer of each.
    pub(crate) mean: Option<f64>,
    /// Where we stand worst.
    pub(crate) lowest: Option<Standing>,
    /// Problems on which peers have times that matter and we have none.
    pub(crate) without: Vec<String>,
    /// Single peers: the geometric mean of our ratio to each.
    pub(crate) single: Vec<(&'static str, Option<f64>)>,
    /// The worst choice of an engine: our seconds over those of our best engine, and where.
    pub(crate) choice: Option<(f64, String)>,
}

/// The peers of which the mean is shown apart.
const SINGLE: [&str; 3] = ["dlx2", "ssxcc", "crate dlx"];

/// Sums up.
pub(crate) fn summary(contests: &[Contest], mode: Mode, peers: &Peers) -> Summary {
    let all = contests.iter().filter_map(|contest| standing(contest, mode, peers));
    let (with, without): (Vec<Standing>, Vec<Standing>) =
        all.filter(|standing| standing.seconds >= MATTERS).partition(|standing| standing.ratio.is_some());
    let ratio = |standing: &Standing| standing.ratio.unwrap_or_default();
    let single = SINGLE.map(|name| {
        let against = |contest: &Contest| {
            let (_, seconds) = peers.all(contest, mode).into_iter().find(|(peer, _)| *peer == name)?;
            Some(seconds / contest.median(OURS, mode)?).filter(|_| seconds >= MATTERS)
        };
        (name, geometric_mean(contests.iter().filter_map(against)))
    });
    Summary {
        number: with.len(),
        mean: geometric_mean(with.iter().map(ratio)),
        lowest: with.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b))).cloned(),
        without: without.into_iter().map(|standing| standing.subject).collect(),
        single: single.to_vec(),
        choice: contests
            .iter()
            .filter_map(|contest| Some((choice(contest, mode)?, contest.subject.clone())))
            .max_by(|a, b| a.0.total_cmp(&b.0)),
    }
}

/// Our seconds over those of our best engine, where they matter. Where the choice took too long and another engine did
/// not, that is infinite.
fn choice(contest: &Contest, mode: Mode) -> Option<f64> {
    let engines = EngineKind::ALL.into_iter().map(Contestant::Ours);
    let best = engines.filter_map(|engine| contest.median(engine, mode)).min_by(f64::total_cmp)?;
    let ours = contest.median(OURS, mode).unwrap_or(f64::INFINITY);
    (ours >= CHOICE_MATTERS).then_some(ours / best)
}

/// `None` of nothing.
pub(crate) fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    let number = logarithms.len() as f64;
    (number > 0.0).then(|| (logarithms.iter().sum::<f64>() / number).exp())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::measure::Missing;
    use crate::rounds::Entry;

    fn contest(subject: &str, ours: Result<f64, Missing>, links: f64, dlx: f64) -> Contest {
        let entry = |contestant, mode, seconds: Result<f64, Missing>| Entry {
            contestant,
            mode,
            times: seconds.map(|seconds| vec![seconds]),
        };
        let entries = vec![
            entry(OURS, Mode::Count, ours),
            entry(Contestant::Ours(EngineKind::Links), Mode::Count, Ok(links)),
            entry(Contestant::Dlx, Mode::Enumerate, Ok(dlx)),
        ];
        Contest { subject: subject.to_owned(), answer: Some("1".to_owned()), entries }
    }

    #[test]
    fn the_summary_is_over_what_matters() {
        let contests = [
            contest("good", Ok(0.5), 0.4, 4.0),
            contest("level", Ok(1.0), 1.0, 2.0),
            contest("short", Ok(0.01), 0.001, 0.02),
        ];
        let peers = Peers::read().unwrap(); // knows none of these
        let summary = summary(&contests, Mode::Count, &peers);
        assert_eq!((summary.number, summary.without.len()), (2, 0));
        assert!((summary.mean.unwrap() - 4.0).abs() < 1e-9, "the mean of 8 and 2");
        assert_eq!(summary.lowest.unwrap().subject, "level");
        assert_eq!(summary.choice, Some((1.25, "good".to_owned())));
        assert_eq!(summary.single[0], ("dlx2", None));
        assert!((summary.single[2].1.unwrap() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_time_that_is_missing_is_not_hidden() {
        let contests = [contest("long", Err(Missing::TooLong), 3.0, 2.0)];
        let summary = summary(&contests, Mode::Count, &Peers::read().unwrap());
        assert_eq!((summary.number, summary.mean, summary.without), (0, None, vec!["long".to_owned()]));
        assert_eq!(summary.choice, Some((f64::INFINITY, "long".to_owned())));
    }
}
