import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../src/database.ts'
import { type CommitWith, pipelined } from '../src/statements/pipelined.ts'
import { inOrder, statement } from '../src/statements/statement.ts'

let database: TestDatabase
let opened: Database<{ note: { text: string } }>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  opened = openDatabase({ url: database.url, schema: 'public', maxConnections: 2, onError: () => {} })
  await sql`create table note (text text primary key)`.execute(opened.db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})
beforeEach(() => sql`truncate note`.execute(opened.db))

const notes = async () =>
  (await opened.db.selectFrom('note').select('text').orderBy('text').execute()).map(({ text }) => text)

describe('a pipelined transaction', () => {
  test('commits its parallel and later statements together, and returns the result of its work', async () => {
    const answer = await pipelined(opened.db, async (tx) => {
      await Promise.all(['a', 'b', 'c'].map((text) => tx.insertInto('note').values({ text }).execute()))
      return tx.selectFrom('note').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
    })
    expect(answer).toEqual({ count: 3 })
    expect(await notes()).toEqual(['a', 'b', 'c'])
  })

  test('shows nothing outside before it commits', async () => {
    await pipelined(opened.db, async (tx) => {
      await tx.insertInto('note').values({ text: 'a' }).execute()
      expect(await notes()).toEqual([])
    })
    expect(await notes()).toEqual(['a'])
  })

  test('error: reports the statement that failed, and keeps nothing of its siblings', async () => {
    const work = pipelined(opened.db, (tx) =>
      Promise.all(['a', 'a', 'b'].map((text) => tx.insertInto('note').values({ text }).execute())),
    )
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([])
  })

  test('error: reports a failure of the work itself; the connection serves the next transaction', async () => {
    const broken = pipelined(opened.db, async (tx) => {
      await tx.insertInto('note').values({ text: 'a' }).execute()
      throw new Error('changed its mind')
    })
    await expect(broken).rejects.toThrow('changed its mind')
    await pipelined(opened.db, (tx) => tx.insertInto('note').values({ text: 'b' }).execute())
    expect(await notes()).toEqual(['b'])
  })

  test('error: a part that continues after another has failed writes nothing', async () => {
    const failed = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<unknown>()
    const work = pipelined(opened.db, (tx) =>
      Promise.all([
        Promise.reject(new Error('changed its mind')),
        failed.promise.then(() => {
          const late = tx.insertInto('note').values({ text: 'late' }).execute()
          goesOn.resolve(late.catch((error: unknown) => error))
        }),
      ]),
    )
    await expect(work).rejects.toThrow('changed its mind')
    failed.resolve()
    expect(await goesOn.promise).toMatchObject({ message: expect.stringContaining('after the end') })
    expect(await notes()).toEqual([])
  })

  test('error: a statement failure that the work swallows prevents the commit', async () => {
    const hiding = pipelined(opened.db, async (tx) => {
      await tx.insertInto('note').values({ text: 'a' }).execute()
      await sql`select 1 / 0`.execute(tx).catch(() => {})
    })
    await expect(hiding).rejects.toThrow('failed statement')
    expect(await notes()).toEqual([])
  })
})

const adding = (text: string) => statement`insert into note (text) values (${text})`
const counting = statement<{ count: string }>`select count(*) as count from note`.as(({ rows }) =>
  Number(rows[0]?.count),
)

describe('statements in order', () => {
  test('run one after the other in one round trip: each sees what those before it wrote', async () => {
    const answers = await pipelined(opened.db, (tx) =>
      inOrder([counting, adding('a'), counting, adding('b'), counting]).execute(tx),
    )
    expect(answers.filter((answer) => typeof answer === 'number')).toEqual([0, 1, 2])
  })

  test('see what another transaction committed before it gave up the lock that they waited for', async () => {
    await adding('locked').execute(opened.db)
    const held = Promise.withResolvers<void>()
    const waiting = () =>
      database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    const locking = statement`select from note where text = 'locked' for update`
    const first = opened.db.transaction().execute(async (tx) => {
      await locking.execute(tx)
      held.resolve()
      await adding('meanwhile').execute(tx)
      await expect.poll(waiting).toHaveLength(1)
    })
    await held.promise
    const [, count] = await pipelined(opened.db, (tx) => inOrder([locking, counting]).execute(tx))
    await first
    expect(count).toBe(2)
  })
})

