import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startPostgres } from '../src/postgres.ts'
import { POSTGRES_USER } from '../src/postgres-home.ts'
import { pgQuery } from '../src/postgres-query.ts'
import { tempFolder, untilTestEnds } from './parent.ts'

const DURABILITY = pathToFileURL(join(import.meta.dirname, '../src/postgres-durability.ts')).href
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']
const settingsOf = async (port: number) =>
  (
    await pgQuery(
      { port, user: POSTGRES_USER, database: 'postgres' },
      `select ${DURABLE.map((name) => `current_setting('${name}')`).join(', ')}`,
    )
  ).flat()
const start = (dataDir: string, fsync: boolean) => untilTestEnds(startPostgres({ dataDir, fsync }))

describe('fsync of an embedded Postgres', { timeout: 60_000 }, () => {
  test('is on with every durability setting if requested, and off only if not', async () => {
    const durable = await start(tempFolder(), true)
    expect(durable.fsync).toBe(true)
    expect(await settingsOf(durable.port)).toEqual(['on', 'on', 'on', 'on'])
    const quick = await start(tempFolder(), false)
    expect(quick.fsync).toBe(false)
    expect(await settingsOf(quick.port)).toEqual(['off', 'on', 'on', 'on'])
  })

  test('stays on for a folder that ran with it', async () => {
    const dataDir = tempFolder()
    await (await start(dataDir, true)).stop()
    expect((await start(dataDir, false)).fsync).toBe(true)
  })

  test('can be turned on for a folder that ran without it and was shut down cleanly, and rows are kept', async () => {
    const dataDir = tempFolder()
    const quick = await start(dataDir, false)
    await quick.createDatabase('kept')
    await quick.stop()
    const durable = await start(dataDir, true)
    expect(await settingsOf(durable.port)).toEqual(['on', 'on', 'on', 'on'])
    expect(await pgQuery({ port: durable.port, user: POSTGRES_USER, database: 'kept' }, 'select 1')).toEqual([['1']])
  })

  test('stays on after a start on a full disk', async () => {
    const dataDir = tempFolder()
    const durable = await start(dataDir, true)
    process.kill(durable.pid, 'SIGKILL')
    await durable.exited
    const parts = { dataDir, folder: join(dataDir, 'data'), isNew: false, user: {}, binaries: {} }
    const code = `const { withFsync } = await import('${DURABILITY}'); await withFsync(true, ${JSON.stringify(parts)})`
    // No file may grow, which is what a full disk does.
    const limited = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"'
    const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, code], { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect((await start(dataDir, true)).fsync).toBe(true)
  })

  test('error: is refused for a folder that ran without it and was killed, until it is shut down cleanly once', async () => {
    const dataDir = tempFolder()
    const quick = await start(dataDir, false)
    process.kill(quick.pid, 'SIGKILL')
    await quick.exited
    await expect(startPostgres({ dataDir, fsync: true })).rejects.toThrow(
      'ran without fsync and were not stopped in order',
    )
    await (await start(dataDir, false)).stop()
    expect((await start(dataDir, true)).fsync).toBe(true)
  })
})
