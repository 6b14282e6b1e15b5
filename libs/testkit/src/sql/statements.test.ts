import { expect, test } from 'vitest'
import { ownStatements } from './statements.ts'

const OTHERS = [
  { file: 'b', statements: ['update "link" set "a" = $1 where "b" = $2', 'select count(*) from one'] },
  { file: 'c', statements: ['select a, b::text from one where a in ($1) order by b'] },
]
const own = (statement: string) => ownStatements([{ file: 'a', statements: [statement] }], OTHERS)

test.each([
  ['it is another file’s', 'select count(*) from one'],
  ['it has other values, and more of them', 'select a, b::text from one where a in ($2, $3, $4) order by b'],
  ['it has other names in quotes', 'update "relay" set "c" = $1, "d" = $2 where "e" = $3'],
  ['it is a part of another file’s', 'select b from one order by b'],
])('behavior: a statement is not a file’s own if %s', (_why, statement) => {
  expect(own(statement)).toEqual([])
})

test.each([
  ['a word', 'update "link" set "a" = $1 where "b" is not distinct from $2'],
  ['an operator', 'select count(*) from one where a <> $1'],
  ['a type', 'select b::jsonb from one'],
  ['a combination', 'select count(*) from one order by b'],
])(
  'behavior: a statement is a file’s own if it has %s that no single other file’s statement has',
  (_what, statement) => {
    expect(own(statement)).toEqual([{ file: 'a', statements: [statement] }])
  },
)
