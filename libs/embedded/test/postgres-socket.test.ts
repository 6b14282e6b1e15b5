import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { startPostgres } from '../src/postgres.ts'
import { tempFolder, untilTestEnds } from './parent.ts'

/** The client address of a URL's connection: null over a Unix socket. */
async function cameFrom(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query('select host(inet_client_addr()) as address')).rows[0].address
  } finally {
    await client.end()
  }
}

describe('socketUrl of the embedded Postgres', { timeout: 60_000 }, () => {
  test('default: connects over a Unix socket that only its user may use, while url connects over TCP', async () => {
    const dataDir = tempFolder()
    const postgres = await untilTestEnds(startPostgres({ dataDir }))
    expect(new URL(postgres.socketUrl('shop')).searchParams.get('host')).toBe(join(dataDir, 'socket'))
    expect(await cameFrom(postgres.socketUrl())).toBeNull()
    expect(await cameFrom(postgres.url())).toBe('127.0.0.1')
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700)
  })

  test('behavior: works with any name of the data folder', async () => {
    const dataDir = join(tempFolder(), 'a, "b" & ü')
    const postgres = await untilTestEnds(startPostgres({ dataDir }))
    expect(await cameFrom(postgres.socketUrl())).toBeNull()
  })

  test('behavior: ignores the files that a killed server left behind', async () => {
    const dataDir = tempFolder()
    const killed = await untilTestEnds(startPostgres({ dataDir }))
    killed.signal('SIGKILL')
    await killed.exited
    expect(readdirSync(join(dataDir, 'socket'))).toContain(`.s.PGSQL.${killed.port}.lock`)
    const next = await untilTestEnds(startPostgres({ dataDir }))
    expect(await cameFrom(next.socketUrl())).toBeNull()
  })

  test('behavior: is the TCP URL if the path is too long for a socket', async () => {
    const dataDir = join(tempFolder(), 'x'.repeat(100))
    mkdirSync(dataDir, { recursive: true })
    const postgres = await untilTestEnds(startPostgres({ dataDir }))
    expect(postgres.socketUrl('shop')).toBe(postgres.url('shop'))
    expect(await cameFrom(postgres.socketUrl())).toBe('127.0.0.1')
  })
})
