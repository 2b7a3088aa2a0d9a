--
-- PostgreSQL database dump
--

SET client_encoding = 'UTF8';
COPY public.people (id, name) FROM stdin;
1	Ann
\.

COPY public.refunds (id, order_id, amount_cents, currency, status, note, created_at) FROM stdin;
rf_70	2290	31000	USD	completed	a\tb	2026-10-05 14:00:01.25+00
rf_81	7341	6120	USD	completed	\N	2026-10-05 14:01:01+00
rf_82	7341	6120	USD	completed	\N	2026-10-05 16:01:10+02
\.
