import { chmodSync, existsSync, mkdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Postgres, startPostgres } from '../src/postgres.ts'
import { POSTGRES_USER } from '../src/postgres-home.ts'
import { pgQuery } from '../src/postgres-query.ts'
import { seeProcess } from '../src/process-table.ts'
import { canReach, isRoot, NOBODY } from '../src/reach.ts'
import { startParent, tempFolder, untilTestEnds } from './parent.ts'

const at = (port: number, database = 'postgres') => ({ port, user: POSTGRES_USER, database })
const rowsOf = async (port: number) => (await pgQuery(at(port), 'select n from kept order by n')).flat()

describe('startPostgres on one folder', { timeout: 60_000 }, () => {
  const dataDir = tempFolder()
  let postgres: Postgres
  const start = async () => {
    postgres = await startPostgres({ dataDir })
    return postgres
  }
  beforeAll(async () => {
    await pgQuery(at((await start()).port), 'create table kept (n int)')
  }, 60_000)
  afterAll(() => postgres.stop())

  test('default: runs PostgreSQL 18 on loopback, with 200 connections and synchronous commit', async () => {
    const settings = `select current_setting('server_version_num')::int / 10000, current_setting('max_connections'),
      current_setting('fsync'), current_setting('synchronous_commit'), current_setting('listen_addresses')`
    expect(await pgQuery(at(postgres.port), settings)).toEqual([['18', '200', 'off', 'on', '127.0.0.1']])
    expect(await pgQuery(at(postgres.port), "select lower('ÅR'), 'Z' < 'a'")).toEqual([['år', 't']])
  })

  test('a second start finds the rows and keeps the port', async () => {
    const { port } = postgres
    await pgQuery(at(port), 'insert into kept values (1)')
    await postgres.stop()
    expect((await start()).port).toBe(port)
    expect(await rowsOf(port)).toEqual(['1'])
  })

  test('a folder in use is refused', async () => {
    await expect(startPostgres({ dataDir })).rejects.toThrow(`belongs to process ${process.pid}, which is running`)
  })

  test('kill -9 of the server loses no acknowledged row', async () => {
    const { port, pid } = postgres
    const acknowledged: string[] = []
    const write = async (from: number) => {
      for (let n = from; ; n += 4) {
        await pgQuery(at(port), `insert into kept values (${n})`)
        acknowledged.push(String(n))
        if (acknowledged.length === 200) process.kill(pid, 'SIGKILL')
      }
    }
    await Promise.allSettled([10, 11, 12, 13].map(write))
    expect(await postgres.exited).toMatchObject({ signal: 'SIGKILL' })
    await start()
    expect(acknowledged.length).toBeGreaterThanOrEqual(200)
    expect(await rowsOf(port)).toEqual(expect.arrayContaining(acknowledged))
  })

  test('a stale postmaster.pid that names an unrelated living process does not prevent the start', async () => {
    await postgres.stop()
    const lock = [process.pid, join(dataDir, 'data'), 0, postgres.port, '', '127.0.0.1', '', 'ready', ''].join('\n')
    writeFileSync(join(dataDir, 'data', 'postmaster.pid'), lock, { mode: 0o644 })
    await start()
    expect(await rowsOf(postgres.port)).toContain('1')
  })

  test('databases are created once, copied from a template, and dropped despite a client', async () => {
    const first = await postgres.createDatabase('shop')
    expect(await postgres.createDatabase('shop')).toBe(first)
    await pgQuery(at(postgres.port, 'shop'), 'create table goods (name text); insert into goods values (null)')
    expect(await postgres.databaseFromTemplate('shop', 'shop "copy"')).toBe(postgres.url('shop "copy"'))
    expect(await pgQuery(at(postgres.port, 'shop "copy"'), 'select * from goods')).toEqual([[null]])
    const client = pgQuery(at(postgres.port, 'shop "copy"'), 'select pg_sleep(60)')
    const [dropped, ended] = await Promise.allSettled([postgres.dropDatabase('shop "copy"'), client])
    expect([dropped.status, ended.status]).toEqual(['fulfilled', 'rejected'])
  })

  test('error: SQL that Postgres refuses is quoted with its SQLSTATE', async () => {
    await expect(pgQuery(at(postgres.port), 'select 1/0')).rejects.toThrow(
      'Postgres refused "select 1/0": division by zero (22012)',
    )
    await expect(pgQuery(at(postgres.port, 'nowhere'), 'select 1')).rejects.toThrow('(3D000)')
  })

  test('error: data of another version are left untouched', async () => {
    await postgres.stop()
    const version = join(dataDir, 'data', 'PG_VERSION')
    writeFileSync(version, '17\n')
    await expect(startPostgres({ dataDir })).rejects.toThrow('are of Postgres 17, not 18: choose another data folder')
    writeFileSync(version, '18\n')
    await start()
  })
})

