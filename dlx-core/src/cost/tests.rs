//! Brute force over small problems.
