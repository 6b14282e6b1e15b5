import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { FacilitatorRequest } from '@callboard/contract'
import { newAddress } from '../settle/world.ts'
import { type Entry, Ledger } from './ledger.ts'
import { pay, payAll } from './paying.ts'
import { openPlace, type Place } from './place.ts'

/** What an instance did in some spans of time. */
export interface Work {
  readonly entries: readonly Entry[]
  /** System calls that write: nearly all to sockets, a few wake a thread. */
  readonly writes: number
  readonly ms: number
}

/** What was counted, and how many payments it is of. */
export interface Counts {
  /** Nobody asks for anything. */
  readonly idle: Work
  /** One payment a second: what was done between each question and its answer, and in the rest of the second. */
  readonly paced: { readonly payments: number; readonly verify: Work; readonly settle: Work; readonly after: Work }
  /** One after the other, and many at once, each with the two seconds that follow the last answer. */
  readonly inRow: { readonly payments: number; readonly work: Work }
  readonly atOnce: { readonly payments: number; readonly work: Work }
  /** The last of the paced payments: what was done from the question for it on, for a second. */
  readonly one: { readonly verified: number; readonly settled: number; readonly entries: readonly Entry[] }
}

export interface Amounts {
  readonly warmUp: number
  readonly paced: number
  readonly inRow: number
  readonly atOnce: number
}

/** Payments under way at a time where they are many. */
export const AT_ONCE = 16
const PACE_MS = 1_000
const IDLE_MS = 10_000
/** In so long the instance comes to rest after payments. */
const REST_MS = 5_000
const TAIL_MS = 2_000

/** Counts what an instance does at rest and for payments. The ways through the proxies cost time, so none is measured. */
export async function count(amounts: Amounts): Promise<Counts> {
  const ledger = new Ledger()
  const place = await openPlace(ledger)
  try {
    const payments = (number: number) => place.payers(number, [newAddress()])
    await payAll(place.facilitatorUrl, await payments(amounts.warmUp), AT_ONCE)
    await delay(REST_MS)
    ledger.forget()
    const idle = await watched(place, ledger, () => delay(IDLE_MS))
    const paced = await onePerSecond(place, ledger, await payments(amounts.paced))
    const load = async (many: FacilitatorRequest[], atOnce: number) => {
      const work = await watched(place, ledger, async () => {
        await payAll(place.facilitatorUrl, many, atOnce)
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

async function watched({ pids }: Place, ledger: Ledger, work: () => Promise<unknown>): Promise<Work> {
  const [from, writes] = [performance.now(), writesOf(pids.node)]
  await work()
  const to = performance.now()
  return { entries: ledger.between(from, to), writes: writesOf(pids.node) - writes, ms: to - from }
}

async function onePerSecond({ facilitatorUrl, pids }: Place, ledger: Ledger, payments: FacilitatorRequest[]) {
  const spans = { verify: noWork(), settle: noWork(), after: noWork() }
  let last: Counts['one'] = { verified: 0, settled: 0, entries: [] }
  for (const payment of payments) {
    const writes = [writesOf(pids.node)]
    const { asked, verified, settled } = await pay(facilitatorUrl, payment, () => {
      writes.push(writesOf(pids.node))
    })
    await delay(asked + PACE_MS - performance.now())
    const end = performance.now()
    writes.push(writesOf(pids.node))
    const moments = [asked, verified, settled, end]
    for (const [at, name] of (['verify', 'settle', 'after'] as const).entries()) {
      const [from = 0, to = 0] = moments.slice(at, at + 2)
      const [before = 0, after = 0] = writes.slice(at, at + 2)
      add(spans[name], { entries: ledger.between(from, to), writes: after - before, ms: to - from })
    }
    last = {
      verified: verified - asked,
      settled: settled - asked,
      entries: fromStart(ledger.between(asked, end), asked),
    }
  }
  return { payments: payments.length, ...spans, last }
}

const noWork = () => ({ entries: [] as Entry[], writes: 0, ms: 0 })

function add(sum: ReturnType<typeof noWork>, { entries, writes, ms }: Work): void {
  sum.entries.push(...entries)
  sum.writes += writes
  sum.ms += ms
}

const fromStart = (entries: readonly Entry[], start: number): Entry[] =>
  entries.map((entry) => ({ ...entry, at: entry.at - start }))

/** System calls of a process that wrote. @source proc_pid_io(5), `syscw` */
function writesOf(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  return Number(/^syscw: (\d+)$/m.exec(io)?.[1])
}
