//! What the links engine does on the way, not only what it finds: the order of its solutions and the number of its
//! nodes are those of Algorithms C and M written down plainly, with sets in place of links.

use dlx_core::{EngineKind, OptionId};
use dlx_tests::generators::{self, QueenOrder, queens};
use dlx_tests::{Instance, Known, small};
use itertools::Itertools as _;
use proptest::prelude::*;

use crate::random::problems;
use crate::support::places;

/// Algorithm M without links, which is Algorithm C where there are no bounds.
struct Plain<'a> {
    instance: &'a Instance,
    nodes: u64,
    forced: u64,
    chosen: Vec<usize>,
    solutions: Vec<Vec<usize>>,
}

/// A primary item, and how often it is still to be covered, at least and at most.
#[derive(Clone, Copy)]
struct Open {
    item: usize,
    least: u32,
    most: u32,
}

impl Plain<'_> {
    /// Runs from a node with these options left and these primary items open. Branches on the item with the fewest
    /// ways to go on, the first of several such: each of its options, in their order, as the first that is chosen, unless
    /// too few are behind it; and none of them, if its lower bound is reached.
    fn node(&mut self, left: &[usize], items: &[Open]) {
        self.nodes += 1;
        let Some((ways, branch)) =
            items.iter().map(|item| (self.ways(left, item), *item)).min_by_key(|it| it.0)
        else {
            let mut solution = self.chosen.clone();
            solution.sort_unstable();
            return self.solutions.push(solution);
        };
        if ways == 0 {
            return;
        }
        self.forced += u64::from(ways == 1);
        let mut left = left.to_vec();
        for option in self.containing(&left, branch.item) {
            if self.misses(&left, items, branch) {
                return;
            }
            left.retain(|&other| other != option);
            self.choose(option, &left, items);
        }
        if branch.least == 0 && !self.misses(&left, items, branch) {
            let others: Vec<_> = items.iter().copied().filter(|open| open.item != branch.item).collect();
            self.node(&left, &others);
        }
    }

    fn choose(&mut self, option: usize, left: &[usize], items: &[Open]) {
        let cover = |open: &Open| match *open {
            Open { item, least, most } if self.contains(option, item) => {
                Open { item, least: least.saturating_sub(1), most: most - 1 }
            }
            untouched => untouched,
        };
        let (open, full): (Vec<_>, Vec<_>) = items.iter().map(cover).partition(|open| open.most > 0);
        let fits = |other: usize| {
            full.iter().all(|full| !self.contains(other, full.item)) && self.colors_agree(option, other)
        };
        let left: Vec<_> = left.iter().copied().filter(|&other| fits(other)).collect();
        self.chosen.push(option);
        self.node(&left, &open);
        self.chosen.pop();
    }

    /// Whether what has been passed over leaves too little for some item. Where a branch takes a single option more, nothing is
    /// passed over.
    fn misses(&self, left: &[usize], items: &[Open], branch: Open) -> bool {
        branch.most > 1 && items.iter().any(|item| self.ways(left, item) == 0)
    }

    /// In how many ways one could go on with an item: which of its options is the first that is chosen, or none.
    fn ways(&self, left: &[usize], open: &Open) -> usize {
        (self.containing(left, open.item).len() + 1).saturating_sub(open.least as usize)
    }

    fn containing(&self, left: &[usize], item: usize) -> Vec<usize> {
        left.iter().copied().filter(|&option| self.contains(option, item)).collect()
    }

    fn contains(&self, option: usize, item: usize) -> bool {
        self.instance.options[option].iter().any(|entry| entry.0 == item)
    }

    fn colors_agree(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|option| {
            self.instance.options[option].iter().filter(|entry| entry.0 >= self.instance.primary.len())
        });
        a.cartesian_product(b)
            .all(|((item, color), (other, tint))| item != other || (color.is_some() && color == tint))
    }
}

fn assert_same_tree(instance: &Instance) {
    let mut plain = Plain { instance, nodes: 0, forced: 0, chosen: Vec::new(), solutions: Vec::new() };
    let open = |item| {
        let (least, most) = instance.bounds_of(item);
        Open { item, least, most }
    };
    let (open, full): (Vec<_>, Vec<_>) =
        (0..instance.primary.len()).map(open).partition(|open| open.most > 0);
    let usable = |&option: &usize| {
        instance.has_primary(option) && full.iter().all(|full| !plain.contains(option, full.item))
    };
    let usable: Vec<usize> = (0..instance.options.len()).filter(usable).collect();
    plain.node(&usable, &open);

    let mut solver = instance.problem().unwrap().solver_on(EngineKind::Links);
    let solutions: Vec<_> = solver.owned().map(|solution| places(&solution)).collect();
    assert_eq!(solutions, plain.solutions, "{instance}");
    let statistics = solver.statistics();
    assert_eq!((statistics.nodes, statistics.forced), (plain.nodes, plain.forced), "{instance}");
}

