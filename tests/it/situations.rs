//! One file per kind of situation, each as a case of a few lines.
#![allow(clippy::cloned_ref_to_slice_refs)]

mod complete;
mod currency;
mod cut;
mod derived;
mod expectations;
mod finding;
mod grouping;
mod halves;
mod ids;
mod keys;
mod kinds;
mod ledgers;
mod lineage;
mod many;
mod meanings;
mod orders;
mod receipts;
mod repeats;
mod reversals;
mod shuffled;
mod times;
mod words;
