import { counted, indexMib, measured } from './measured.ts'

const CPU = 'CPU ms'
const REST = 'a process at rest, after reads and payments'
const ROUTER_CPU = 'ours, CPU µs at 32 at once'
const CHUNKS = 53

/** CPU of one process of a service for one search, one payment, in milliseconds. */
const cpuMs = (row: string, column: string) => counted('footprint', { table: CPU, row, column })

/** CPU for a streamed model call: what it takes to begin and end one, and for each piece after the first. Milliseconds. */
function streamMs(row: 'gateway' | 'router') {
  const of = (column: string) => counted('router', { table: ROUTER_CPU, row, column }) / 1_000
  const [small, stream] = [of('small body'), of('53-chunk stream')]
  return { call: small, piece: (stream - small) / (CHUNKS - 1) }
}

/** Milliseconds of CPU by target and kind of work. A search is of an index of 200,000 listings. */
export const cpuCosts = () => ({
  search: {
    gateway: cpuMs('gateway', 'a search'),
    catalog: cpuMs('catalog', 'a search') + measured('discovery', '200,000 listings, CPU of a query'),
  },
  payment: {
    gateway: cpuMs('gateway', 'a payment'),
    catalog: cpuMs('catalog', 'a payment'),
    'x402-facilitator': cpuMs('x402-facilitator', 'a payment'),
    // Logs of a block travel together, so that one of many costs what it does in the reading of many.
    'chain-indexer': measured('indexing', 'CPU per settlement, relay included') / 1_000,
  },
  modelCall: { gateway: streamMs('gateway'), router: streamMs('router') },
})

/** Memory of a process of a target, in MiB; the catalog's with its index. */
export const memoryMib = (target: string, listings = 0): number =>
  counted('footprint', { table: REST, row: target, column: 'resident memory MiB' }) +
  (target === 'catalog' ? indexOf(listings) : 0)

/** Straight lines through what was measured: nothing, 200,000 and 1,000,000 listings. */
export function indexOf(listings: number): number {
  const [few, many] = [200_000, 1_000_000]
  if (listings <= few) return (indexMib(few) * listings) / few
  return indexMib(few) + ((indexMib(many) - indexMib(few)) * (listings - few)) / (many - few)
}

/** What the bench that the indexer was measured by had: payments and blocks, all read at this many payments a second. */
const INDEXED = { payments: 50_000, blocks: 300 }

/** Blocks that one replica records a second, of one with as many payments as those had. */
export const blocksPerSecond = (): number =>
  INDEXED.blocks / (INDEXED.payments / measured('indexing', 'settlements committed, with their events'))

/** Messages published on NATS, and bytes of them. */
export const published = (row: string, column: 'messages' | 'bytes'): number =>
  counted('footprint', { table: 'published on NATS', row, column })
