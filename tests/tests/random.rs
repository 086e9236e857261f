//! Random problems against the reference solvers.

use dlx_tests::{Entry, Instance, brute};
use proptest::prelude::*;

use crate::support::assert_contract;

/// Up to 8 primary and 4 secondary items, up to 14 options; some of them planted, so that there often is a solution.
pub(crate) fn problems() -> impl Strategy<Value = Instance> {
    let within_bounds = |mut instance: Instance, bounds: Option<Vec<(u32, u32)>>| {
        instance.bounds = bounds.unwrap_or_default();
        instance
    };
    (0..=8_usize, 0..=4_usize).prop_flat_map(move |(primary, secondary)| {
        let option = (uses(primary), colors(secondary));
        let noise = prop::collection::vec(option, 0..=9);
        let planted =
            (prop::collection::vec(0..5_usize, primary), prop::collection::vec(colors(secondary), 5));
        (noise, prop::option::of(planted), any::<prop::sample::Index>(), bounds(primary)).prop_map(
            move |(noise, planted, at, bounds)| {
                within_bounds(instance(primary, secondary, noise, planted, at), bounds)
            },
        )
    })
}

/// None at all for half of the problems, else for each primary item, mostly once.
fn bounds(primary: usize) -> impl Strategy<Value = Option<Vec<(u32, u32)>>> {
    let other = (0..3_u32, 0..3_u32).prop_map(|(least, more)| (least, least + more));
    prop::option::of(prop::collection::vec(prop_oneof![Just((1, 1)), other], primary))
}

/// What an option does with a secondary item: nothing, or contain it, with a color or without.
type Color = Option<Option<char>>;

/// For each primary item whether it is there: about one in four.
fn uses(primary: usize) -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(0.25), primary)
}

/// For each secondary item: mostly absent, else uncolored or one of three colors.
fn colors(secondary: usize) -> impl Strategy<Value = Vec<Color>> {
    let kind = prop_oneof![4 => Just(None), 1 => Just(Some(None)), 3 => (0..3_u8).prop_map(|c| Some(Some((b'a' + c) as char)))];
    prop::collection::vec(kind, secondary)
}

type RandomOption = (Vec<bool>, Vec<Color>);

/// A group for each primary item, and what each group does with the secondary items.
type Planted = (Vec<usize>, Vec<Vec<Color>>);

fn instance(
    primary: usize,
    secondary: usize,
    mut options: Vec<RandomOption>,
    planted: Option<Planted>,
    at: prop::sample::Index,
) -> Instance {
    if let Some((groups, colors)) = planted {
        // A partition of the primary items; whether the colors let it be a solution is left to chance.
        for (group, colors) in colors.into_iter().enumerate() {
            let uses: Vec<bool> = groups.iter().map(|&g| g == group).collect();
            if uses.contains(&true) {
                options.insert(at.index(options.len() + 1), (uses, colors));
            }
        }
    }
    let entries = |(uses, colors): RandomOption| -> Vec<Entry> {
        let there = uses.into_iter().enumerate().filter_map(|(item, used)| used.then_some((item, None)));
        let colored =
            colors.into_iter().zip(primary..).filter_map(|(color, item)| color.map(|color| (item, color)));
        there.chain(colored).collect()
    };
    Instance {
        name: "random".into(),
        primary: (0..primary).map(|item| format!("p{item}")).collect(),
        secondary: (0..secondary).map(|item| format!("s{item}")).collect(),
        bounds: Vec::new(),
        options: options.into_iter().map(entries).collect(),
        known: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn solutions_are_those_of_the_reference(instance in problems()) {
        let expected = brute::all_subsets(&instance);
        prop_assert_eq!(brute::search(&instance), expected.clone());
        assert_contract(&instance.problem().unwrap(), &expected, &instance.to_string());
    }
}
