//! The terminal guard, the input thread, workers and the loop.
