//! What several threads share, where there are threads.

#[cfg(not(feature = "parallel"))]
use core::cell::{RefCell, RefMut};
#[cfg(feature = "parallel")]
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A value that one has at a time.
pub(super) struct Lock<T> {
    #[cfg(feature = "parallel")]
    value: Mutex<T>,
    #[cfg(not(feature = "parallel"))]
    value: RefCell<T>,
}

#[cfg(feature = "parallel")]
pub(super) type Guard<'a, T> = MutexGuard<'a, T>;
#[cfg(not(feature = "parallel"))]
pub(super) type Guard<'a, T> = RefMut<'a, T>;

#[cfg(feature = "parallel")]
impl<T> Lock<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { value: Mutex::new(value) }
    }

    /// Waits for the value.
    pub(super) fn take(&self) -> Guard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` if another one has it.
    pub(super) fn try_take(&self) -> Option<Guard<'_, T>> {
        match self.value.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub(super) fn into_inner(self) -> T {
        self.value.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(not(feature = "parallel"))]
impl<T> Lock<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { value: RefCell::new(value) }
    }

    /// Without threads, nobody else has it.
    pub(super) fn take(&self) -> Guard<'_, T> {
        self.value.borrow_mut()
    }

    pub(super) fn try_take(&self) -> Option<Guard<'_, T>> {
        self.value.try_borrow_mut().ok()
    }

    pub(super) fn into_inner(self) -> T {
        self.value.into_inner()
    }
}
