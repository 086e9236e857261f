//! What the engines are tested and measured with: problems whose answers are known, and code that finds the
//! answers without an engine.
//!
//! - [`generators`]: families of exact-cover problems with published counts,
//! - [`small`]: every small problem, up to symmetry,
//! - [`brute`]: two reference solvers that follow the definition and share nothing with `dlx-core`,
//! - [`corpus`]: the instances of a folder `shared` beside the project, where there is one.
//!
//! All of them speak of an [`Instance`], which knows nothing about engines; it turns into a
//! [`dlx_core::Problem`] or into the text of Knuth's programs.
//!
//! ```
//! use dlx_tests::{brute, generators};
//!
//! let instance = generators::langford(3);
//! assert_eq!(brute::search(&instance).len(), 2); // 3 1 2 1 3 2 and its reversal
//! ```

pub mod brute;
pub mod corpus;
pub mod generators;
mod instance;
pub mod small;

pub use instance::{Entry, Instance, Known};