describe('startPostgres after kill -9 of its parent', { timeout: 60_000 }, () => {
  test.each(['with', 'without'])('%s a pid file the orphan is ended and its rows are there', async (pidFile) => {
    const dataDir = tempFolder()
    const parent = await startParent('postgres', dataDir)
    await pgQuery(at(parent.port), 'create table kept (n int); insert into kept values (7)')
    await parent.kill()
    expect(seeProcess(parent.child)).toBeDefined()
    if (pidFile === 'without') rmSync(join(dataDir, 'postgres.pid'))

    const log: string[] = []
    const postgres = await untilTestEnds(startPostgres({ dataDir, log: (line) => log.push(line) }))
    expect(log).toContain(`ending Postgres (process ${parent.child}), which an interrupted run left behind`)
    expect(seeProcess(parent.child)).toBeUndefined()
    expect(await rowsOf(postgres.port)).toEqual(['7'])
  })

  test('an interrupted initdb is started over', async () => {
    const dataDir = tempFolder()
    mkdirSync(join(dataDir, 'data.new', 'base'), { recursive: true })
    const postgres = await untilTestEnds(startPostgres({ dataDir }))
    await postgres.stop()
    expect(existsSync(join(dataDir, 'data.new'))).toBe(false)
  })
})

describe.runIf(isRoot())('as other users', { timeout: 60_000 }, () => {
  test.runIf(canReach(dirname(process.execPath), NOBODY))(
    'an ordinary user starts it, and afterwards root',
    async () => {
      const dataDir = tempFolder()
      chmodSync(dataDir, 0o777)
      const parent = await startParent('postgres', dataDir, NOBODY)
      await pgQuery(at(parent.port), 'create table kept (n int); insert into kept values (3)')
      await parent.kill()
      const postgres = await untilTestEnds(startPostgres({ dataDir }))
      expect(await rowsOf(postgres.port)).toEqual(['3'])
    },
  )

  test.runIf(canReach(dirname(process.execPath), NOBODY))('error: a user without a passwd entry is named', async () => {
    const dataDir = tempFolder()
    chmodSync(dataDir, 0o777)
    await expect(startParent('postgres', dataDir, { uid: 54_321, gid: 54_321 })).rejects.toThrow(
      'Postgres cannot make its data folder as user 54321, who has no entry in /etc/passwd: add one, or set DATABASE_URL',
    )
  })

  test('data for a folder that only root may enter are stored elsewhere, behind a link', async () => {
    const hidden = tempFolder()
    chmodSync(hidden, 0o700)
    const dataDir = join(hidden, 'postgres')
    const log: string[] = []
    const first = await untilTestEnds(startPostgres({ dataDir, log: (line) => log.push(line) }))
    await pgQuery(at(first.port), 'create table kept (n int)')
    await first.stop()
    const place = realpathSync(join(dataDir, 'data'))
    expect(readlinkSync(join(dataDir, 'data'))).toBe(place)
    expect(log.join('\n')).toContain(`Postgres keeps its data in ${dirname(place)}: it may not run as root`)

    const second = await untilTestEnds(startPostgres({ dataDir }))
    expect(await rowsOf(second.port)).toEqual([])
    await second.stop()
    rmSync(dirname(place), { recursive: true })
  })
})
