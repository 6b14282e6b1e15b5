import type { Figure } from '../figure.ts'
import { loadNote } from '../machine-load.ts'
import { type Aborted, abortTimes, MOMENTS, type Moment } from '../router/aborts.ts'
import { comparisonsOf } from '../router/comparisons.ts'
import type { Gateway } from '../router/gateway.ts'
import { heldStreams } from '../router/held-streams.ts'
import { LITELLM, startLitellm } from '../router/litellm.ts'
import { startOurs } from '../router/ours.ts'
import { pacedStreams } from '../router/paced.ts'
import { PORTKEY, startPortkey } from '../router/portkey.ts'
import { inRounds } from '../router/rounds.ts'
import { startUpstream, type Upstream } from '../router/start-upstream.ts'
import { type Seen, tablesOf } from '../router/tables.ts'

/** The amount of work, normally and to see that it runs. */
const USUAL = { rounds: 3, ms: 3_000, warmUpMs: 15_000, paced: 8, streams: 500, clients: 100 }
const BRIEF: typeof USUAL = { rounds: 1, ms: 800, warmUpMs: 500, paced: 4, streams: 50, clients: 20 }
const PACED_PATIENCE_MS = 10_000

const direct = ({ port, pid }: Upstream): Gateway => ({
  ...{ name: 'direct', port, path: '/v1/chat/completions', headers: [{}] },
  processes: { upstream: [pid] },
  stop: async () => {},
})

async function seenOf(gateway: Gateway, upstream: Upstream, { paced, streams, clients }: typeof USUAL): Promise<Seen> {
  const aborted: Partial<Record<Moment, Aborted>> = {}
  const frames = await pacedStreams(gateway, paced, PACED_PATIENCE_MS)
  for (const moment of Object.keys(MOMENTS) as Moment[]) {
    aborted[moment] = await abortTimes(gateway, upstream, moment, clients)
  }
  const held = await heldStreams(gateway, streams)
  return { gateway, paced: frames, held, aborted: aborted as Seen['aborted'] }
}

export const figure: Figure = {
  title: 'The Router',
  method:
    'One upstream in its own process is asked directly and through each gateway for a completion of 734 bytes, 53 chunks as fast as possible, or 64 frames 20 ms apart. Sockets are kept alive, and the next request is sent when the last byte of the answer has arrived. Each gateway is loaded for 30 s before it is measured, then measured for 3 s with one request and with 32 requests at a time, in three rounds in which all take turns; the median of each quantity counts. CPU is the kernel’s count for each process. Frames carry the moment at which they left, and 500 paced streams begin within half a second. A client closes its connection 60 ms after the upstream received its call, five at a time. Ours runs every service in its own process, with keys of eight owners and with introspection, rate limits in Redis, and holds and settlement in Postgres switched on. Portkey and LiteLLM (without a database) are one process each and do none of this, except that LiteLLM compares one key.',
  async run({ brief }) {
    const amount = brief ? BRIEF : USUAL
    const load = loadNote()
    const upstream = await startUpstream()
    const gateways: Gateway[] = [direct(upstream)]
    try {
      gateways.push(await startOurs(upstream.url), await startPortkey(upstream.url))
      const litellm = await startLitellm(upstream.url)
      if (litellm) gateways.push(litellm)
      const loaded = await inRounds(gateways, amount)
      const all: Seen[] = []
      for (const gateway of gateways) all.push(await seenOf(gateway, upstream, amount))
      return {
        comparisons: comparisonsOf(all, loaded),
        tables: tablesOf(all, loaded),
        notes: [
          load,
          '– means that the upstream continued to its end, because nothing told it that the client had gone.',
          ...(litellm ? [] : ['LiteLLM could not be installed: there is no Python 3.11 with its packages.']),
        ],
        versions: { ...PORTKEY, ...(litellm ? LITELLM : {}) },
      }
    } finally {
      for (const gateway of gateways.toReversed()) await gateway.stop()
      upstream.stop()
    }
  },
}
