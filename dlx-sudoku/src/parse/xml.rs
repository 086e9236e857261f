//! OpenSudoku files: XML with an element for each game, whose attribute `data` has the cells.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::cursor::Cursor;
use super::{Item, ParseErrorKind, Record};
use crate::puzzle::Notes;
use crate::{Digit, Geometry, Grid, Puzzle};

/// Whether an input is XML.
pub(super) fn is_xml(input: &[u8]) -> bool {
    input.trim_ascii_start().starts_with(b"<")
}

/// The games of a file.
pub(super) struct Games<'a> {
    reader: Reader<&'a [u8]>,
    cursor: Cursor<'a>,
    shape: Option<Geometry>,
    depth: usize, // how many elements are open
    ended: bool,
}

impl<'a> Games<'a> {
    pub(super) fn new(cursor: Cursor<'a>, shape: Option<Geometry>) -> Self {
        Self { reader: Reader::from_reader(cursor.rest()), cursor, shape, depth: 0, ended: false }
    }

    /// The puzzle of the next game.
    pub(super) fn next_item(&mut self) -> Option<Item> {
        while !self.ended {
            let place = self.reader.buffer_position() as usize;
            let event = self.reader.read_event();
            match &event {
                Ok(Event::Start(_)) => self.depth += 1,
                Ok(Event::End(_)) => self.depth -= 1, // the reader sees to it that ends have a start
                _ => {}
            }
            match event {
                Ok(Event::Start(element) | Event::Empty(element)) if element.name().as_ref() == "game" => {
                    self.go_to(place);
                    return Some(self.game(&element));
                }
                Ok(Event::Text(_)) if self.depth == 0 && self.is_other_text(place) => {
                    self.ended = true;
                    self.go_to(place);
                }
                Ok(Event::Eof) => {
                    self.ended = true;
                    if self.depth > 0 {
                        self.go_to(place);
                        let what = "the input ends within an element".to_owned();
                        return Some(Err(self.cursor.error(ParseErrorKind::Xml(what))));
                    }
                    self.go_to(self.cursor.input.len());
                }
                Ok(_) => {}
                Err(error) => {
                    self.ended = true;
                    self.go_to(self.reader.error_position() as usize);
                    let error = self.cursor.error(ParseErrorKind::Xml(error.to_string()));
                    self.go_to(self.cursor.input.len()); // what follows is not in another form
                    return Some(Err(error));
                }
            }
        }
        None
    }

    /// Whether there is more than blanks at an offset, before the next element.
    fn is_other_text(&self, place: usize) -> bool {
        let rest = self.cursor.input.get(place..).unwrap_or_default().trim_ascii_start();
        !rest.is_empty() && !rest.starts_with(b"<")
    }

    /// Where the document ended: what is behind it is in another form.
    pub(super) fn end(&self) -> Cursor<'a> {
        self.cursor
    }

    /// Goes on to an offset.
    fn go_to(&mut self, place: usize) {
        while self.cursor.position < place.min(self.cursor.input.len()) {
            self.cursor.bump();
        }
    }

    fn game(&self, element: &BytesStart<'_>) -> Item {
        let error = |kind| self.cursor.error(kind);
        let mut data = None;
        let mut notes = None;
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|wrong| error(ParseErrorKind::Xml(wrong.to_string())))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|wrong| error(ParseErrorKind::Xml(wrong.to_string())))?;
            match attribute.key.as_ref() {
                "data" => data = Some(value.into_owned()),
                "note" if !value.is_empty() => {
                    notes = Some(Box::new(Notes { comment: Some(value.into_owned()), ..Notes::default() }));
                }
                _ => {}
            }
        }
        let data = data.ok_or_else(|| error(ParseErrorKind::NoPuzzle))?;
        let mut puzzle = match data.trim_start().strip_prefix("version:") {
            Some(saved) => saved_game(saved).map_err(error)?,
            None => super::only_of(data.as_bytes(), self.shape).map_err(|wrong| error(wrong.kind))?.puzzle,
        };
        puzzle.notes = notes;
        Ok(Record { line: self.cursor.line, puzzle })
    }
}

/// A game that has been played: for each cell its digit, its notes (in two fields from version 4 on), and whether it may
/// be changed. The cells that may not are the givens.
fn saved_game(text: &str) -> Result<Puzzle, ParseErrorKind> {
    let cells = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let fields: Vec<_> = cells.split('|').map(str::trim).filter(|field| !field.is_empty()).collect();
    let geometry = Geometry::CLASSIC;
    let count = geometry.cell_count();
    let each = fields.len() / count;
    if fields.len() != each * count || !matches!(each, 3 | 4) {
        return Err(ParseErrorKind::CellCount { found: fields.len() / 3, expected: count });
    }
    let mut grid = Grid::empty(geometry);
    for (cell, fields) in geometry.cells().zip(fields.chunks(each)) {
        let digit = fields[0].parse::<u8>().ok().filter(|&digit| digit <= 9);
        let digit = digit.ok_or(ParseErrorKind::Groups)?;
        if fields[each - 1] == "0" {
            grid.set(cell, Digit::new(digit));
        }
    }
    Ok(Puzzle::from(grid))
}
