import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../discovery/sampling.ts'
import { Connection } from './connection.ts'
import { type Gateway, requestTo } from './gateway.ts'
import { FRAMES, MODELS, PACE_MS, stampsIn } from './upstream-words.ts'

/** How the frames of paced streams arrived. Times in milliseconds, from when a frame left the upstream. */
export interface Frames {
  readonly p50: number
  readonly p99: number
  /** Frames that were sent, or should have been, but did not arrive. */
  readonly lost: number
  /** Frames that arrived more than ten paces late. */
  readonly stalled: number
}

const STALL_MS = 10 * PACE_MS
/** The period over which streams start. */
const BEGIN_WITHIN_MS = 500

/** Opens paced streams, and waits for each up to a limit. */
export async function pacedStreams(gateway: Gateway, streams: number, patienceMs: number): Promise<Frames> {
  const delays: number[] = []
  const one = async (at: number): Promise<void> => {
    await wait((at * BEGIN_WITHIN_MS) / streams)
    const connection = new Connection(gateway.port)
    let rest = ''
    const asked = connection.ask(requestTo(gateway, { model: MODELS.paced, stream: true, at }), (piece) => {
      const now = process.hrtime.bigint()
      const found = stampsIn(rest + piece.toString('latin1'))
      for (const sent of found.sent) delays.push(Number(now - sent) / 1e6)
      rest = found.rest
    })
    const late = new AbortController()
    await Promise.race([
      asked.catch(() => undefined),
      wait(patienceMs, undefined, { signal: late.signal }).catch(() => {}),
    ])
    late.abort()
    connection.drop()
  }
  await Promise.all(Array.from({ length: streams }, (_, at) => one(at)))
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    lost: streams * FRAMES - delays.length,
    stalled: delays.filter((delay) => delay > STALL_MS).length,
  }
}
