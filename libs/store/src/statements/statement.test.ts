import type { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { inOrder, noStatement, SqlText, type Statement, statement, textStatement } from './statement.ts'

/** Everything that a statement sends before anything is answered, and the answer. */
async function run<Answer>(asked: Statement<Answer>) {
  const queries: CompiledQuery[] = []
  const executeQuery = async (query: CompiledQuery) => {
    queries.push(query)
    return { rows: [query.sql] }
  }
  const answer = asked.execute({ executeQuery } as never)
  const all = queries.map(({ sql, parameters }) => [sql, ...parameters])
  return { all, answer: await answer }
}

/** What a statement sends. */
const sent = async (asked: Statement<unknown>) => (await run(asked)).all[0]

test('default: values become parameters in their order, whatever they are', async () => {
  const at = new Date(0)
  expect(await sent(statement`select ${1} from a where b = any(${['x']}::text[]) and c > ${at}`)).toEqual([
    ...['select $1 from a where b = any($2::text[]) and c > $3', 1, ['x'], at],
  ])
  expect(await sent(statement`select 1`)).toEqual(['select 1'])
})

test('behavior: a constant piece is part of the text', async () => {
  const states = new SqlText(`'signed', 'broadcast'`)
  const busy = (network: string, limit: number) =>
    statement`select 1 where n = ${network} and state in (${states}) limit ${limit}`
  const text = `select 1 where n = $1 and state in ('signed', 'broadcast') limit $2`
  expect(await sent(busy('a', 3))).toEqual([text, 'a', 3])
  expect(await sent(busy('b', 4))).toEqual([text, 'b', 4])
})

test('behavior: a place has one text, so it is one prepared statement', async () => {
  const one = (value: number) => statement`select ${value}`
  const [first] = (await sent(one(1))) ?? []
  const [again] = (await sent(one(2))) ?? []
  expect(Object.is(first, again)).toBe(true)
})

test('error: a piece that changes from call to call', () => {
  const from = (table: string) => statement`select 1 from ${new SqlText(table)} where a = ${1}`
  from('one')
  expect(() => from('two')).toThrow('not always the same: select 1 from one where a = $1')
  const where = (limit: unknown) => statement`select 1 limit ${limit}`
  where(1)
  expect(() => where(new SqlText('all'))).toThrow('not always the same: select 1 limit $1')
})

test('behavior: a kept text is sent as it is', async () => {
  expect(await sent(textStatement('select $1', ['x']))).toEqual(['select $1', 'x'])
})

test('behavior: an answer is read as its statement says', async () => {
  const count = statement<string>`select 1`.as(({ rows }) => rows.length).as((rows) => rows + 1)
  expect(await run(count)).toEqual({ all: [['select 1']], answer: 2 })
})

test('behavior: several are sent in their order before any is answered, and answer in their order', async () => {
  const textOf = (asked: Statement<{ rows: unknown[] }>) => asked.as(({ rows }) => rows[0])
  const nested = inOrder([textOf(statement`select 2`), noStatement('nothing')])
  const all = inOrder([textOf(statement`select 1`), nested, textOf(statement`select 3`)])
  expect(await run(all)).toEqual({
    all: [['select 1'], ['select 2'], ['select 3']],
    answer: ['select 1', ['select 2', 'nothing'], 'select 3'],
  })
})
