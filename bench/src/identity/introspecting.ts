import { natsBus } from '@callboard/bus'
import { anonymous, oauth } from '@callboard/contract'
import { redisCounters } from '@callboard/store'
import { systemClock } from '@callboard/values'
import { Introspections } from '../../../services/gateway/src/credentials/introspections.ts'
import { closedLoop, type Load } from './closed-loop.ts'
import type { Peer } from './peers.ts'

const TIMES = 20_000
const AT_ONCE = 50

const repeated = (credentials: readonly string[]) =>
  Array.from({ length: TIMES }, (_, index) => credentials[index % credentials.length] ?? '')

interface Servers {
  readonly natsUrl: string
  readonly redisUrl: string
}

/**
 * What a gateway spends to identify callers: here this process asks oauth for every request, or caches answers, which
 * are valid while a number in Redis is unchanged.
 * @param pids of oauth
 */
export async function introspectOurs(
  { natsUrl, redisUrl }: Servers,
  tokens: readonly string[],
  pids: readonly number[],
) {
  const bus = await natsBus(natsUrl, 'bench')
  const counters = redisCounters(redisUrl, (error) => console.error(error))
  const ask = (credential: string) =>
    bus.call(
      oauth.introspect,
      { credential, kind: 'bearer' },
      { caller: anonymous, requestId: 'bench', timeoutMs: 5_000 },
    )
  const kept = new Introspections(counters, systemClock)
  const caller = async (token: string) => {
    const questions = { ask: () => ask(token), restOf: async () => undefined }
    const worth = await kept.worthOf(token, 'bearer', questions)
    if (!worth.caller) throw new Error('A token was refused')
  }
  const both = [process.pid, ...pids]
  try {
    const asked = await closedLoop(repeated(tokens), ask, { atOnce: AT_ONCE, pids: both })
    const cached = await closedLoop(repeated(tokens), caller, { atOnce: AT_ONCE, pids: both })
    return { asked, cached }
  } finally {
    await counters.close()
    await bus.close()
  }
}

/** RFC 7662 at the peer, over HTTP; only its own CPU counts. */
export async function introspectPeer({ url, pid, said }: Peer): Promise<Load> {
  const headers = { authorization: `Basic ${Buffer.from(`gateway:${said.split(' ')[1]}`).toString('base64')}` }
  const granted = await fetch(`${url}/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await granted.json()) as { access_token: string }
  const introspect = async (token: string) => {
    const answer = await fetch(`${url}/token/introspection`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token }),
    })
    if (!((await answer.json()) as { active: boolean }).active) throw new Error('The peer refused its own token')
  }
  return closedLoop(repeated([access_token]).slice(0, TIMES / 4), introspect, { atOnce: AT_ONCE, pids: [pid] })
}
