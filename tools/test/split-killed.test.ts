import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort, portTaken, processesWith } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { expect, inject, onTestFinished, test } from 'vitest'

const SPLIT = join(import.meta.dirname, '../src/split.ts')
const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))

test.skipIf(!isHere)('kill -9 of dev:split leaves no service and no server', { timeout: 240_000 }, async () => {
  const folder = serverFolder('callboard-split-killed-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const split = spawn(process.execPath, [SPLIT, '--no-demo'], {
    env: { ...process.env, PORT: String(port), CALLBOARD_DATA: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(split, 'exit')
  onTestFinished(() => void split.kill('SIGKILL'))
  for await (const line of createInterface({ input: split.stdout })) if (line.startsWith('Ready:')) break
  const setting = `CALLBOARD_DATA=${folder}`
  const children = () => processesWith(setting).filter(({ pid }) => pid !== split.pid)
  expect(children().length).toBeGreaterThanOrEqual(8)
  expect(await portTaken(port)).toBe(true)

  split.kill('SIGKILL')
  await ended
  await until('its children are gone', () => children().length === 0, 60_000)
  expect(await portTaken(port)).toBe(false)
})