describe('a commit with the last statements', () => {
  const committing = (work: (commitWith: CommitWith) => Promise<unknown>) =>
    pipelined(opened.db, (_tx, commitWith) => work(commitWith))

  test('keeps all of them, and returns their answers', async () => {
    const [, count] = await pipelined(opened.db, async (tx, commitWith) => {
      await adding('a').execute(tx)
      return commitWith([adding('b'), counting])
    })
    expect(count).toBe(2)
    expect(await notes()).toEqual(['a', 'b'])
  })

  test('keeps what was written before it where it has no statements', async () => {
    await pipelined(opened.db, async (tx, commitWith) => {
      await adding('a').execute(tx)
      await commitWith([])
    })
    expect(await notes()).toEqual(['a'])
  })

  test('error: keeps nothing where one of them fails, and reports that one', async () => {
    const work = committing((commitWith) => commitWith([adding('a'), adding('a'), adding('b')]))
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([])
    await adding('c').execute(opened.db)
    expect(await notes()).toEqual(['c'])
  })

  test('error: keeps nothing where a statement before them failed whose failure the work swallowed', async () => {
    const hiding = pipelined(opened.db, async (tx, commitWith) => {
      await sql`select 1 / 0`.execute(tx).catch(() => {})
      await commitWith([adding('a')])
    })
    await expect(hiding).rejects.toMatchObject({ code: '25P02' })
    expect(await notes()).toEqual([])
  })

  test('error: a failure of the work after it is reported, and everything is kept', async () => {
    const work = committing(async (commitWith) => {
      await commitWith([adding('a')])
      throw new Error('changed its mind')
    })
    await expect(work).rejects.toThrow('changed its mind')
    expect(await notes()).toEqual(['a'])
  })

  test('error: a later statement runs nowhere', async () => {
    const late = pipelined(opened.db, async (tx, commitWith) => {
      await commitWith([adding('a')])
      await adding('late').execute(tx)
    })
    await expect(late).rejects.toThrow('after the end')
    expect(await notes()).toEqual(['a'])
  })

  test('error: one that is asked for after the end does not commit another transaction half done', async () => {
    const commits: CommitWith[] = []
    const failed = committing(async (commitWith) => {
      commits.push(commitWith)
      throw new Error('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
    const half = pipelined(opened.db, async (tx) => {
      await adding('half').execute(tx)
      await expect(commits[0]?.([])).rejects.toThrow('after the end')
      throw new Error('changed its mind')
    })
    await expect(half).rejects.toThrow('changed its mind')
    expect(await notes()).toEqual([])
  })
})

describe('a repeated statement', () => {
  const prepared = async () =>
    (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(opened.db)).rows.map(
      ({ statement }) => statement,
    )
  const oneAtATime = async (work: () => Promise<unknown>, times: number) => {
    for (let run = 0; run < times; run++) await work()
  }

  test('is prepared from its third run on, with the same results', async () => {
    const read = (text: string) => opened.db.selectFrom('note').select('text').where('text', '=', text).execute()
    await opened.db.insertInto('note').values({ text: 'a' }).execute()
    await oneAtATime(() => read('a'), 4)
    expect(await read('a')).toEqual([{ text: 'a' }])
    expect(await prepared()).toContain('select "text" from "note" where "text" = $1')
  })

  test('is prepared when its asterisk is a multiplication', async () => {
    const read = () => sql`select 2 * length(text) from note where text = ${'a'}`.execute(opened.db)
    await oneAtATime(read, 3)
    expect(await prepared()).toContain('select 2 * length(text) from note where text = $1')
  })

  test('is not prepared if it selects all columns, which a migration may change', async () => {
    const read = () => opened.db.selectFrom('note').selectAll().where('text', '=', 'a').execute()
    await oneAtATime(read, 4)
    await sql`alter table note add column more text`.execute(opened.db)
    await opened.db.insertInto('note').values({ text: 'a' }).execute()
    expect(await read()).toEqual([{ text: 'a', more: null }])
    expect(await prepared()).not.toContain('select * from "note" where "text" = $1')
  })
})
