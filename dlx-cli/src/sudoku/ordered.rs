//! Work that is shared among threads, with what comes of it in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, mpsc};

use dlx_core::CancelToken;
use rayon::ThreadPoolBuilder;

use crate::outcome::Failure;

/// How many jobs for each thread may be begun before the first of them is delivered.
const AHEAD: usize = 16;

/// Hands out jobs one after the other, and takes what they come to in the same order.
pub(super) trait Conductor {
    type Job: Send;
    type Done: Send;

    /// The next job; `None` if there are no more.
    fn next(&mut self) -> Option<Self::Job>;

    /// Takes what a job came to. A break is the end.
    fn deliver(&mut self, done: Self::Done) -> Result<ControlFlow<()>, Failure>;
}

/// Has all jobs done by so many threads (0: one for each core), each by what `begin` returns, of which every thread has its
/// own. What is under way when the end comes is cancelled by the token.
pub(super) fn conduct<C: Conductor, F>(
    conductor: &mut C,
    threads: usize,
    token: &CancelToken,
    begin: impl Fn() -> F + Sync,
) -> Result<(), Failure>
where
    F: FnMut(C::Job) -> C::Done + Send,
{
    let pool = (threads != 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
    let Some(Ok(pool)) = pool else {
        return alone(conductor, begin()); // also where no threads are to be had
    };
    let idle = Mutex::new(Vec::new());
    let (send, receive) = mpsc::channel();
    let one_job = |number: usize, job: C::Job| {
        let waiting = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut one = waiting.unwrap_or_else(&begin);
        let done = one(job);
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(one);
        let _ = send.send((number, done)); // nobody wants it any more after a failure
    };
    let one_job = &one_job;
    pool.in_place_scope(|scope| {
        let ahead = AHEAD * pool.current_num_threads();
        let start = |number, job| scope.spawn(move |_| one_job(number, job));
        let ended = together(conductor, ahead, start, &receive);
        token.cancel(); // what is still under way is not wanted any more
        ended
    })
}

fn alone<C: Conductor>(conductor: &mut C, mut one: impl FnMut(C::Job) -> C::Done) -> Result<(), Failure> {
    while let Some(job) = conductor.next() {
        if conductor.deliver(one(job))?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Starts job after job, at most so many ahead of the one that is waited for, and delivers them in their order.
fn together<C: Conductor>(
    conductor: &mut C,
    ahead: usize,
    start: impl Fn(usize, C::Job),
    done: &mpsc::Receiver<(usize, C::Done)>,
) -> Result<(), Failure> {
    let (mut started, mut delivered) = (0, 0);
    let mut early = BTreeMap::new();
    loop {
        while started < delivered + ahead {
            let Some(job) = conductor.next() else { break };
            start(started, job);
            started += 1;
        }
        if delivered == started {
            return Ok(());
        }
        early.extend(done.recv());
        while let Some(done) = early.remove(&delivered) {
            delivered += 1;
            if conductor.deliver(done)?.is_break() {
                return Ok(());
            }
        }
    }
}
