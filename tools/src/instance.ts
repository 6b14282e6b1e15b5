import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Devnet, Target } from '@callboard/conformance/target'
import { LIMITS } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { serverFolder } from '@callboard/testkit/folder'
import { copyPrepared } from '@callboard/testkit/prepared-data'

const MAIN = fileURLToPath(new URL('../../services/all/src/main.ts', import.meta.url))
const READY_WITHIN_MS = 120_000

const wide = { burst: 1_000_000, perMinute: 60_000_000 }

/** No rate limit gets in the way. Other limits answer 429, which is declared. */
const SETTINGS: Readonly<Record<string, string>> = {
  RATE_LIMITS: JSON.stringify(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, wide]))),
  TRUST_PROXY: '1',
  API_KEYS_PER_OWNER: '1000',
  LISTINGS_PER_OWNER: '100000',
  LISTINGS_PER_SITE: '100000',
  CLIENTS_PER_NETWORK: '1000000',
  AUTOMATIC_LINKS_PER_HOUR: '1000',
  AUTOMATIC_LINKS_PER_HOUR_OF_OWNER: '1000',
  PROBE_TIMEOUT_MS: '2000',
  PROBE_CONNECT_TIMEOUT_MS: '1000',
  PROBE_WAIT_MS: '1000',
  SETTLE_WAIT_MS: '5000',
}

/** A whole separate instance, and its output. */
export interface Running extends Target {
  readonly devnet: Devnet
  /** The file that stores its output. */
  readonly logFile: string
  /** Its exit code, if it ends before it is asked to. */
  ended(): number | null
  /** Ends it. Its output is removed too, unless requested. */
  stop(keepLog: boolean): Promise<void>
}

/** What an instance starts with. */
export interface Beginning {
  /** The file that node runs; our source when absent. */
  readonly main?: string
  /** What it finds in its data folder, as made by `prepareData`; nothing when absent. */
  readonly data?: string
}

/**
 * Starts an instance on a data folder and ports of its own.
 * @param flags of Node
 * @throws Error with its output when it does not start
 */
export async function startInstance(
  flags: readonly string[] = [],
  { main = MAIN, data }: Beginning = {},
): Promise<Running> {
  const folder = serverFolder('callboard-instance-')
  const logFile = join(tmpdir(), `${basename(folder)}.log`)
  if (data) await copyPrepared(data, folder)
  const port = await freePort()
  const { BASE_URL: _, ...ours } = process.env
  const child = spawn(process.execPath, [...flags, main, '--no-demo'], {
    env: { ...ours, ...SETTINGS, PORT: String(port), CALLBOARD_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile)
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log.write(chunk)
      if (said.length < 100_000) said += chunk.toString()
      if (/^Ready after/m.test(said)) resolve()
    })
  }
  child.once('exit', (code) => reject(new Error(`The instance ended with ${code}:\n${said}`)))
  const late = setTimeout(() => reject(new Error(`The instance was not ready in time:\n${said}`)), READY_WITHIN_MS)
  async function stop(keepLog: boolean): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    log.end()
    rmSync(folder, { recursive: true, force: true })
    if (!keepLog) rmSync(logFile, { force: true })
  }
  try {
    await ready
  } catch (error) {
    await stop(false)
    throw error
  } finally {
    clearTimeout(late)
  }
  const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
  return { baseUrl: `http://127.0.0.1:${port}`, devnet, logFile, ended: () => child.exitCode, stop }
}
