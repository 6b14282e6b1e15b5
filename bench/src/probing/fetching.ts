import { UNREACHABLE_DEVNET } from '@callboard/testkit'
import { Config } from '../../../services/liveness-prober/src/config.ts'
import { type GuardedOrigin, guardedOrigin } from '../../../services/liveness-prober/src/guarded-fetch/index.ts'
import { probeEndpoint } from '../../../services/liveness-prober/src/probe-endpoint.ts'
import { openResources } from '../../../services/liveness-prober/src/resources.ts'

const resources = openResources(
  Config.parse({
    BASE_URL: 'http://127.0.0.1:8402',
    PROBE_ALLOW_LOOPBACK: 'true',
    PROBE_SIGNING_KEYS: 'b5'.repeat(32),
    DEVNET: UNREACHABLE_DEVNET,
  }),
  Date.now,
)

/** Calls one endpoint and reads its offer, as each of our probes does; nothing is stored. */
async function probe(origin: GuardedOrigin, url: URL): Promise<void> {
  const { state } = await probeEndpoint({ clock: Date, resources }, origin, { url, method: 'GET' })
  if (state !== 'ok_402') throw new Error(`${url.href} was ${state}`)
}

/** A piece of work: some endpoints of an origin over one new connection. */
export const freshConnection = (base: string, endpoints: number) => async () => {
  const origin = guardedOrigin(new URL(base), resources.guard)
  try {
    for (let at = 0; at < endpoints; at += 1) await probe(origin, new URL(`/${at}`, base))
  } finally {
    await origin.close()
  }
}

/** A piece of work: one endpoint over a persistent connection, with as many connections as concurrent pieces. */
export function keptConnection(base: string) {
  const idle: GuardedOrigin[] = []
  const url = new URL('/kept', base)
  return async () => {
    const origin = idle.pop() ?? guardedOrigin(url, resources.guard)
    await probe(origin, url)
    idle.push(origin)
  }
}
