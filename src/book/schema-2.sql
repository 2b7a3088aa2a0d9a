-- The book, version 2: a disposition keeps an amount of a unit that has no minor units, exact.
ALTER TABLE dispositions ADD COLUMN amount_unit TEXT;
ALTER TABLE dispositions ADD COLUMN amount_decimal TEXT;
UPDATE dispositions SET
  amount_unit = (SELECT json_extract(text, '$.after.disposition.amount.unit') FROM audit WHERE audit.seq = dispositions.seq),
  amount_decimal = (SELECT json_extract(text, '$.after.disposition.amount.decimal') FROM audit WHERE audit.seq = dispositions.seq);
