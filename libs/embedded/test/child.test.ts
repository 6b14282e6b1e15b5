import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type ChildPlan, startChild } from '../src/child.ts'
import { claimPidFile } from '../src/pid-file.ts'
import { seeProcess } from '../src/process-table.ts'
import { startParent, tempFolder, untilTestEnds } from './parent.ts'

const node = (script: string, more: Partial<ChildPlan> = {}) =>
  untilTestEnds(
    startChild({
      what: 'The clock',
      command: process.execPath,
      args: ['-e', script],
      ready: /^ready/,
      readyWithinMs: 20_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 10_000,
      ...more,
    }),
  )

const STAY = 'setInterval(() => {}, 1000); console.log("ready")'

describe('startChild', () => {
  test('default: a child is ready at its line, stops on the signal and leaves no process', async () => {
    const child = await node(STAY)
    expect(seeProcess(child.pid)?.command).toContain('setInterval')
    await child.stop()
    expect(await child.exited).toMatchObject({ signal: 'SIGTERM', lastLines: ['ready'] })
    expect(seeProcess(child.pid)).toBeUndefined()
    await child.stop()
  })

  test('behavior: a child that ignores the signal is killed after the deadline', async () => {
    const child = await node(`process.on('SIGTERM', () => {}); ${STAY}`, { stopWithinMs: 50 })
    await child.stop()
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL' })
  })

  test('behavior: a ready check that returns true makes it ready', async () => {
    let asked = 0
    const child = await node(STAY, { ready: async () => ++asked === 3 })
    expect(asked).toBe(3)
    await child.stop()
  })

  test('error: a child that ends early is quoted', async () => {
    await expect(node('console.error("no such table"); process.exit(3)')).rejects.toThrow(
      'The clock ended with code 3 before it was ready; its last words were:\n  no such table',
    )
  })

  test('error: a child that misses its deadline is stopped and quoted', async () => {
    const pidFile = await claimPidFile({
      file: join(tempFolder(), 'pid'),
      what: 'The clock',
      stopSignal: 'SIGTERM',
      stopWithinMs: 1_000,
    })
    const script = 'setInterval(() => {}, 1000); console.log("warming up")'
    await expect(node(script, { readyWithinMs: 500, pidFile })).rejects.toThrow(/was not ready after 500 ms/)
  })

  test('error: a missing program is named', async () => {
    await expect(node('', { command: '/nowhere/clock' })).rejects.toThrow(
      'The clock cannot be run from /nowhere/clock.',
    )
  })
})

describe('claimPidFile', () => {
  const claim = (file: string) => claimPidFile({ file, what: 'The clock', stopSignal: 'SIGTERM', stopWithinMs: 10_000 })

  test('default: the file is written while the child runs and removed afterwards', async () => {
    const file = join(tempFolder(), 'clock.pid')
    const child = await node(STAY, { pidFile: await claim(file) })
    expect(existsSync(file)).toBe(true)
    await child.stop()
    expect(existsSync(file)).toBe(false)
  })

  test('error: a claim is refused while the owner’s process lives', async () => {
    const file = join(tempFolder(), 'clock.pid')
    const held = await claim(file)
    await expect(claim(file)).rejects.toThrow(`belongs to process ${process.pid}, which is running`)
    held.release()
    ;(await claim(file)).release()
  })

  test('behavior: an orphan is ended, an unrelated process with its pid is not', async () => {
    const gone = { pid: process.pid, started: 'long ago', command: 'a process of yesterday' }
    const file = join(tempFolder(), 'clock.pid')
    const child = await node(STAY)
    const seen = seeProcess(child.pid)

    writeFileSync(file, JSON.stringify({ owner: gone, child: { ...seen, started: 'long ago' } }))
    ;(await claim(file)).release()
    expect(seeProcess(child.pid)).toEqual(seen)

    writeFileSync(file, JSON.stringify({ owner: gone, child: seen }))
    ;(await claim(file)).release()
    expect(await child.exited).toMatchObject({ signal: 'SIGTERM' })
  })

  test('behavior: of several claims that wait for the same orphan to end, one is granted', async () => {
    const file = join(tempFolder(), 'clock.pid')
    const orphan = await node(`process.on('SIGTERM', () => setTimeout(() => process.exit(), 200)); ${STAY}`)
    const gone = { pid: process.pid, started: 'long ago', command: 'a process of yesterday' }
    writeFileSync(file, JSON.stringify({ owner: gone, child: seeProcess(orphan.pid) }))
    const claims = await Promise.allSettled([1, 2, 3].map(() => claim(file)))
    expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('behavior: a pid file truncated by a crash is replaced', async () => {
    const file = join(tempFolder(), 'clock.pid')
    writeFileSync(file, '{"owner":{"pid":')
    ;(await claim(file)).release()
    expect(existsSync(file)).toBe(false)
  })
})

test('a parent that exits takes its child with it', { timeout: 30_000 }, async () => {
  const parent = await startParent('anvil', tempFolder(), { ends: true })
  await parent.ended
  await vi.waitFor(() => expect(seeProcess(parent.child)).toBeUndefined(), { timeout: 20_000 })
})