#[test]
fn search_trees_of_all_small_problems() {
    small::problems().for_each(|instance| assert_same_tree(&instance));
}

#[test]
fn search_trees_of_small_problems_with_bounds() {
    small::bounded_problems().for_each(|instance| assert_same_tree(&instance));
}

#[test]
fn search_trees_of_families() {
    [
        queens(8, QueenOrder::Natural),
        queens(8, QueenOrder::OrganPipe),
        generators::langford(7),
        generators::latin_squares(4),
        generators::set_partitions(6),
        generators::steiner_triple_systems(7),
        generators::domino_tilings(6, 6),
        generators::l_tromino_tilings(6, 6),
        generators::colorings(10, &generators::petersen_graph(), 3),
        generators::graceful_labellings(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]),
        generators::de_bruijn_tori((4, 4), (2, 2)),
        generators::pipes(4, 4),
    ]
    .iter()
    .for_each(assert_same_tree);
}

/// Twenty to forty primary items in short options, of which some are a solution: much is forced, and often an item far behind
/// a forced one is left with nothing.
fn long_problems() -> impl Strategy<Value = Instance> {
    (20..40_usize).prop_flat_map(|items| {
        let noise =
            prop::collection::vec(prop::sample::subsequence((0..items).collect::<Vec<_>>(), 1..=4), 30);
        let planted = (Just((0..items).collect::<Vec<_>>()).prop_shuffle(), 2..4_usize);
        (noise, planted).prop_map(move |(noise, (order, length))| {
            let planted = order.chunks(length).map(<[usize]>::to_vec);
            let options = noise.into_iter().chain(planted);
            Instance {
                name: "long".into(),
                primary: (0..items).map(|item| format!("i{item}")).collect(),
                secondary: Vec::new(),
                bounds: Vec::new(),
                options: options.map(|items| items.into_iter().map(|item| (item, None)).collect()).collect(),
                known: None,
            }
        })
    })
}

proptest! {
    #[test]
    fn search_trees_of_random_problems(instance in problems()) {
        assert_same_tree(&instance);
    }

    #[test]
    fn search_trees_of_long_problems(instance in long_problems()) {
        assert_same_tree(&instance);
    }
}

/// Item 0 is forced, and item 30 has lost its only option to the assumption: the scan for the shortest item would stop at the
/// former.
#[test]
fn an_item_that_assumptions_left_with_nothing_is_found_at_once() {
    let options = (0..31).map(|item| vec![(item, None)]).chain([vec![(29, None), (30, None)]]);
    let instance = Instance {
        name: "emptied by an assumption".into(),
        primary: (0..31).map(|item| format!("i{item}")).collect(),
        secondary: Vec::new(),
        bounds: Vec::new(),
        options: options.enumerate().filter(|&(at, _)| at != 30).map(|(_, option)| option).collect(),
        known: Some(Known { count: 1, source: "only the last option covers item 30" }),
    };
    let problem = instance.problem().unwrap();
    assert_eq!(problem.solver().count().value, 1_u32.into());
    let clash = OptionId::new(29).unwrap(); // item 29 alone
    let mut solver = problem.solver_on(EngineKind::Links).assume([clash]).unwrap();
    assert!(solver.next_solution().is_none());
    assert_eq!(solver.statistics().nodes, 1);
}

/// What the other engines do is theirs alone, but it is the same in every run and on every processor.
#[test]
fn nodes_of_the_other_engines() {
    let nodes = |instance: &Instance, engine| {
        let mut solver = instance.problem().unwrap().solver_on(engine);
        while solver.next_solution().is_some() {}
        solver.statistics().nodes
    };
    for (instance, links, bits, planes) in [
        (queens(9, QueenOrder::OrganPipe), 3_440, 1_652, 1_679),
        (generators::langford(8), 2_789, 1_436, 1_521),
        (generators::latin_squares(4), 4_745, 1_121, 1_121),
        (generators::set_partitions(7), 1_754, 1_231, 1_231),
        (generators::steiner_triple_systems(9), 6_553, 1_408, 1_408),
        (generators::domino_tilings(6, 6), 25_695, 13_455, 13_455),
        (generators::pentominoes_in_rectangle(3, 20), 32_978, 59_188, 59_188),
        (generators::de_bruijn_tori((4, 4), (2, 2)), 2_301, 1_049, 1_021),
        (generators::pipes(4, 4), 2_011, 643, 643),
    ] {
        let found =
            [EngineKind::Links, EngineKind::Bits, EngineKind::Planes].map(|engine| nodes(&instance, engine));
        assert_eq!(found, [links, bits, planes], "{}", instance.name);
    }
}
