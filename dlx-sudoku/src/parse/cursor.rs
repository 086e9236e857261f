//! A place in the input, with its line; and where lines end: at LF, CR LF, or CR alone.

use core::ops::Range;
use std::borrow::Cow;

use memchr::memchr2;

use super::{ParseError, ParseErrorKind};

/// How many bytes the line end takes that a text begins with; 0 if it begins with none. CR CR LF, which is left where CR LF
/// was taken for two characters, is one.
pub(super) fn line_end(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\r', b'\n', ..] => 3,
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// How many line ends have their last byte in a range of the text.
pub(super) fn line_ends(text: &[u8], range: Range<usize>) -> usize {
    range.filter(|&at| line_end(&text[at..]) == 1).count()
}

/// A text in which all line ends are LF.
pub(crate) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return text.into();
    }
    let (mut all, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['\r', '\n']) {
        all.push_str(&rest[..at]);
        all.push('\n');
        rest = &rest[at + line_end(&rest.as_bytes()[at..])..];
    }
    (all + rest).into()
}

/// A place in the input. Cheap to copy: looking ahead is to go on with a copy.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) input: &'a [u8],
    /// The offset of the next byte.
    pub(super) position: usize,
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// An offset in this line, and the column there: where the line begins, or further on.
    known: (usize, usize),
}

impl<'a> Cursor<'a> {
    /// The beginning of the input, after a byte order mark.
    pub(super) fn new(input: &'a [u8]) -> Self {
        Self {
            input: input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input),
            position: 0,
            line: 1,
            known: (0, 1),
        }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.input[self.position..]
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.input.get(self.position).copied()
    }

    /// The next character; what is not UTF-8 is shown as the replacement character.
    pub(super) fn peek_char(&self) -> Option<char> {
        let rest = self.rest();
        String::from_utf8_lossy(&rest[..rest.len().min(4)]).chars().next()
    }

    /// Goes over a byte.
    pub(super) fn bump(&mut self) {
        self.advance(1);
        // The last byte of a line end.
        if self.input.get(self.position - 1..).is_some_and(|rest| line_end(rest) == 1) {
            self.line += 1;
            self.known = (self.position, 1);
        }
    }

    /// Goes over bytes of this line.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.position += bytes;
    }

    /// What is left of this line, without its end.
    pub(super) fn rest_of_line(&self) -> &'a [u8] {
        let rest = self.rest();
        let end = memchr2(b'\r', b'\n', rest);
        end.map_or(rest, |end| &rest[..end])
    }

    /// Goes to the line after the first `bytes` of this one.
    pub(super) fn next_line(&mut self, bytes: usize) {
        let end = self.position + bytes;
        let skipped = memchr2(b'\r', b'\n', &self.input[end..]);
        let end = skipped.map_or(self.input.len(), |skipped| end + skipped);
        self.position = end + line_end(&self.input[end..]);
        self.line += 1;
        self.known = (self.position, 1);
    }

    /// The column of an offset in this line, not before the one that is known.
    fn column(&self, position: usize) -> usize {
        let (from, column) = self.known;
        // Every character has one byte that is not a continuation.
        column + self.input[from..position].iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
    }

    /// Counts the columns up to here, so that errors further on need not: otherwise a line of a million bad puzzles
    /// would be counted a million times.
    pub(super) fn note_column(&mut self) {
        self.known = (self.position, self.column(self.position));
    }

    /// An error at an offset in this line.
    pub(super) fn error_at(&self, position: usize, kind: ParseErrorKind) -> ParseError {
        ParseError { line: self.line, column: self.column(position), kind }
    }

    /// An error here.
    pub(super) fn error(&self, kind: ParseErrorKind) -> ParseError {
        self.error_at(self.position, kind)
    }
}
