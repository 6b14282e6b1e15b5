import { counted, indexMib, measured } from './measured.ts'

const CPU = 'CPU ms'
const REST = 'a process at rest, after reads and payments'
const ROUTER_CPU = 'ours, CPU µs at 32 at once'
const CHUNKS = 53

/** CPU of one process of a service per search or payment, in milliseconds. */
const cpuMs = (row: string, column: string) => counted('footprint', { table: CPU, row, column })

/** CPU of a streamed model call in milliseconds: for its start and end, and for each piece after the first. */
function streamMs(row: 'gateway' | 'router') {
  const of = (column: string) => counted('router', { table: ROUTER_CPU, row, column }) / 1_000
  const [small, stream] = [of('small body'), of('53-chunk stream')]
  return { call: small, piece: (stream - small) / (CHUNKS - 1) }
}

/** Milliseconds of CPU by target and kind of work. A search covers an index of 200,000 listings. */
export const cpuCosts = () => ({
  search: {
    gateway: cpuMs('gateway', 'a search'),
    catalog: cpuMs('catalog', 'a search') + measured('discovery', '200,000 listings, CPU of a query'),
  },
  payment: {
    gateway: cpuMs('gateway', 'a payment'),
    catalog: cpuMs('catalog', 'a payment'),
    'x402-facilitator': cpuMs('x402-facilitator', 'a payment'),
    // Logs of a block are read together, so one costs the same as one of many.
    'chain-indexer': measured('indexing', 'CPU per settlement, relay included') / 1_000,
  },
  modelCall: { gateway: streamMs('gateway'), router: streamMs('router') },
})

/** Memory of a process of a target, in MiB; for the catalog including its index. */
export const memoryMib = (target: string, listings = 0): number =>
  counted('footprint', { table: REST, row: target, column: 'resident memory MiB' }) +
  (target === 'catalog' ? indexOf(listings) : 0)

/** Interpolates linearly between the measured points: nothing, 200,000 and 1,000,000 listings. */
export function indexOf(listings: number): number {
  const [few, many] = [200_000, 1_000_000]
  if (listings <= few) return (indexMib(few) * listings) / few
  return indexMib(few) + ((indexMib(many) - indexMib(few)) * (listings - few)) / (many - few)
}

/** The benchmark's payments and blocks for the indexer, all read at this many payments a second. */
const INDEXED = { payments: 50_000, blocks: 300 }

/** Blocks that one replica records per second, with as many payments per block as in the benchmark. */
export const blocksPerSecond = (): number =>
  INDEXED.blocks / (INDEXED.payments / measured('indexing', 'settlements committed, with their events'))

/** Messages published on NATS, or their bytes. */
export const published = (row: string, column: 'messages' | 'bytes'): number =>
  counted('footprint', { table: 'published on NATS', row, column })
