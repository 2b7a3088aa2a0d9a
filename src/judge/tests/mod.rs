//! Tests of the judge: the whole table, every worked example, edges, order, and a second evaluator by brute force.

mod amounts;
mod assumptions;
mod build;
mod edges;
mod examples;
mod glance;
mod order;
mod plain;
mod sources;
mod table;
mod worlds;
