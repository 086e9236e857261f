//! The neutral form of a problem: names and lists, no engine; and its two ways out, a `Problem` and Knuth's text.

use core::fmt;

use dlx_core::{BuildError, Color, ItemId, Problem, ProblemBuilder};

/// One item of an option: its place among the items (the primary ones first, then the secondary ones) and, on a
/// secondary item only, a color or none.
///
/// A color is one character, so that the text is good for Knuth's programs too.
pub type Entry = (usize, Option<char>);

/// A number of solutions and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// How many solutions there are, symmetric ones counted apart.
    pub count: u128,
    /// An OEIS number, a publication or an argument.
    pub source: &'static str,
}

/// An exact-cover problem as plain lists.
///
/// Its `Display` is Knuth's text format: a line of items, then an option a line.
///
/// ```
/// use dlx_tests::Instance;
///
/// let instance = Instance {
///     name: "two ways".into(),
///     primary: vec!["a".into(), "b".into()],
///     secondary: vec!["s".into()],
///     bounds: vec![(1, 2)],
///     options: vec![vec![(0, None), (2, Some('x'))], vec![(1, None), (2, Some('x'))], vec![(0, None), (1, None)]],
///     known: None,
/// };
/// assert_eq!(instance.to_string(), "1:2|a b | s\na s:x\nb s:x\na b\n");
/// assert_eq!(instance.problem()?.option_count(), 3);
/// # Ok::<(), dlx_core::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What it is called in reports: `queens 8`, `langford 7`.
    pub name: String,
    /// Names of the items that are to be covered, in order: exactly once, or as often as their bounds say.
    pub primary: Vec<String>,
    /// Names of the items that may be covered once, or several times in one color.
    pub secondary: Vec<String>,
    /// How many options of a solution contain each primary item, at least and at most. Items beyond the end of the list
    /// are to be covered once.
    pub bounds: Vec<(u32, u32)>,
    /// The options, each without a repeated item.
    pub options: Vec<Vec<Entry>>,
    /// The number of solutions, where somebody has published or proved it.
    pub known: Option<Known>,
}

impl Instance {
    /// Name of the item at a place, primary items first.
    ///
    /// # Panics
    /// Where the place is beyond the last item.
    #[must_use]
    pub fn item_name(&self, item: usize) -> &str {
        match item.checked_sub(self.primary.len()) {
            None => &self.primary[item],
            Some(place) => &self.secondary[place],
        }
    }

    /// The bounds of a primary item.
    #[must_use]
    pub fn bounds_of(&self, item: usize) -> (u32, u32) {
        self.bounds.get(item).copied().unwrap_or((1, 1))
    }

    /// Does the option contain a primary item? Those without are never chosen.
    ///
    /// # Panics
    /// Where there is no such option.
    #[must_use]
    pub fn has_primary(&self, option: usize) -> bool {
        self.options[option].iter().any(|&(item, _)| item < self.primary.len())
    }

    /// The same problem for the engine; option `i` here has the id `i` there.
    ///
    /// # Errors
    /// Those of [`ProblemBuilder`]: a repeated name, a repeated item in an option, a color on a primary item.
    pub fn problem(&self) -> Result<Problem, BuildError> {
        let mut builder = ProblemBuilder::new();
        let mut items = Vec::with_capacity(self.primary.len() + self.secondary.len());
        for (place, name) in self.primary.iter().enumerate() {
            let item = builder.primary(name)?;
            let (least, most) = self.bounds_of(place);
            builder.set_bounds(item, least..=most)?;
            items.push(item);
        }
        for name in &self.secondary {
            items.push(builder.secondary(name)?);
        }
        let mut entries: Vec<(ItemId, Option<Color>)> = Vec::new();
        for option in &self.options {
            entries.clear();
            for &(item, color) in option {
                let color = match color {
                    None => None,
                    Some(letter) => Some(builder.color(letter.encode_utf8(&mut [0; 4]))?),
                };
                entries.push((items[item], color));
            }
            builder.option(entries.iter().copied())?;
        }
        builder.build()
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bar = (!self.secondary.is_empty()).then_some("|");
        let names = self
            .primary
            .iter()
            .enumerate()
            .map(|(item, name)| match self.bounds_of(item) {
                (1, 1) => name.clone(),
                (least, most) if least == most => format!("{most}|{name}"),
                (least, most) => format!("{least}:{most}|{name}"),
            })
            .chain(bar.map(str::to_owned))
            .chain(self.secondary.iter().cloned());
        write_line(f, names)?;
        for option in &self.options {
            write_line(f, option.iter().map(|&(item, color)| Use { name: self.item_name(item), color }))?;
        }
        Ok(())
    }
}

/// `name` or `name:color`.
struct Use<'a> {
    name: &'a str,
    color: Option<char>,
}

impl fmt::Display for Use<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.color {
            None => f.write_str(self.name),
            Some(color) => write!(f, "{}:{color}", self.name),
        }
    }
}

fn write_line<D: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    mut words: impl Iterator<Item = D>,
) -> fmt::Result {
    if let Some(first) = words.next() {
        write!(f, "{first}")?;
    }
    words.try_for_each(|word| write!(f, " {word}"))?;
    f.write_str("\n")
}
