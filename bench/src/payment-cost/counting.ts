import { setTimeout as delay } from 'node:timers/promises'
import type { FacilitatorRequest } from '@callboard/contract'
import { newAddress } from '../settle/world.ts'
import { type Entry, Ledger } from './ledger.ts'
import { pay, payAll } from './paying.ts'
import { openPlace, type Place } from './place.ts'

/** What an instance did in some periods. */
export interface Work {
  readonly entries: readonly Entry[]
  readonly ms: number
}

/** What was counted, and for how many payments. */
export interface Counts {
  /** Without any requests. */
  readonly idle: Work
  /** One payment per second: work between each request and its answer, and in the rest of the second. */
  readonly paced: { readonly payments: number; readonly verify: Work; readonly settle: Work; readonly after: Work }
  /** Sequentially, and many at once, each including the two seconds after the last answer. */
  readonly inRow: { readonly payments: number; readonly work: Work }
  readonly atOnce: { readonly payments: number; readonly work: Work }
  /** The last of the paced payments: what was done within a second of its request. */
  readonly one: { readonly verified: number; readonly settled: number; readonly entries: readonly Entry[] }
}

export interface Amounts {
  readonly warmUp: number
  readonly paced: number
  readonly inRow: number
  readonly atOnce: number
}

/** Concurrent payments where there are many. */
export const AT_ONCE = 16
const PACE_MS = 1_000
const IDLE_MS = 10_000
/** How long the instance takes to become idle after payments. */
const REST_MS = 5_000
const TAIL_MS = 2_000

/** Counts what an instance does when idle and for payments. The proxies cost time, so no times are measured. */
export async function count(amounts: Amounts): Promise<Counts> {
  const ledger = new Ledger()
  const place = await openPlace({ ledger })
  const answered = () => ledger.add({ at: performance.now(), what: 'writes to sockets', by: 'client' })
  try {
    const payments = (number: number) => place.payers(number, [newAddress()])
    await payAll(place.facilitatorUrl, await payments(amounts.warmUp), { atOnce: AT_ONCE })
    await delay(REST_MS)
    ledger.forget()
    const idle = await watched(ledger, () => delay(IDLE_MS))
    const paced = await onePerSecond({ place, ledger, answered }, await payments(amounts.paced))
    const load = async (many: FacilitatorRequest[], atOnce: number) => {
      const work = await watched(ledger, async () => {
        await payAll(place.facilitatorUrl, many, { atOnce, answered })
        await delay(TAIL_MS)
      })
      return { payments: many.length, work }
    }
    const inRow = await load(await payments(amounts.inRow), 1)
    const atOnce = await load(await payments(amounts.atOnce), AT_ONCE)
    return { idle, paced, inRow, atOnce, one: paced.last }
  } finally {
    await place.close()
  }
}

async function watched(ledger: Ledger, work: () => Promise<unknown>): Promise<Work> {
  const from = performance.now()
  await work()
  const to = performance.now()
  return { entries: ledger.between(from, to), ms: to - from }
}

interface Watching {
  readonly place: Place
  readonly ledger: Ledger
  readonly answered: () => void
}

async function onePerSecond({ place, ledger, answered }: Watching, payments: FacilitatorRequest[]) {
  const spans = { verify: noWork(), settle: noWork(), after: noWork() }
  let last: Counts['one'] = { verified: 0, settled: 0, entries: [] }
  const add = (name: keyof typeof spans, from: number, to: number) => {
    spans[name].entries.push(...ledger.between(from, to))
    spans[name].ms += to - from
  }
  for (const payment of payments) {
    const { asked, verified, settled } = await pay(place.facilitatorUrl, payment, answered)
    await delay(asked + PACE_MS - performance.now())
    const end = performance.now()
    add('verify', asked, verified)
    add('settle', verified, settled)
    add('after', settled, end)
    last = { verified: verified - asked, settled: settled - asked, entries: since(asked, ledger.between(asked, end)) }
  }
  return { payments: payments.length, ...spans, last }
}

const noWork = () => ({ entries: [] as Entry[], ms: 0 })

const since = (start: number, entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, at: entry.at - start }))
