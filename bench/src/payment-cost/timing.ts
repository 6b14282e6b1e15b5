import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FacilitatorRequest } from '@callboard/contract'
import type { Hex } from '@callboard/values'
import { createTestClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { cpuTimeMs } from '../cpu-time.ts'
import { BEAT_MS, newAddress } from '../settle/world.ts'
import { type BlockTimes, blockTimes } from './block-times.ts'
import { AT_ONCE } from './counting.ts'
import { payAll } from './paying.ts'
import { openPlace, type Place } from './place.ts'

/** The cost of a series of payments. */
export interface Sample {
  readonly verifyMs: number[]
  readonly settleMs: number[]
  /** CPU time, in milliseconds. The chain's is anvil's. */
  readonly cpu: { node: number; postgres: number; chain: number }
}

export type Sides = Readonly<Record<'ours' | 'reference', Sample>>

/** One measurement of both: payments one at a time, and many at once. */
export interface Look {
  readonly alone: Sides
  readonly atOnce: Sides
  readonly blocks: BlockTimes
}

export interface Times {
  /** CPU time per second, in milliseconds. */
  readonly idle: Sample['cpu']
  readonly first: Look
  /** After this many further payments on the same chain. */
  readonly after: Look & { readonly payments: number; readonly perSecond: number }
}

/** Payments per turn and side. */
const WARM_UP = { turns: 1, alone: 20, many: 48 }
const MEASURED = { turns: 3, alone: 60, many: 160 }
const REST_MS = 5_000
/** Work up to this long after the last answer counts as CPU of the payments. */
const TAIL_MS = 1_000
const IDLE_MS = 10_000
/** Concurrent payments, and payments signed at a time, to give the chain a history. */
const LOAD = { atOnce: 64, chunk: 1_000 }

/** Measures the time of payments, without proxies between the instance and its servers, in turns with the reference. */
export async function time(load: number): Promise<Times> {
  const place = await openPlace()
  const peer = fork(new URL('../paid-call/reference.ts', import.meta.url), {
    env: { ...process.env, ...(await referenceEnv(place)) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const [url] = (await once(peer, 'message')) as [string]
    const sides = { ours: place.facilitatorUrl, reference: url }
    await look({ place, peer, sides, ...WARM_UP })
    await delay(REST_MS)
    const idle = await idleOf(place)
    const first = await look({ place, peer, sides, ...MEASURED })
    const perSecond = await makeOld(place, load)
    await delay(REST_MS)
    const after = await look({ place, peer, sides, ...MEASURED })
    return { idle, first, after: { ...after, payments: load, perSecond } }
  } finally {
    peer.kill()
    await place.close()
  }
}

const nodeOf = ({ devnet }: Place) => createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl), cacheTime: 0 })

async function referenceEnv(place: Place): Promise<Record<string, string>> {
  const key: Hex = generatePrivateKey()
  await nodeOf(place).setBalance({ address: privateKeyToAccount(key).address, value: 10n ** 21n })
  return { RPC_URL: place.devnet.rpcUrl, CHAIN_ID: String(place.devnet.chainId), KEY: key }
}

interface Looking {
  readonly place: Place
  readonly peer: ChildProcess
  readonly sides: Readonly<Record<'ours' | 'reference', string>>
  readonly turns: number
  readonly alone: number
  readonly many: number
}

async function look({ place, peer, sides, turns, ...amounts }: Looking): Promise<Look> {
  const alone = { ours: noSample(), reference: noSample() }
  const atOnce = { ours: noSample(), reference: noSample() }
  const measure = async (name: keyof Sides, samples: Sides, number: number, many: number) => {
    const payments = await place.payers(number, [newAddress()])
    const pid = name === 'ours' ? place.pids.node : (peer.pid ?? 0)
    const still = name === 'reference' ? beat(place) : () => {}
    await sample({ place, pid, url: sides[name], payments, many }, samples[name])
    still()
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const name of ['ours', 'reference'] as const) {
      await measure(name, alone, amounts.alone, 1)
      await measure(name, atOnce, amounts.many, AT_ONCE)
    }
  }
  return { alone, atOnce, blocks: await blockTimes(place.devnet) }
}

interface Sampling {
  readonly place: Place
  /** The facilitator's process. */
  readonly pid: number
  readonly url: string
  readonly payments: FacilitatorRequest[]
  readonly many: number
}

async function sample({ place, pid, url, payments, many }: Sampling, into: Sample): Promise<void> {
  const before = cpuOf(place, pid)
  for (const { asked, verified, settled } of await payAll(url, payments, { atOnce: many })) {
    into.verifyMs.push(verified - asked)
    into.settleMs.push(settled - verified)
  }
  await delay(TAIL_MS)
  const now = cpuOf(place, pid)
  for (const name of ['node', 'postgres', 'chain'] as const) into.cpu[name] += now[name] - before[name]
}

const noSample = (): Sample => ({ verifyMs: [], settleMs: [], cpu: { node: 0, postgres: 0, chain: 0 } })

const cpuOf = ({ pids }: Place, node: number) => ({
  node: cpuTimeMs(node),
  postgres: cpuTimeMs(pids.postgres),
  chain: cpuTimeMs(pids.chain),
})

/** Makes empty blocks, without which the reference may wait for minutes. @returns a function that ends it */
function beat(place: Place): () => void {
  const node = nodeOf(place)
  const timer = setInterval(() => void node.mine({ blocks: 1 }).catch(() => {}), BEAT_MS)
  return () => clearInterval(timer)
}

async function idleOf(place: Place): Promise<Sample['cpu']> {
  const before = cpuOf(place, place.pids.node)
  await delay(IDLE_MS)
  const now = cpuOf(place, place.pids.node)
  const perSecond = (name: keyof Sample['cpu']) => ((now[name] - before[name]) * 1_000) / IDLE_MS
  return { node: perSecond('node'), postgres: perSecond('postgres'), chain: perSecond('chain') }
}

/** Makes many payments. @returns how many per second */
async function makeOld(place: Place, load: number): Promise<number> {
  let ms = 0
  for (let made = 0; made < load; made += LOAD.chunk) {
    const payments = await place.payers(Math.min(LOAD.chunk, load - made), [newAddress()])
    const start = performance.now()
    await payAll(place.facilitatorUrl, payments, LOAD)
    ms += performance.now() - start
  }
  return (load * 1_000) / ms
}
