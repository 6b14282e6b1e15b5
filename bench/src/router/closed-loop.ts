import { cpuTimeMs } from '../cpu-time.ts'
import { percentile } from '../discovery/sampling.ts'
import { Connection } from './connection.ts'
import { type Gateway, requestTo } from './gateway.ts'
import { MODELS } from './upstream-words.ts'

/** What the figure requests: a small completion, or one that is streamed in 53 chunks. */
export type Work = 'small' | 'stream'

/** Times in milliseconds. */
export interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly firstByteP50: number
  /** CPU per answer in microseconds, for each process of the gateway. */
  readonly cpuMicros: Readonly<Record<string, number>>
}

interface Windows {
  readonly warmUpMs: number
  readonly ms: number
}

/** A number of connections, each of which sends again once the last byte of its answer has arrived. */
export async function closedLoop(
  gateway: Gateway,
  work: Work,
  connections: number,
  { warmUpMs, ms }: Windows,
): Promise<Load> {
  const open = Array.from({ length: connections }, (_, index) => ({
    connection: new Connection(gateway.port),
    request: requestTo(gateway, { model: MODELS.plain, stream: work === 'stream', at: index }),
  }))
  const firstBytes: number[] = []
  const times: number[] = []
  const start = performance.now()
  const [from, until] = [start + warmUpMs, start + warmUpMs + ms]
  let before: Record<string, number> | undefined
  let startedAt = from
  const counts = () => {
    if (before) return true
    if (performance.now() < from) return false
    before = cpuOf(gateway)
    startedAt = performance.now()
    return true
  }
  try {
    await Promise.all(
      open.map(async ({ connection, request }) => {
        while (performance.now() < until) {
          const isCounted = counts()
          const { firstByte, last } = await connection.ask(request)
          if (!isCounted) continue
          firstBytes.push(firstByte)
          times.push(last)
        }
      }),
    )
  } finally {
    for (const { connection } of open) connection.drop()
  }
  const wallMs = performance.now() - startedAt
  const after = cpuOf(gateway)
  const each = Object.entries(after).map(([name, spent]) => [
    name,
    ((spent - (before?.[name] ?? spent)) * 1_000) / times.length,
  ])
  const [sorted, firsts] = [times.toSorted((a, b) => a - b), firstBytes.toSorted((a, b) => a - b)]
  return {
    perSecond: (times.length * 1_000) / wallMs,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    firstByteP50: percentile(firsts, 0.5),
    cpuMicros: Object.fromEntries(each),
  }
}

/** Milliseconds of CPU that each process of a gateway has used. */
const cpuOf = ({ processes }: Gateway): Record<string, number> =>
  Object.fromEntries(
    Object.entries(processes).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuTimeMs(pid), 0)]),
  )
