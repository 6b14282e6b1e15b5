import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { portTaken, processesWith } from '@callboard/embedded'
import { expect, onTestFinished, test } from 'vitest'
import { serverFolders, temporaryFolder } from '../src/temporary-folder.ts'
import { until } from '../src/until.ts'

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const CONFIG = join(import.meta.dirname, 'killed-run/vitest.config.ts')

/** The folder prefixes of a run's Postgres, and of its other servers. */
const PREFIXES = ['callboard-test-', 'callboard-server-']

const dataFolders = () =>
  readdirSync(serverFolders()).filter((name) => PREFIXES.some((prefix) => name.startsWith(prefix)))

test('kill -9 of a test run leaves none of its servers, workers or data', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder('callboard-killed-run-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const said = join(folder, 'said.json')
  const before = dataFolders()
  const run = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG], {
    env: { ...process.env, KILLED_RUN: said, KILLED_RUN_DATA: join(folder, 'postgres') },
    stdio: 'ignore',
  })
  const ended = once(run, 'exit')
  onTestFinished(() => void run.kill('SIGKILL'))
  await until('the run names its servers', () => existsSync(said) && readFileSync(said, 'utf8').endsWith('}'), 60_000)
  const { run: name, urls } = JSON.parse(readFileSync(said, 'utf8')) as { run: string; urls: string[] }
  const ports = urls.map((url) => Number(new URL(url).port))
  const own = dataFolders().filter((one) => !before.includes(one))
  for (const prefix of PREFIXES) expect(own.filter((one) => one.startsWith(prefix))).not.toEqual([])
  expect(await Promise.all(ports.map(portTaken))).toEqual(ports.map(() => true))
  expect(processesWith(`CALLBOARD_RUN=${name}`).length).toBeGreaterThan(ports.length)

  run.kill('SIGKILL')
  await ended
  await until('its processes are gone', () => processesWith(`CALLBOARD_RUN=${name}`).length === 0, 30_000)
  expect(await Promise.all(ports.map(portTaken))).toEqual(ports.map(() => false))
  await until('its data are gone', () => !dataFolders().some((one) => own.includes(one)), 10_000)
})
