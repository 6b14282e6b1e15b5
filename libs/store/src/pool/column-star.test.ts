import { expect, test } from 'vitest'
import { hasColumnStar } from './column-star.ts'

test.each([
  'select * from payment where key = $1',
  'SELECT\n  *\nFROM payment',
  'select distinct * from payment',
  'select *, 1 from payment',
  'select key, * from payment',
  'select payment.* from payment',
  'select "payment".*, kept.url from payment',
  'select distinct on (url) * from payment',
  'insert into payment (key) values ($1) returning *',
  'insert into payment (key) values ($1) returning *;',
  'with one as (delete from payment returning *) select key from one',
  'insert into leg (key) select * from json_to_recordset($1) as leg (key text)',
  'select $1, one.* from unnest($2::text[]) as one',
  'select now() + 5 * interval $1, payment.* from payment',
])('asks for all columns: %s', (text) => {
  expect(hasColumnStar(text)).toBe(true)
})

test.each([
  'select count(*) from payment',
  'select count( * ) filter (where kind = $1) from payment',
  "select now() + 5000 * interval '1 millisecond' from payment where key = $1",
  'select $1::timestamptz - $2 * interval $3',
  'select (amount + fee) * 2 from payment where key = $1',
  'select amount*$1 from payment',
  'select 2 * -amount from payment where key = $1',
  'select (extract(epoch from at) * 1000)::bigint from payment where key = $1',
  'select price * (case when $1 then 1 else 2 end) from payment',
  'select key from payment where key = $1',
])('does not ask for all columns: %s', (text) => {
  expect(hasColumnStar(text)).toBe(false)
})
