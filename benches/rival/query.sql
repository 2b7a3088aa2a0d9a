-- What `recount check --ledger-final` finds, as one query: operations whose number of effects or whose total differs.
copy (
  with called as (
    select operation_id,
           max(cast(payload.amount as decimal(18, 2)) * 100) as wanted_minor,
           bool_or(outcome <> 'rejected') as may_have_acted,
           count(*) as attempts
    from read_json('attempts.jsonl', format = 'newline_delimited',
                   columns = {operation_id: 'VARCHAR', outcome: 'VARCHAR', payload: 'STRUCT(amount VARCHAR)'})
    group by operation_id
  ), landed as (
    select operation_id, count(*) as effects, sum(amount_minor) as total_minor
    from read_json('effects.jsonl', format = 'newline_delimited',
                   columns = {operation_id: 'VARCHAR', amount_minor: 'BIGINT'})
    group by operation_id
  )
  select coalesce(called.operation_id, landed.operation_id) as operation_id,
         coalesce(attempts, 0) as attempts, coalesce(effects, 0) as effects, total_minor, wanted_minor
  from called full join landed using (operation_id)
  where attempts is null
     or coalesce(effects, 0) <> cast(may_have_acted as integer)
     or (may_have_acted and effects = 1 and total_minor <> wanted_minor)
  order by 1
) to 'divergent.csv' (header);
