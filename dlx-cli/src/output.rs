//! Where results go: standard output or the file of `--output`, buffered, with errors turned into
//! one clear line and a reader that has left into a quiet end.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::input::reason;
use crate::outcome::Failure;

/// How long a finished result may wait in the buffer while the search goes on.
const PATIENCE: Duration = Duration::from_millis(100);

/// The sink for results.
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    name: String,
    terminal: bool,
    flushed: Instant,
    file: Option<File>, // the target again, where it is a file
}

impl Output {
    /// Opens `path`, or standard output where there is none or it is `-`.
    ///
    /// # Errors
    ///
    /// One line that names the file and says why it cannot be written.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if path.as_os_str() != "-" => {
                let name = path.display().to_string();
                File::create(path)
                    .and_then(|file| Self::to_file(file, name.clone()))
                    .map_err(|error| cannot_write(&name, &error))
            }
            _ => {
                let (terminal, name) = (io::stdout().is_terminal(), "standard output".to_owned());
                Ok(Self::new(Box::new(io::stdout()), name, terminal, None))
            }
        }
    }

    /// Opens the file at `path` to go on behind its first `length` bytes; what follows is cut off.
    ///
    /// # Errors
    ///
    /// One line that names the file and says why it cannot be written, or that it is too short.
    pub(crate) fn cut_back(path: &Path, length: u64) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let open = || -> io::Result<(File, u64)> {
            let file = File::options().write(true).open(path)?;
            let found = file.metadata()?.len();
            Ok((file, found))
        };
        let (mut file, found) = open().map_err(|error| cannot_write(&name, &error))?;
        if found < length {
            return Err(Failure::new(format_args!(
                "{name}: has {found} bytes, expected at least the {length} that the checkpoint tells of"
            )));
        }
        file.set_len(length)
            .and_then(|()| file.seek(SeekFrom::Start(length)))
            .and_then(|_| Self::to_file(file, name.clone()))
            .map_err(|error| cannot_write(&name, &error))
    }

    fn to_file(file: File, name: String) -> io::Result<Self> {
        let terminal = file.is_terminal();
        Ok(Self::new(Box::new(file.try_clone()?), name, terminal, Some(file)))
    }

    fn new(target: Box<dyn Write + Send>, name: String, terminal: bool, file: Option<File>) -> Self {
        let writer = BufWriter::with_capacity(1 << 16, target);
        Self { writer, name, terminal, flushed: Instant::now(), file }
    }

    /// Whether results appear on a terminal, where a progress line would be in their way.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether letters may be bold or coloured: on a terminal, unless `NO_COLOR` or the like forbids.
    pub(crate) fn wants_style(&self) -> bool {
        self.terminal && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
    }

    /// Writes `bytes` as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| self.failure(&error))
    }

    /// What `write!` and `writeln!` call.
    pub(crate) fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.writer.write_fmt(text).map_err(|error| self.failure(&error))
    }

    /// Writes one JSON line.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.writer, record).map_err(|error| self.failure(&error.into()))?;
        self.bytes(b"\n")
    }

    /// Hands on what is in the buffer if it has waited long enough; at once to a terminal.
    pub(crate) fn pass_on(&mut self) -> Result<(), Failure> {
        if self.terminal || self.flushed.elapsed() >= PATIENCE { self.finish() } else { Ok(()) }
    }

    /// Hands on what is in the buffer.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.flushed = Instant::now();
        self.writer.flush().map_err(|error| self.failure(&error))
    }

    /// Hands on what is in the buffer, as far as the disk. Returns the length of the file, 0 if it is none.
    pub(crate) fn secure(&mut self) -> Result<u64, Failure> {
        self.finish()?;
        let Some(file) = &mut self.file else { return Ok(0) };
        let length = file.sync_data().and_then(|()| file.stream_position());
        length.map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        cannot_write(&self.name, error)
    }
}

pub(crate) fn cannot_write(name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::Unread,
        _ => Failure::new(format_args!("{name}: cannot write: {}", reason(error))),
    }
}
