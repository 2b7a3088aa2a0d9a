//! Hand-made views.
