import {
  CHAINS,
  DAY_S,
  INCIDENTS,
  LISTINGS,
  LOOK_SECONDS,
  ORIGINS,
  PEAK,
  STREAM,
  shareAt,
  VISIT_SECONDS,
} from './assumptions.ts'
import { blocksPerSecond, cpuCosts, memoryMib } from './costs-of-work.ts'

/** A target's work at a moment, and its metrics. */
export interface Reading {
  /** Cores that the work needs, over all replicas. */
  readonly cores: number
  /** Per replica, in MiB. */
  readonly memoryMib: number
  readonly work: Readonly<Record<string, number>>
}

/** A target's work, called once per decision since it accumulates queues. @param ready replicas that work */
export type Workload = (second: number, ready: number) => Reading

/** Origins that one replica visits concurrently (PROBE_CONCURRENCY). */
const CONCURRENCY = 32
const MS_S = 1_000
/** Longer delays are capped: requests have their deadlines. */
const LONGEST_DELAY_S = 2

/** The 99th-percentile wait of work, with an event loop as a queue with one server. @source M/M/1 */
function eventLoopDelay(load: number, serviceSeconds: number): number {
  if (load <= 0.01) return 0
  return load >= 0.99
    ? LONGEST_DELAY_S
    : Math.min(LONGEST_DELAY_S, (serviceSeconds * Math.log(100 * load)) / (1 - load))
}

function gateway(): Workload {
  const { search, payment, modelCall } = cpuCosts()
  const call = modelCall.gateway.call + modelCall.gateway.piece * STREAM.seconds * STREAM.pieces
  const memory = memoryMib('gateway')
  return (second, ready) => {
    const share = shareAt(second)
    const ms = PEAK.searches * search.gateway + PEAK.payments * payment.gateway + PEAK.modelCalls * call
    const cores = (share * ms) / MS_S
    const requests = share * (PEAK.searches + PEAK.payments + PEAK.modelCalls)
    return { cores, memoryMib: memory, work: { eventLoopSeconds: eventLoopDelay(cores / ready, cores / requests) } }
  }
}

function router(): Workload {
  const { call, piece } = cpuCosts().modelCall.router
  const memory = memoryMib('router')
  return (second) => {
    const calls = PEAK.modelCalls * shareAt(second)
    const cores = (calls * (call + piece * STREAM.seconds * STREAM.pieces)) / MS_S
    return { cores, memoryMib: memory, work: { openStreams: calls * STREAM.seconds } }
  }
}

const byCpu =
  (target: 'catalog' | 'x402-facilitator', msAtPeak: number): (() => Workload) =>
  () => {
    const memory = memoryMib(target, LISTINGS)
    return (second) => ({ cores: (shareAt(second) * msAtPeak) / MS_S, memoryMib: memory, work: {} })
  }

function prober(): Workload {
  const arrivals = ORIGINS.reduce((sum, { origins, everySeconds }) => sum + origins / everySeconds, 0)
  const memory = memoryMib('liveness-prober')
  let due = 0
  return (second, ready) => {
    const { from, to, visitSeconds } = INCIDENTS.slowSellers
    const visit = second >= from && second < to ? visitSeconds : VISIT_SECONDS
    const most = ((ready * CONCURRENCY) / visit) * LOOK_SECONDS
    due = Math.max(0, due + arrivals * LOOK_SECONDS - most)
    return { cores: 0, memoryMib: memory, work: { overdueOrigins: due, overdueSeconds: due / arrivals } }
  }
}

function indexer(): Workload {
  const rate = blocksPerSecond()
  const ownCpu = cpuCosts().payment['chain-indexer']
  const memory = memoryMib('chain-indexer')
  const { at, days } = INCIDENTS.history
  const second = CHAINS[1].blockSeconds
  let behind = 0
  return (now, ready) => {
    if (now === at) behind = (days * DAY_S) / second
    const read = (rate / Math.ceil(CHAINS.length / ready)) * LOOK_SECONDS
    behind = Math.max(0, behind + LOOK_SECONDS / second - read)
    const cores =
      (PEAK.payments * shareAt(now) * ownCpu) / MS_S + (behind > 0 ? 1 / Math.ceil(CHAINS.length / ready) : 0)
    return { cores, memoryMib: memory, work: { lagSeconds: behind * second } }
  }
}

/** A fresh week for each target that the example scales. */
export function workloads(): Readonly<Record<string, Workload>> {
  const { search, payment } = cpuCosts()
  const catalog = byCpu('catalog', PEAK.searches * search.catalog + PEAK.payments * payment.catalog)
  const facilitator = byCpu('x402-facilitator', PEAK.payments * payment['x402-facilitator'])
  return {
    gateway: gateway(),
    router: router(),
    catalog: catalog(),
    'x402-facilitator': facilitator(),
    'liveness-prober': prober(),
    'chain-indexer': indexer(),
  }
}
