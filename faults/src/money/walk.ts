import { setTimeout as wait } from 'node:timers/promises'
import { seeded } from '../random.ts'
import { type Accounts, fundedPayers, type Many, openAccounts } from './accounts.ts'
import { putToRest } from './at-rest.ts'
import { type Attempt, makeCalls } from './calls.ts'
import { Kills } from './kills.ts'
import { Payments } from './payments.ts'
import { plannedCalls } from './plan.ts'
import { type Evidence, evidenceOf, faultsOf } from './verdict.ts'
import { Watcher } from './watcher.ts'
import { type MoneyWorld, mend, openMoneyWorld } from './world.ts'

export interface MoneyWalk {
  readonly folder: string
  readonly seed: number
  /** The least number of calls; more if not all kills are done by then. */
  readonly calls: number
  readonly atOnce: number
  readonly gateways: number
  readonly routers: number
  readonly many: Many
  /** The least and the most processes to kill. */
  readonly kills: { readonly least: number; readonly most?: number }
  readonly everyMs: readonly [least: number, most: number]
  readonly serverFaults: number
  /** How long a client waits for the end of an answer. */
  readonly patienceMs: number
  /** The file that the processes run; our source when absent. */
  readonly main?: string | undefined
  /** Ends the calls early: the verdict covers those made. */
  readonly enough?: AbortSignal
  readonly log: (line: string) => unknown
}

/** The result of a walk. */
export interface MoneyOutcome {
  /** Everything that did not hold; empty when all did. */
  readonly faults: readonly string[]
  readonly evidence: Evidence
  readonly watcher: Watcher
  readonly kills: Kills
  /** Holds left behind by killed processes. */
  readonly leftBehind: number
  readonly seconds: number
}

const PAYERS = 8
const MORE_CALLS = 50

/** Runs calls, top-ups and kills at once, while watching the books; then comes rest, and the verdict. */
export async function walkMoney(walk: MoneyWalk): Promise<MoneyOutcome> {
  const { folder, seed, many, gateways, routers, main, log } = walk
  const random = seeded(seed)
  const world = await openMoneyWorld(folder, { main, gateways, routers, withOwners: many.buyers > 0, log })
  try {
    const { baseUrl } = world.cluster
    const payments = await Payments.open({ baseUrl, devnet: world.devnet, payers: await fundedPayers(world, PAYERS) })
    const accounts = await openAccounts(world, { random, many, payments })
    const attempts: Attempt[] = []
    const kills = new Kills()
    const watcher = new Watcher()
    const over = new AbortController()
    const watching = watcher.run(world, over.signal, (fault) => {
      log(`the books are wrong: ${fault}`)
      over.abort()
    })
    const startedAt = performance.now()
    const toldTo = { payments, accounts, attempts, kills, over: over.signal }
    await underLoad(world, walk, toldTo)
    const seconds = (performance.now() - startedAt) / 1_000
    const unwell = await mend(world).then(
      () => [],
      (error: Error) => [error.message],
    )
    const leftBehind = watcher.fault ? 0 : await putToRest(world)
    over.abort()
    await watching
    const evidence = await evidenceOf(world, { attempts, kills, payments })
    const faults = watcher.fault ? [`at a look: ${watcher.fault}`] : [...unwell, ...(await faultsOf(world, evidence))]
    return { faults, evidence, watcher, kills, leftBehind, seconds }
  } finally {
    // The verdict is there: nothing needs to wait for work whose clients have left.
    await Promise.all(world.cluster.members.map((member) => member.end('SIGKILL')))
    await world.stop()
  }
}

interface UnderWay {
  readonly payments: Payments
  readonly accounts: Accounts
  readonly attempts: Attempt[]
  readonly kills: Kills
  readonly over: AbortSignal
}

/** Resolves when every call is made, enough was killed, and everything killed runs again. */
async function underLoad(world: MoneyWorld, walk: MoneyWalk, underWay: UnderWay): Promise<void> {
  const { payments, accounts, attempts, kills, over } = underWay
  const { calls, atOnce, seed, everyMs, serverFaults, patienceMs, log, enough = new AbortController().signal } = walk
  const { keys, buyers } = accounts
  const plan = plannedCalls(seeded(seed + 1), calls, keys.length)
  const made = new Set<string>()
  const calling = {
    ...{ baseUrl: world.cluster.baseUrl, keys, payments, patienceMs, over, enough },
    told(attempt: Attempt) {
      attempts.push(attempt)
      made.add(attempt.call.name)
    },
  }
  const done = new AbortController()
  const killing = kills.run(world, {
    ...{ random: seeded(seed + 2), everyMs, serverFaults, log, atMost: walk.kills.most },
    over: AbortSignal.any([over, done.signal]),
    progress: () => made.size / calls,
  })
  const buying = buyBetween(async () => {
    for (const buyer of buyers) if (!done.signal.aborted) await payments.topUp(buyer)
  }, done.signal)
  await makeCalls(calling, plan, atOnce)
  for (let turn = 1; kills.processes < walk.kills.least && !over.aborted && !enough.aborted; turn += 1) {
    const more = plannedCalls(seeded(seed + 2 + turn), MORE_CALLS, keys.length)
    const named = more.map((call, at) => ({ ...call, name: `walk-${calls + turn * MORE_CALLS + at};` }))
    await makeCalls(calling, named, atOnce)
  }
  done.abort()
  await Promise.all([killing, buying])
}

const BETWEEN_TOP_UPS_MS = 1_000

/** Owners keep buying, whatever is killed. */
async function buyBetween(buy: () => Promise<unknown>, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    await buy()
    await wait(BETWEEN_TOP_UPS_MS, undefined, { signal: done }).catch(() => {})
  }
}
