//! Tests of the judge: the whole table, every worked example, edges, order, and a second evaluator by brute force.

mod build;
mod edges;
mod examples;
mod glance;
mod order;
mod parts;
mod table;
mod worlds;
