import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Counts } from './statements.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A whole embedded instance that nobody uses. */
export interface IdleInstance {
  readonly pid: number
  /** Of its data. */
  readonly folder: string
  readonly databaseUrl: string
  readonly baseUrl: string
  /** What its services said to Postgres so far; only where it was started with `counting`. */
  readonly counts: () => Counts
  stop(): Promise<void>
}

/**
 * Starts what `npm start -- --no-demo` starts.
 * @param counting whether its statements are counted, which costs some CPU
 * @param settings beside the usual ones
 */
export async function startIdle(
  counting: boolean,
  settings: Readonly<Record<string, string>> = {},
): Promise<IdleInstance> {
  const folder = temporaryFolder('callboard-idle-')
  const file = join(folder, 'counts.json')
  const { BASE_URL: _, ...env } = process.env
  const preload = counting ? ['--import', join(import.meta.dirname, 'statements.ts')] : []
  const child = spawn(
    process.execPath,
    [...preload, '--import', './tools/require-node.mjs', 'services/all/src/main.ts', '--no-demo'],
    {
      cwd: ROOT,
      env: { ...env, ...settings, PORT: String(await freePort()), CALLBOARD_DATA: folder, IDLE_COUNTS: file },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const gone = once(child, 'exit')
  let said = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk)
    if (/^Ready after/m.test(said)) break
  }
  child.stdout.resume()
  const { pid, baseUrl, env: given } = JSON.parse(readFileSync(join(folder, 'instance.json'), 'utf8'))
  return {
    pid,
    folder,
    baseUrl,
    databaseUrl: given.DATABASE_URL,
    counts: () => JSON.parse(readFileSync(file, 'utf8')) as Counts,
    async stop() {
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
