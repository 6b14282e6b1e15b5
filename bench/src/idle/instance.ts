import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Counts } from './statements.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A whole embedded instance without any users. */
export interface IdleInstance {
  readonly pid: number
  /** Its data folder. */
  readonly folder: string
  readonly databaseUrl: string
  readonly baseUrl: string
  /** What its services sent to Postgres so far; only if started with `counting`. */
  readonly counts: () => Counts
  stop(): Promise<void>
}

/**
 * Starts the same as `npm start -- --no-demo`.
 * @param counting whether its statements are counted, which costs some CPU
 * @param settings in addition to the usual ones
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
