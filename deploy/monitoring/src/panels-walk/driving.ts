import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Devnet } from '@callboard/conformance/target'
import { Load } from '@callboard/faults/load'
import { setStage } from '@callboard/faults/stage'
import type { Cluster } from '@callboard/tools/cluster'

const DEMONSTRATION = join(import.meta.dirname, '../../../../demo/src/main.ts')
/** Factor for the load's pauses between rounds. */
const PAUSE = 6
/** Requests that are refused: unauthorized, unpaid, unknown, malformed; the last is repeated until rate-limited. */
const REFUSED = [
  ['GET', '/api/keys', 401],
  ['POST', '/x402/decode', 402],
  ['GET', '/api/calls/nothing-is-called-so', 404],
  ['POST', '/x402/settle', 400],
] as const
const READ = ['/api/router/models', '/api/router/receipt-keys', '/.well-known/http-message-signatures-directory']
const LIMITED = '/api/support/reports'

/** The steady load of a cluster. */
export interface Driven {
  readonly load: Load
  stop(): Promise<void>
}

/** Takes listings live, and has agents link, owners sign in, readers read and payers pay, until stopped. */
export async function drive({ baseUrl, folder }: Cluster): Promise<Driven> {
  const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
  const stage = await setStage(baseUrl, devnet)
  const load = new Load(baseUrl, stage, PAUSE)
  load.resume()
  return {
    load,
    async stop() {
      await load.pause()
      await stage.seller.close()
    },
  }
}

/**
 * Runs the demonstration: a listing, paid calls, a mirrored source, a top-up, a model call; its products stay on sale.
 * @returns a function that ends it. @throws Error where it does not complete
 */
export async function demonstrate(
  { folder, env }: Cluster,
  log: (line: string) => unknown,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [DEMONSTRATION, '--decode', '--stay'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, CALLBOARD_DEVNET: join(folder, 'devnet.json') },
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log(chunk.toString().trimEnd())
      if (chunk.includes('Done.')) resolve()
    })
  child.once('exit', (code) => reject(new Error(`The demonstration ended with ${code}`)))
  await promise
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

/** One read of each service that the load does not read from. */
export async function lookAround({ baseUrl }: Cluster): Promise<void> {
  for (const path of READ) await (await fetch(baseUrl + path)).arrayBuffer()
}

/** Has the gateway refuse once for each reason. @throws Error where it answers otherwise */
export async function beRefused({ baseUrl }: Cluster): Promise<void> {
  const statusOf = async (method: string, path: string) => {
    const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    const answer = await fetch(baseUrl + path, { method, ...body })
    await answer.arrayBuffer()
    return answer.status
  }
  for (const [method, path, wanted] of REFUSED) {
    const status = await statusOf(method, path)
    if (status !== wanted) throw new Error(`${method} ${path} answered ${status}, not ${wanted}`)
  }
  for (let n = 0; (await statusOf('POST', LIMITED)) !== 429; n += 1)
    if (n > 100) throw new Error(`${LIMITED} is never limited`)
}
