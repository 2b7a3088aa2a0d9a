//! Ledgers: what the business system committed. One file per kind, all giving effects and what their read position
//! needs. Our own forms, databases and generic rows stand by themselves; the exports of other systems are the rows of
//! [`table`], one file each.

mod adyen;
mod blnk;
mod cloudtrail;
mod cur;
pub mod experiment;
mod formance;
pub mod generic;
#[cfg(feature = "mysql")]
pub mod mysql;
mod paypal;
pub mod pg_copy;
mod plain_text;
#[cfg(feature = "postgres")]
pub mod postgres;
mod psql;
pub mod rows;
mod sendgrid;
pub mod server;
mod ses;
pub mod sqlite;
mod stripe;
mod stripe_csv;
mod stripe_events;
mod stripe_list;
pub mod table;
mod tigerbeetle;
mod words;
