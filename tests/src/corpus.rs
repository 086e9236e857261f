//! Finds the folder `shared` beside the project and reads the list of its instances.
//!
//! A clone need not have that folder: everything here answers `None` then, and a test says that it skipped.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The kinds of problems in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Primary items only (`xc`).
    Xc,
    /// With secondary items, uncolored (`xc-sec`).
    XcSecondary,
    /// With colors (`xcc`).
    Xcc,
    /// With multiplicity bounds (`mcc`).
    Mcc,
    /// With costs; the answer is that of the cheapest cover (`cost`).
    Cost,
}

impl Kind {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "xc" => Some(Self::Xc),
            "xc-sec" => Some(Self::XcSecondary),
            "xcc" => Some(Self::Xcc),
            "mcc" => Some(Self::Mcc),
            "cost" => Some(Self::Cost),
            _ => None,
        }
    }
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The problem's text, a file.
    pub path: PathBuf,
    /// What it needs of an engine.
    pub kind: Kind,
    /// Number of primary items.
    pub primary: usize,
    /// Number of secondary items.
    pub secondary: usize,
    /// Number of options.
    pub options: usize,
    /// The answer: a count in decimal, or `opt=` and the cost of the cheapest cover.
    pub expected: String,
    /// Where the answer comes from.
    pub source: String,
}

impl Listed {
    /// The file's name, for reports.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn parse(line: &str, folder: &Path) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut field = || fields.next();
        Some(Self {
            path: folder.join(field()?),
            kind: Kind::from_word(field()?)?,
            primary: field()?.parse().ok()?,
            secondary: field()?.parse().ok()?,
            options: field()?.parse().ok()?,
            expected: field()?.to_owned(),
            source: field()?.to_owned(),
        })
    }
}

/// A file or folder of `shared`, by its path there; `None` where this clone has none.
///
/// ```
/// use dlx_tests::corpus;
///
/// assert_eq!(corpus::shared("no/such/file"), None);
/// ```
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).join(path);
    found.exists().then_some(found)
}

/// The listed instances; `None` where this clone has none.
///
/// # Errors
/// Where the list cannot be read, or a line of it is not of its seven columns; the message names the line.
pub fn instances() -> io::Result<Option<Vec<Listed>>> {
    let Some(folder) = shared("data/instances") else { return Ok(None) };
    let text = fs::read_to_string(folder.join("manifest.tsv"))?;
    let lines = text.lines().skip(1); // the first holds the column names
    let parse = |line: &str| {
        Listed::parse(line, &folder)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, line.to_owned()))
    };
    lines.map(parse).collect::<io::Result<Vec<_>>>().map(Some)
}
