//! How the digits of a grid are written: the alphabets that are in use, and which one a text is in.

use core::fmt;

use crate::{Digit, Geometry};

/// How digits are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// 1 to 9, then the letters A to Z for 10 to 35, a to z for 36 to 61, and @ $ % for 62 to 64.
    #[default]
    Symbols,
    /// A for 1, B for 2, up to Z for 26.
    Letters,
    /// 0 for 1, 1 for 2 and so on, A for 11, as in hexadecimal sudoku.
    FromZero,
    /// Numbers from 1.
    Numbers,
    /// Numbers from 0.
    NumbersFromZero,
}

impl Alphabet {
    /// A digit as this alphabet has it. Of [`Letters`](Self::Letters), digits above 26 are written as
    /// [`Symbols`](Self::Symbols) are.
    ///
    /// ```
    /// use dlx_sudoku::{Alphabet, Digit};
    ///
    /// let ten = Digit::new(10).into_iter();
    /// let written: Vec<_> = ten.flat_map(|ten| {
    ///     [Alphabet::Symbols, Alphabet::Letters, Alphabet::FromZero, Alphabet::Numbers].map(|all| all.written(ten).to_string())
    /// }).collect();
    /// assert_eq!(written, ["A", "J", "9", "10"]);
    /// ```
    pub fn written(self, digit: Digit) -> impl fmt::Display {
        struct Written(Alphabet, Digit);
        impl fmt::Display for Written {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self(alphabet, digit) = *self;
                let symbol = match alphabet {
                    Alphabet::Numbers => return fmt::Display::fmt(&digit.get(), f),
                    Alphabet::NumbersFromZero => return fmt::Display::fmt(&digit.index(), f),
                    Alphabet::Letters if digit.index() < 26 => char::from(b'A' + digit.index() as u8),
                    Alphabet::FromZero => Digit::new(digit.get() - 1).map_or('0', Digit::symbol),
                    Alphabet::Symbols | Alphabet::Letters => digit.symbol(),
                };
                fmt::Display::fmt(&symbol, f)
            }
        }
        Written(self, digit)
    }

    /// The most characters that a digit of this shape takes.
    pub(crate) fn width(self, geometry: Geometry) -> usize {
        let largest = match self {
            Self::Symbols | Self::Letters | Self::FromZero => return 1,
            Self::Numbers => geometry.size(),
            Self::NumbersFromZero => geometry.size() - 1,
        };
        if largest > 9 { 2 } else { 1 }
    }
}

/// Whether a character is a blank whatever the alphabet.
pub(crate) fn is_blank(character: u8) -> bool {
    matches!(character, b'.' | b'_' | b'*' | b'-' | b'?')
}

/// Whether a character may be a digit or a blank in some alphabet.
pub(crate) fn is_symbol(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '*' | '-' | '?' | '@' | '$' | '%')
}

/// The value of a character among [`Alphabet::Symbols`], 0 for `0`; `None` for a blank. Small letters stand for capital
/// ones if they are `folded`.
pub(crate) fn value(character: u8, folded: bool) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'A'..=b'Z' => Some(character - b'A' + 10),
        b'a'..=b'z' if folded => Some(character - b'a' + 10),
        b'a'..=b'z' => Some(character - b'a' + 36),
        b'@' => Some(62),
        b'$' => Some(63),
        b'%' => Some(64),
        _ => None,
    }
}

/// What characters a grid of one character a cell has, as far as its alphabet depends on them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Survey {
    /// 1 to 9.
    digits: bool,
    zeros: usize,
    /// The letters, the first one as the lowest bit.
    capitals: u32,
    smalls: u32,
    /// `@`, `$`, `%`: the largest value of them, or 0.
    marks: u8,
    /// There are blanks other than `0`, `x` and `X`.
    blanks: bool,
}

/// The letter x, which may be a blank.
const X: u32 = 1 << (b'X' - b'A');

/// How to read the characters of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) alphabet: Alphabet,
    /// Small letters stand for capital ones.
    folded: bool,
    /// `x` or `X` are blanks.
    blank_x: [bool; 2],
    size: u8,
}

/// Why no alphabet will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAlphabet {
    /// Zeros and other blanks, and the last digit: the zeros are neither digits nor the blanks.
    Zeros,
}

