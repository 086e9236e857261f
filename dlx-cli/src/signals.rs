//! Ctrl-C and termination: the first signal stops a running search at its next node so that what is
//! known can still be printed; the second one, or one that comes while no search runs, ends the
//! process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use dlx_core::CancelToken;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// How often the watcher looks whether a signal has come.
const WATCH: Duration = Duration::from_millis(10);

/// The signals that have come so far.
pub(crate) struct Signals {
    /// The last signal's number, 0 before the first.
    received: Arc<AtomicUsize>,
    /// Whether the next signal ends the process from within its handler.
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Starts to listen. Until [`Signals::search`] a signal ends the process at once, for nothing
    /// is known yet that could be printed.
    ///
    /// Where the system refuses a handler the signal keeps its default action, which ends the
    /// process as well.
    pub(crate) fn listen() -> Self {
        let received = Arc::new(AtomicUsize::new(0));
        let at_once = Arc::new(AtomicBool::new(true));
        for signal in [SIGINT, SIGTERM] {
            // The order matters: a signal must be judged by what the ones before it have set.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&at_once))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&received), signal as usize))
                .and_then(|_| flag::register(signal, Arc::clone(&at_once)));
        }
        Self { received, at_once }
    }

    /// The token for the searches from here on: the first signal cancels it.
    pub(crate) fn search(&self) -> CancelToken {
        let token = CancelToken::new();
        let (received, watched) = (Arc::clone(&self.received), token.clone());
        // A signal handler may only set flags, and only a thread can carry the flag to the token.
        thread::spawn(move || {
            while received.load(Ordering::Relaxed) == 0 {
                thread::sleep(WATCH);
            }
            watched.cancel();
        });
        self.at_once.store(false, Ordering::SeqCst);
        token
    }

    /// The number of the signal that came, if any.
    pub(crate) fn received(&self) -> Option<u8> {
        u8::try_from(self.received.load(Ordering::SeqCst)).ok().filter(|&number| number != 0)
    }
}
