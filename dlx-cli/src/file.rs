//! Files that are whole or not there at all, whatever ends the process in between.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::outcome::Failure;
use crate::output::cannot_write;

/// Writes `bytes` to a file beside `path`, and gives it that name when they have reached the disk.
///
/// # Errors
///
/// One line that names the file and says why it cannot be written. What was there before stays then.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let replaced = || -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut new = builder().tempfile_in(folder)?;
        new.write_all(bytes)?;
        new.as_file().sync_all()?;
        new.persist(path)?;
        // So that the name survives as well. Where a folder cannot be opened as a file, that is not needed.
        File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
    };
    replaced().map_err(|error| cannot_write(&path.display().to_string(), &error))
}

/// Refuses to write to a file that another argument names as well. Arguments come with their names; the first `written` of
/// them are written.
///
/// # Errors
///
/// One line that names both arguments and the file.
pub(crate) fn distinct(written: usize, arguments: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let places: Vec<_> = arguments.iter().map(|(_, path)| path.and_then(place)).collect();
    for (at, (name, path)) in arguments.iter().enumerate().take(written) {
        let other = (at + 1..places.len()).find(|&other| places[at].is_some() && places[other] == places[at]);
        if let Some(((other, _), path)) = other.map(|other| arguments[other]).zip(*path) {
            let path = path.display();
            return Err(Failure::new(format_args!("{path}: {name} and {other} are one file, expected two")));
        }
    }
    Ok(())
}

/// The one path of a file, if it is one or may become one; devices may be named often.
fn place(path: &Path) -> Option<PathBuf> {
    if path.as_os_str() == "-" {
        return None;
    }
    match path.canonicalize() {
        Ok(path) => path.is_file().then_some(path),
        Err(_) => {
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(path.file_name()?))
        }
    }
}

/// Files that may be read by whoever may read others.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dlx-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}