impl Survey {
    /// Surveys the characters of a grid.
    pub(crate) fn of(characters: impl Iterator<Item = u8>) -> Self {
        let mut survey = Self::default();
        for character in characters {
            match character {
                b'0' => survey.zeros += 1,
                b'1'..=b'9' => survey.digits = true,
                b'A'..=b'Z' => survey.capitals |= 1 << (character - b'A'),
                b'a'..=b'z' => survey.smalls |= 1 << (character - b'a'),
                b'@' | b'$' | b'%' => survey.marks = survey.marks.max(value(character, false).unwrap_or(0)),
                _ => survey.blanks = true,
            }
        }
        survey
    }

    /// How many zeros there are, if they may be digits of a full grid: if there is no other blank.
    pub(crate) fn zeros_of_full(self, size: usize) -> usize {
        let blank_x = size < 34 && (self.capitals | self.smalls) & X != 0;
        if self.blanks || blank_x { 0 } else { self.zeros }
    }

    /// The way to read the characters. `full_from_zero`: every row has one zero, and no other blank.
    ///
    /// A proper puzzle has all digits but one, which is why a grid of letters alone is in [`Alphabet::Letters`]. Zeros
    /// are digits if there are other blanks, and blanks if there are none.
    pub(crate) fn key(self, size: usize, full_from_zero: bool) -> Result<Key, NoAlphabet> {
        let folded = size <= 35 || self.capitals & !X == 0;
        // Among letters of the other case, an x is a blank.
        let mut blank_x = [
            self.smalls & !X == 0 && self.capitals & !X != 0,
            self.capitals & !X == 0 && self.smalls & !X != 0,
        ];
        let alphabet = self.alphabet(size, folded, blank_x, full_from_zero)?;
        let of_x = 10 + u8::try_from(X.trailing_zeros()).unwrap_or(0);
        let last = match alphabet {
            Alphabet::Letters => size + 9,
            Alphabet::FromZero => size - 1,
            _ => size,
        };
        if usize::from(of_x) > last {
            blank_x = [true; 2];
        }
        Ok(Key { alphabet, folded, blank_x, size: size as u8 })
    }

    fn alphabet(
        self,
        size: usize,
        folded: bool,
        blank_x: [bool; 2],
        full_from_zero: bool,
    ) -> Result<Alphabet, NoAlphabet> {
        let smalls = if blank_x[0] { self.smalls & !X } else { self.smalls };
        let capitals = if blank_x[1] { self.capitals & !X } else { self.capitals };
        let letters = smalls | capitals;
        // With so few digits x is no letter, in no alphabet.
        let letters = if size < 24 { letters & !X } else { letters };
        if letters != 0 && !self.digits && self.marks == 0 && size <= 26 {
            return Ok(Alphabet::Letters);
        }
        if size <= 9 {
            return Ok(Alphabet::Symbols);
        }
        let top = |letters: u32| (u32::BITS - letters.leading_zeros()) as u8;
        let from = |letters: u32, first: u8| if letters == 0 { 0 } else { first + top(letters) - 1 };
        let small = if folded { 10 } else { 36 };
        let largest = from(capitals, 10).max(from(smalls, small)).max(self.marks);
        let largest = if size < 33 { from(letters, 10).max(self.marks) } else { largest };
        let others = self.blanks || (self.smalls | self.capitals) & X & !letters != 0;
        match (self.zeros > 0, usize::from(largest) >= size) {
            (true, false) if others || full_from_zero => Ok(Alphabet::FromZero),
            (true, true) if others && usize::from(largest) == size => Err(NoAlphabet::Zeros),
            _ => Ok(Alphabet::Symbols),
        }
    }
}

impl Key {
    /// The digit of a character, `Some(None)` for a blank; `None` if it is neither.
    pub(crate) fn cell(self, character: u8) -> Option<Option<Digit>> {
        if is_blank(character) || character == b'x' && self.blank_x[0] || character == b'X' && self.blank_x[1]
        {
            return Some(None);
        }
        let value = value(character, self.folded)?;
        let number = match self.alphabet {
            Alphabet::FromZero => value + 1,
            _ if value == 0 => return Some(None),
            Alphabet::Letters => value.checked_sub(9).filter(|&number| number > 0)?,
            _ => value,
        };
        (number <= self.size).then(|| Digit::new(number))
    }
}
