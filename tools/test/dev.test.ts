import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import { until } from '@callboard/testkit/until'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const TOOLS = join(import.meta.dirname, '../src')
const EDITED = join(import.meta.dirname, '../../services/all/src/arguments.ts')
const folder = join(temporaryFolder('callboard-dev-'), '.callboard')
const verb = (name: string, env: NodeJS.ProcessEnv = {}, ...given: string[]) =>
  run(process.execPath, [join(TOOLS, name), ...given], { env: { ...process.env, CALLBOARD_DATA: folder, ...env } })

describe('npm run dev', { timeout: 120_000 }, () => {
  let port: number
  let inspected: number
  let said = ''
  let dev: ReturnType<typeof spawn>
  const readies = () => [...said.matchAll(/^Ready after .*$/gm)].length
  const databaseUrl = () => JSON.parse(readFileSync(join(folder, 'instance.json'), 'utf8')).env.DATABASE_URL as string

  beforeAll(async () => {
    port = await freePort()
    inspected = await freePort()
    dev = spawn(process.execPath, [join(TOOLS, 'dev/main.ts'), `--inspect=${inspected}`], {
      env: { ...process.env, CALLBOARD_DATA: folder, PORT: String(port), BASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await until('it is ready', () => readies() === 1, 60_000)
  }, 90_000)
  afterAll(async () => {
    if (dev.exitCode === null) {
      dev.kill('SIGTERM')
      await once(dev, 'exit')
    }
    rmSync(join(folder, '..'), { recursive: true, force: true })
  }, 60_000)

  test('an edit restarts every service on the same data', async () => {
    const client = async (sql: string) => {
      const connection = new pg.Client({ connectionString: databaseUrl() })
      await connection.connect()
      return connection.query(sql).finally(() => connection.end())
    }
    await client('create table kept (n int)')
    utimesSync(EDITED, new Date(), new Date())
    await until('it is ready again', () => readies() === 2, 60_000)
    expect((await client('select n from kept')).rowCount).toBe(0)
    expect((await fetch(`http://127.0.0.1:${port}/api/call/stats`)).status).toBe(200)
  })

  test('--inspect reaches the instance', async () => {
    const targets = await until('a debugger is let in', async () =>
      (await fetch(`http://127.0.0.1:${inspected}/json/list`)).json(),
    )
    expect(JSON.stringify(targets)).toContain('services/all/src/main.ts')
  })

  test('psql gets the database; without psql a person gets its URL', async () => {
    await expect(verb('psql.ts', { PATH: '/nowhere' })).rejects.toMatchObject({
      stderr: expect.stringContaining(`give this URL to another one: ${databaseUrl()}`),
    })
  })

  test('reset refuses while it runs; afterwards it says what it deletes, and deletes it', async () => {
    await expect(verb('reset.ts')).rejects.toMatchObject({ stderr: expect.stringContaining('which is running') })
    dev.kill('SIGTERM')
    await once(dev, 'exit')
    const { stdout } = await verb('reset.ts')
    expect(stdout).toContain(`Deleting `)
    expect(stdout).toContain(folder)
    expect(existsSync(folder)).toBe(false)
    expect((await verb('reset.ts')).stdout).toContain('nothing to delete')
    await expect(verb('psql.ts')).rejects.toMatchObject({ stderr: expect.stringContaining('No instance runs on') })
  })
})

test('psql gets the database of DATABASE_URL_FILE, never one that it chooses itself', async () => {
  const file = join(temporaryFolder('callboard-url-'), 'url')
  writeFileSync(file, 'postgres://one@postgres/one\n')
  await expect(verb('psql.ts', { PATH: '/nowhere', DATABASE_URL_FILE: file })).rejects.toMatchObject({
    stderr: expect.stringContaining('give this URL to another one: postgres://one@postgres/one\n'),
  })
})

test('psql gets the password where no other user of the machine can read it', async () => {
  const folder = temporaryFolder('callboard-psql-')
  writeFileSync(join(folder, 'psql'), '#!/bin/sh\necho "$@ $PGPASSWORD"\n', { mode: 0o755 })
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    DATABASE_URL: 'postgres://one:p%40ss@postgres:5433/one?sslmode=require',
  }
  expect((await verb('psql.ts', env)).stdout).toBe('postgres://one@postgres:5433/one?sslmode=require p@ss\n')
})

test('reset leaves a folder that belongs to no instance untouched', async () => {
  const other = temporaryFolder('callboard-other-')
  writeFileSync(join(other, 'diary.txt'), 'mine')
  await expect(verb('reset.ts', { CALLBOARD_DATA: other })).rejects.toMatchObject({
    stderr: expect.stringContaining('is not the data of an instance: it holds diary.txt'),
  })
  expect(existsSync(join(other, 'diary.txt'))).toBe(true)
  mkdirSync(join(other, 'postgres'))
  await expect(verb('reset.ts', { CALLBOARD_DATA: other })).rejects.toMatchObject({
    stderr: expect.stringContaining('is not the data of an instance'),
  })
  expect(existsSync(join(other, 'diary.txt'))).toBe(true)
  writeFileSync(join(other, 'secrets.json'), '{"OF_ANOTHER_PROGRAM":"1"}')
  await expect(verb('reset.ts', { CALLBOARD_DATA: other })).rejects.toMatchObject({
    stderr: expect.stringContaining('is not the data of an instance'),
  })
  expect(existsSync(join(other, 'secrets.json'))).toBe(true)
  rmSync(other, { recursive: true })
})

test('reset deletes what an instance made in its folder, and leaves what lies beside it', async () => {
  const shared = temporaryFolder('callboard-shared-')
  for (const name of ['postgres', 'chain', 'src']) mkdirSync(join(shared, name))
  for (const name of ['secrets.json', 'devnet.json', 'instance.json', 'diary.txt']) {
    writeFileSync(join(shared, name), '{}')
  }
  writeFileSync(join(shared, 'src/server.pid'), '1')
  const { stdout } = await verb('reset.ts', { CALLBOARD_DATA: shared })
  expect(readdirSync(shared).sort()).toEqual(['diary.txt', 'src'])
  expect(existsSync(join(shared, 'src/server.pid'))).toBe(true)
  expect(stdout).toContain('Left diary.txt, src: no instance made that.')
  rmSync(shared, { recursive: true })
})

test('reset deletes the Postgres data behind a link, and nothing that is beside them', async () => {
  const [own, disk] = [temporaryFolder('callboard-own-'), temporaryFolder('callboard-disk-')]
  writeFileSync(join(own, 'devnet.json'), '{}')
  writeFileSync(join(disk, 'diary.txt'), 'mine')
  for (const made of [join(own, 'postgres'), join(disk, 'cluster')]) mkdirSync(made)
  symlinkSync(join(disk, 'cluster'), join(own, 'postgres', 'data'))
  await verb('reset.ts', { CALLBOARD_DATA: own })
  expect([own, join(disk, 'cluster')].filter((path) => existsSync(path))).toEqual([])
  expect(existsSync(join(disk, 'diary.txt'))).toBe(true)
  rmSync(disk, { recursive: true })
})
