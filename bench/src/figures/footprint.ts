import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Cluster, startCluster } from '@callboard/tools/cluster'
import type { Figure, Table } from '../figure.ts'
import { Messages } from '../footprint/messages.ts'
import { connectionsOf, cpuOf, pidsOf, residentMib, usedBetween } from '../footprint/processes.ts'
import { loadNote } from '../machine-load.ts'
import { payAll } from '../payment-cost/paying.ts'
import { openPayers } from '../settle/payers.ts'
import { newAddress } from '../settle/world.ts'

const AT_ONCE = 16
const WARM_UP = { reads: 400, payments: 160 }
const MEASURED = { reads: 4_000, payments: 640 }
/** An instance works on for a while after load: it reads its chain, and its relays finish. */
const SETTLED_MS = 10_000
const REST_MS = 20_000
const RATE_LIMITS = JSON.stringify({
  read: { burst: 1_000_000, perMinute: 60_000_000 },
  facilitator: { burst: 100_000, perMinute: 6_000_000 },
})
/** A read that no gateway caches: the catalog searches its index for each. */
const READ = '/api/call/discovery?q=weather'

/** The effects of some work: CPU by process, and messages of the bus. */
interface Caused {
  readonly per: number
  readonly cpu: ReadonlyMap<string, number>
  readonly messages: number
  readonly bytes: number
}

async function read(baseUrl: string, count: number): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const answer = await fetch(baseUrl + READ)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`a read was answered ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function measure(cluster: Cluster, bus: Messages) {
  const pids = new Map([...pidsOf(cluster.members), ['postgres', cluster.postgres.server.pid]])
  const payers = await openPayers(cluster.chain.server)
  const pay = async (count: number) =>
    payAll(`${cluster.baseUrl}/x402`, await payers(count, [newAddress()]), { atOnce: AT_ONCE })
  async function caused(per: number, work: () => Promise<unknown>): Promise<Caused> {
    const [cpu, seen] = [cpuOf(pids), await bus.seen()]
    await work()
    const after = await bus.seen()
    return {
      per,
      cpu: usedBetween(cpu, cpuOf(pids)),
      messages: after.count - seen.count,
      bytes: after.bytes - seen.bytes,
    }
  }
  const rest = () => wait(SETTLED_MS)
  await read(cluster.baseUrl, WARM_UP.reads)
  await pay(WARM_UP.payments)
  await rest()
  const idle = await caused(REST_MS / 1_000, () => wait(REST_MS))
  const memory = new Map([...pidsOf(cluster.members)].map(([name, pid]) => [name, residentMib(pid)]))
  const connections = await connectionsOf(cluster.urls.databaseUrl)
  const reads = await caused(MEASURED.reads, () => read(cluster.baseUrl, MEASURED.reads))
  const payments = await caused(MEASURED.payments, async () => {
    await pay(MEASURED.payments)
    await rest()
  })
  return { idle, memory, connections, reads, payments }
}

function tablesOf({ idle, memory, connections, reads, payments }: Awaited<ReturnType<typeof measure>>): Table[] {
  const cpu = ({ cpu, per }: Caused, name: string) => (cpu.get(name) ?? 0) / per
  const names = [...idle.cpu.keys()].sort()
  const each = [
    ['at rest, a second', idle],
    ['a search', reads],
    ['a payment', payments],
  ] as const
  return [
    {
      title: 'a process at rest, after reads and payments',
      columns: ['resident memory MiB', 'connections to Postgres'],
      rows: [...memory.keys()].sort().map((name) => [name, memory.get(name) ?? null, connections.get(name) ?? 0]),
    },
    {
      title: 'CPU ms',
      columns: each.map(([what]) => what),
      rows: names.map((name) => [name, ...each.map(([, caused]) => cpu(caused, name))]),
    },
    {
      title: 'published on NATS',
      columns: ['messages', 'bytes'],
      rows: each.map(([what, { messages, bytes, per }]) => [what, messages / per, bytes / per]),
    },
  ]
}

export const figure: Figure = {
  title: 'What each process takes',
  method:
    'Every service runs in its own process over NATS, Redis, Postgres 18 and a devnet, with widened rate limits. The load is 4,000 searches of an empty catalog and 640 payments (verified, then settled), 16 at a time, each after a warm-up. CPU is the kernel’s count for each process, includes ten seconds after the payments, and has nothing subtracted. Messages are counted by a subscriber of everything: JetStream’s own requests and acknowledgements are included, deliveries to consumers are not.',
  async run() {
    const folder = temporaryFolder('callboard-footprint-')
    const cluster = await startCluster({ folder, replicas: 1, env: { RATE_LIMITS } })
    const bus = await Messages.of(cluster.urls.natsUrl)
    try {
      return { comparisons: [], tables: tablesOf(await measure(cluster, bus)), notes: [loadNote()] }
    } finally {
      await bus.close()
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
