//! One file per kind of situation, each as a case of a few lines.
#![allow(clippy::cloned_ref_to_slice_refs)]

mod currency;
mod expectations;
mod finding;
mod grouping;
mod halves;
mod ids;
mod ledgers;
mod lineage;
mod meanings;
mod orders;
mod receipts;
mod repeats;
mod reversals;
mod times;
mod words;
