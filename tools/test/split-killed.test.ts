import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, portTaken, processesWith } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { expect, inject, onTestFinished, test } from 'vitest'

const SPLIT = join(import.meta.dirname, '../src/split.ts')
const OPERATOR = join(inject('programs'), 'operator.mjs')
const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))

test.skipIf(!isHere)(
  'dev:split is found by the operator, logs at LOG_LEVEL, tells which process ended, and leaves none when killed',
  { timeout: 240_000 },
  async () => {
    const folder = serverFolder('callboard-split-killed-')
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const port = await freePort()
    const split = spawn(process.execPath, [SPLIT, '--no-demo'], {
      env: { ...process.env, PORT: String(port), CALLBOARD_DATA: folder, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(split, 'exit')
    onTestFinished(() => void split.kill('SIGKILL'))
    let output = ''
    split.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    await until('it is ready, or has ended', () => /^Ready: /m.test(output) || split.exitCode !== null, 180_000)
    expect(split.exitCode).toBeNull()
    const answer = await fetch(`http://127.0.0.1:${port}/llms.txt`)
    const requestId = answer.headers.get('x-request-id') ?? 'none'
    await until('the answer is in its log', () => output.includes(requestId))
    for (const [words, said] of [
      ['dead-letters list', '0 kept\n'],
      ['reports list', '0 shown\n'],
      ['waiting', '0 waiting\n'],
    ] as const) {
      const env = { ...process.env, BASE_URL: '', CALLBOARD_DATA: folder }
      const run = spawnSync(process.execPath, [OPERATOR, ...words.split(' ')], {
        env,
        encoding: 'utf8',
        timeout: 60_000,
      })
      expect(run, words).toMatchObject({ status: 0, stdout: said, stderr: '' })
    }
    const setting = `CALLBOARD_DATA=${folder}`
    const children = () => processesWith(setting).filter(({ pid }) => pid !== split.pid)
    expect(children().length).toBeGreaterThanOrEqual(8)
    expect(await portTaken(port)).toBe(true)

    const [, catalog] = /^ {2}catalog +pid (\d+),/m.exec(output) ?? []
    process.kill(Number(catalog), 'SIGKILL')
    await until('its end is told', () => output.includes(`catalog ${catalog}: ended with SIGKILL`))

    split.kill('SIGKILL')
    await ended
    await until('its children are gone', () => children().length === 0, 60_000)
    expect(await portTaken(port)).toBe(false)
  },
)

test.for(['0', 'two', '1.5'])('error: REPLICAS=%s, which is no number of processes', (REPLICAS) => {
  const run = spawnSync(process.execPath, [SPLIT], { env: { ...process.env, REPLICAS }, encoding: 'utf8' })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toMatch(/^REPLICAS must be a whole number, from 1\.\nusage: /)
})
