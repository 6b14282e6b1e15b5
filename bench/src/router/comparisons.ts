import type { Comparison } from '../figure.ts'
import { MOMENTS, type Moment, PATIENCE_MS } from './aborts.ts'
import type { Loaded } from './rounds.ts'
import { type Seen, sumOf } from './tables.ts'

const PEER = 'Portkey'

/** Ours next to Portkey, which has neither keys nor limits nor money; added time is what exceeds the upstream's own. */
export function comparisonsOf(all: readonly Seen[], loaded: Loaded): Comparison[] {
  const seen = (name: string): Seen => {
    const found = all.find(({ gateway }) => gateway.name === name)
    if (!found) throw new Error(`${name} was not measured`)
    return found
  }
  const [ours, portkey, direct] = [seen('ours'), seen(PEER), seen('direct')]
  const many = loaded('ours', 'small', 32)
  const peerMany = loaded(PEER, 'small', 32)
  /** A ratio to zero is meaningless. */
  const peer = (value: number): Pick<Comparison, 'peer'> =>
    Number.isFinite(value) && value !== 0 ? { peer: { name: PEER, value } } : {}
  const less = (
    what: string,
    unit: string,
    value: number,
    target: number,
    more: Partial<Comparison> = {},
  ): Comparison => ({
    ...{ what, unit, better: 'less', ours: value, target: { value: target } },
    ...more,
  })
  const added = (of: (name: string) => number, name: string) => of(name) - of('direct')
  const alone = (name: string) => loaded(name, 'small', 1)
  const firstByte = (name: string) => loaded(name, 'stream', 1).firstByteP50
  const frames = ({ paced }: Seen) => paced.p99 - direct.paced.p99
  const against = (what: string, target: number, of: (name: string) => number) =>
    less(what, 'ms', added(of, 'ours'), target, peer(added(of, PEER)))
  const aborts = (Object.keys(MOMENTS) as Moment[]).map((moment) =>
    less(`client gone → upstream aborted, ${moment}, p99`, 'ms', ours.aborted[moment].p99 ?? PATIENCE_MS, 50, {
      ...peer(portkey.aborted[moment].p99 ?? Number.NaN),
    }),
  )
  return [
    {
      ...{ what: 'small body, 32 at once', unit: '/s', better: 'more', ours: many.perSecond },
      ...peer(peerMany.perSecond),
      target: { ratio: 1 },
    },
    less('CPU of a small body, gateway', 'µs', many.cpuMicros.gateway ?? Number.NaN, 200),
    less('CPU of a small body, all our processes without Postgres', 'µs', sumOf(many.cpuMicros), 600, {
      ...peer(sumOf(peerMany.cpuMicros)),
    }),
    against('added to a small body, alone, p50', 2, (name) => alone(name).p50),
    against('added to a small body, alone, p99', 8, (name) => alone(name).p99),
    against('added to the first byte of a stream, alone, p50', 3, firstByte),
    less('added to a frame of a paced stream, p99', 'ms', frames(ours), 1, peer(frames(portkey))),
    less('frames lost, of many paced streams', '', ours.held.lost, 0, peer(portkey.held.lost)),
    less('memory after them, beside idle', '×', ours.held.after / ours.held.idle, 1.2, {
      ...peer(portkey.held.after / portkey.held.idle),
    }),
    ...aborts,
  ]
}
