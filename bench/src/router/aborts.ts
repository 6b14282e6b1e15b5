import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../discovery/sampling.ts'
import { Connection } from './connection.ts'
import { type Gateway, requestTo } from './gateway.ts'
import type { Upstream } from './start-upstream.ts'
import { MODELS } from './upstream-words.ts'

/** When a client leaves. */
export const MOMENTS = {
  'before the first token': { model: MODELS.silent, stream: true },
  'in the stream': { model: MODELS.paced, stream: true },
  'in a call that is not streamed': { model: MODELS.silent, stream: false },
} as const
export type Moment = keyof typeof MOMENTS

/** From the client's leaving to the end of the upstream's connection, in milliseconds; null where it never ended. */
export interface Aborted {
  readonly p50: number | null
  readonly p99: number | null
}

/** Clients that leave at a time; one after the other would take the whole measured time each. */
const AT_ONCE = 5
/** How long the upstream has had the call when its client leaves. */
const UNDER_WAY_MS = 60
/** A stream of the upstream lasts 1.3 s: an end after that is no abort. */
export const PATIENCE_MS = 1_000

/** Each client sends its call over its own connection, and closes it while the upstream is working. */
export async function abortTimes(
  gateway: Gateway,
  upstream: Upstream,
  moment: Moment,
  clients: number,
): Promise<Aborted> {
  const asked = new Map<string, () => void>()
  const aborted = new Map<string, (at: bigint) => void>()
  const stopListening = upstream.listen((said) => {
    if (said.kind === 'asked') asked.get(said.call)?.()
    if (said.kind === 'aborted') aborted.get(said.call)?.(BigInt(said.at))
  })
  const one = async (at: number): Promise<number> => {
    const call = `${at}${process.hrtime.bigint()}`
    const isAsked = new Promise<void>((resolve) => asked.set(call, resolve))
    const isAborted = new Promise<bigint>((resolve) => aborted.set(call, resolve))
    const connection = new Connection(gateway.port)
    const answer = connection.ask(requestTo(gateway, { ...MOMENTS[moment], at, call }))
    await Promise.race([isAsked, answer])
    await wait(UNDER_WAY_MS)
    const gone = process.hrtime.bigint()
    connection.drop()
    const late = new AbortController()
    const patience = wait(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => undefined)
    const seen = await Promise.race([isAborted, patience])
    late.abort()
    return seen === undefined ? Number.POSITIVE_INFINITY : Number(seen - gone) / 1e6
  }
  const times: number[] = []
  const left = Array.from({ length: clients }, (_, at) => at).values()
  const worker = async () => {
    for (const at of left) {
      const time = await one(at)
      times.push(time)
      // A gateway that lets its upstream go on does so for all.
      if (time === Number.POSITIVE_INFINITY && times.length >= AT_ONCE && times.every((one) => one === time)) return
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  stopListening()
  times.sort((a, b) => a - b)
  const shown = (share: number) => {
    const time = percentile(times, share)
    return Number.isFinite(time) ? time : null
  }
  return { p50: shown(0.5), p99: shown(0.99) }
}
