import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { processesWith } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { expect, inject, onTestFinished, test } from 'vitest'

const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))

test.skipIf(!isHere)(
  'a walk that is killed leaves no process, no disk and no folder behind',
  { timeout: 120_000 },
  async () => {
    const parent = temporaryFolder('callboard-killed-walk-')
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
    const walk = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), '--only', 'Redis flushed'], {
      env: { ...process.env, TMPDIR: parent },
      stdio: 'ignore',
    })
    const ended = once(walk, 'exit')
    onTestFinished(() => void walk.kill('SIGKILL'))
    const folder = () => readdirSync(parent).find((name) => name.startsWith('callboard-faults-'))
    const cluster = () => join(parent, folder() ?? 'none', 'postgres/data/postmaster.pid')
    await until('its Postgres runs', () => existsSync(cluster()) || walk.exitCode !== null, 60_000)
    const children = () => processesWith(`TMPDIR=${parent}`).filter(({ pid }) => pid !== walk.pid)
    expect(children().length).toBeGreaterThanOrEqual(1)

    walk.kill('SIGKILL')
    await ended
    await until('its processes are gone', () => children().length === 0, 60_000)
    await until('its folder is gone', () => folder() === undefined, 20_000)
  },
)
