import { mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Instance } from './instance.ts'

const instance = new Instance()

beforeAll(() => instance.start(), 120_000)
afterAll(() => instance.dispose())

interface Kept {
  readonly child: { readonly pid: number }
}

const stats = async () => (await fetch(`${instance.baseUrl}/api/call/stats`)).status

test('Postgres killed under it: the instance ends with one sentence, and the next start has the data', async () => {
  const kept = JSON.parse(readFileSync(join(instance.folder, 'postgres/postgres.pid'), 'utf8')) as Kept
  process.kill(kept.child.pid, 'SIGKILL')
  await until('the instance is gone', () => !instance.runs, 60_000)
  expect(instance.output).toContain('Postgres stopped unexpectedly (SIGKILL). Start again: its data is kept.')
  await instance.start()
  expect(await stats()).toBe(200)
}, 90_000)

test('paused for ten seconds: the instance goes on as if nothing had happened', async () => {
  process.kill(instance.pid, 'SIGSTOP')
  const asked = stats()
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  process.kill(instance.pid, 'SIGCONT')
  expect(await asked).toBe(200)
}, 40_000)

test('a data folder that cannot be written: the instance ends and says so, and serves nothing', async () => {
  await instance.end()
  // Like a full disk: what the instance would record last cannot be written.
  const obstacle = join(instance.folder, 'instance.json.new')
  mkdirSync(obstacle)
  await expect(instance.start()).rejects.toThrow(
    `The data folder ${instance.folder} (CALLBOARD_DATA) cannot be written: EISDIR`,
  )
  expect(instance.runs).toBe(false)
  rmdirSync(obstacle)
  await instance.start()
  expect(await stats()).toBe(200)
}, 150_000)
