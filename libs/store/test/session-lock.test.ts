import { overTcp, testDatabase } from '@callboard/testkit'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { lockWithin } from '../src/session-lock.ts'

test('a lock whose holder vanishes with its machine is free within half a minute: Postgres ends the session', async () => {
  const database = await testDatabase(inject('postgresUrl'))
  const holder = new pg.Client({ connectionString: overTcp(database.url) })
  await holder.connect()
  try {
    expect(await lockWithin(holder, '1, 2', 0)).toBe(true)
    const { rows } = await holder.query<{ name: string; value: number }>(
      `select name, setting::integer as value from pg_settings where name like 'tcp_keepalives_%'`,
    )
    const kept = Object.fromEntries(rows.map(({ name, value }) => [name.replace('tcp_keepalives_', ''), value]))
    const { idle = 7_200, interval = 75, count = 9 } = kept
    expect(idle + interval * count).toBeLessThanOrEqual(30)
  } finally {
    await holder.end()
    await database.drop()
  }
})
