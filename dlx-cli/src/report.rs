//! What goes to standard error: messages, the summary, statistics, and the progress line, which
//! appears on a terminal only, after the first second, and erases itself.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::outcome::{Exit, Failure};

/// Runs shorter than this show no progress.
const QUIET_START: Duration = Duration::from_secs(1);
/// The time between two drawings of the progress line.
const REDRAW: Duration = Duration::from_millis(100);

/// The writer of standard error. Nothing here fails: whoever closes it wants no messages.
pub(crate) struct Report {
    terminal: bool,
    drawn: bool,
    started: Instant,
    next: Instant,
}

impl Report {
    pub(crate) fn new() -> Self {
        let started = Instant::now();
        Self { terminal: io::stderr().is_terminal(), drawn: false, started, next: started + QUIET_START }
    }

    /// `dlx: ` and the message, on a line of its own.
    pub(crate) fn message(&mut self, message: impl Display) {
        self.line(format_args!("dlx: {message}"));
    }

    /// One line without the command's name before it: the summary, a statistic.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.erase();
        let _ = writeln!(io::stderr().lock(), "{line}");
    }

    /// Tells why the run failed and says with what exit code it ends.
    pub(crate) fn failure(&mut self, failure: &Failure) -> Exit {
        match failure {
            Failure::Message(message) => {
                self.message(message);
                Exit::Fault
            }
            Failure::Unread => {
                self.erase();
                Exit::Unread
            }
        }
    }

    /// Shows `text` of the elapsed time as the progress line, if it is time to draw it.
    pub(crate) fn progress<T: Display>(&mut self, text: impl FnOnce(Duration) -> T) {
        if !self.terminal {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + REDRAW;
        let width =
            terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        // One column stays free: a full line would wrap on some terminals.
        let text: String =
            text(now - self.started).to_string().chars().take(width.saturating_sub(1)).collect();
        let _ = write!(io::stderr().lock(), "\r\x1b[K{text}");
        self.drawn = true;
    }

    /// Removes the progress line before something else is written to the terminal.
    pub(crate) fn erase(&mut self) {
        if self.drawn {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
            self.drawn = false;
        }
    }
}

/// A whole number with its digits in threes: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many a second, as a grouped whole number.
pub(crate) fn rate(number: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1e-9); // a clock may stand still for a moment
    grouped((number as f64 / seconds).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_threes() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (49_158, "49,158"), (1_234_567, "1,234,567")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn rates_are_rounded_and_never_divide_by_nothing() {
        assert_eq!(rate(3, Duration::from_secs(2)), "2");
        assert_eq!(rate(49_158, Duration::from_millis(500)), "98,316");
        assert_eq!(rate(0, Duration::ZERO), "0");
    }
}
