import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import type { RunAs } from '../src/index.ts'
import { endProcess, seeProcess } from '../src/process-table.ts'

export interface Parent {
  /** What `start-and-wait.ts` reported about its child. */
  readonly port: number
  readonly child: number
  /** kill -9, as a crash would. */
  kill(): Promise<void>
  /** Settles when it has ended on its own. */
  readonly ended: Promise<unknown>
}

/** Starts another of our processes that runs a part, for the test to kill; throws what the part's start threw there. */
export async function startParent(
  part: 'postgres' | 'anvil',
  dataDir: string,
  { ends = false, ...user }: RunAs & { ends?: boolean } = {},
): Promise<Parent> {
  const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url))
  const parent = spawn(process.execPath, [script, part, dataDir, ends ? 'exit' : 'stay'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...user,
  })
  const ended = once(parent, 'exit')
  const line = await Promise.race([firstLine(parent.stdout), ended.then(() => '{"failed":"it ended without a word"}')])
  const said = JSON.parse(line) as { port: number; pid: number; failed?: string }
  if (said.failed !== undefined) throw new Error(said.failed)
  const kill = async () => {
    parent.kill('SIGKILL')
    await ended
  }
  const child = seeProcess(said.pid)
  onTestFinished(async () => {
    await kill()
    if (child) await endProcess(child, 'SIGTERM', 10_000)
  })
  return { port: said.port, child: said.pid, kill, ended }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line
  return new Promise(() => {})
}

/** Stops what a test has started when the test is over, whether it passes or fails. */
export async function untilTestEnds<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting
  onTestFinished(() => started.stop())
  return started
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A new folder that other users may enter, removed when the test file is done. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-embedded-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}
