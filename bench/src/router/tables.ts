import type { Table } from '../figure.ts'
import { type Aborted, MOMENTS, type Moment } from './aborts.ts'
import type { Gateway } from './gateway.ts'
import type { Held } from './held-streams.ts'
import type { Frames } from './paced.ts'
import type { Loaded } from './rounds.ts'

/** Everything that was observed of one gateway. */
export interface Seen {
  readonly gateway: Gateway
  readonly paced: Frames
  readonly held: Held
  readonly aborted: Readonly<Record<Moment, Aborted>>
}

/** The sum over all processes but Postgres. */
export const sumOf = (cpuMicros: Readonly<Record<string, number>>): number =>
  Object.entries(cpuMicros)
    .filter(([name]) => name !== 'postgres')
    .reduce((sum, [, micros]) => sum + micros, 0)

const MICROS = 1_000
/** A time that never came counts as none. */
const timeOf = (aborted: Aborted): (number | null)[] => [aborted.p50, aborted.p99]

/** Null where nothing was answered in time, to avoid dividing by it. */
const known = (value: number | null | undefined): number | null =>
  value !== undefined && value !== null && Number.isFinite(value) ? value : null

export function tablesOf(all: readonly Seen[], loaded: Loaded): Table[] {
  const rows = (of: (seen: Seen) => (number | null)[]): [string, ...(number | null)[]][] =>
    all.map((seen) => [seen.gateway.name, ...of(seen).map(known)])
  const ours = all.find(({ gateway }) => gateway.name === 'ours')
  return [
    {
      title: 'small body',
      columns: ['/s, 1', 'p50 µs, 1', 'p99 µs, 1', '/s, 32', 'p50 ms, 32', 'p99 ms, 32', 'CPU µs without Postgres, 32'],
      rows: rows(({ gateway: { name } }) => {
        const [alone, many] = [loaded(name, 'small', 1), loaded(name, 'small', 32)]
        return [
          ...[alone.perSecond, alone.p50 * MICROS, alone.p99 * MICROS],
          ...[many.perSecond, many.p50, many.p99, sumOf(many.cpuMicros)],
        ]
      }),
    },
    {
      title: '53-chunk stream',
      columns: ['first byte p50 ms, 1', 'whole p50 ms, 1', '/s, 32', 'CPU µs without Postgres, 32'],
      rows: rows(({ gateway: { name } }) => {
        const [alone, many] = [loaded(name, 'stream', 1), loaded(name, 'stream', 32)]
        return [alone.firstByteP50, alone.p50, many.perSecond, sumOf(many.cpuMicros)]
      }),
    },
    {
      title: 'ours, CPU µs at 32 at once',
      columns: ['small body', '53-chunk stream'],
      rows: Object.keys(ours?.gateway.processes ?? {}).map((name) => [
        name,
        known(loaded('ours', 'small', 32).cpuMicros[name]),
        known(loaded('ours', 'stream', 32).cpuMicros[name]),
      ]),
    },
    {
      title: 'paced streams, 64 × 20 ms',
      columns: ['frame p50 ms, 8', 'frame p99 ms, 8', 'frame p99 ms, many', 'lost frames', 'frames over 200 ms late'],
      rows: rows(({ paced, held }) => [paced.p50, paced.p99, held.p99, held.lost, held.stalled]),
    },
    {
      title: 'memory around many paced streams, MiB',
      columns: ['idle', 'at most', 'ten seconds after'],
      rows: rows(({ held }) => [held.idle, held.busy, held.after]),
    },
    {
      title: 'client gone → upstream aborted, ms',
      columns: Object.keys(MOMENTS).flatMap((moment) => [`p50, ${moment}`, 'p99']),
      rows: rows(({ aborted }) => (Object.keys(MOMENTS) as Moment[]).flatMap((moment) => timeOf(aborted[moment]))),
    },
  ]
}
