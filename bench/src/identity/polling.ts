import { askToLink } from '@callboard/conformance/agent'
import { newAccount } from '@callboard/conformance/chain'
import type { Target } from '@callboard/conformance/target'
import { DEVICE_CODE_GRANT } from '@callboard/contract'
import { cpuTimeMs } from '../cpu-time.ts'
import { type Asked, type Driven, driven } from '../open-loop.ts'
import { inParallel } from './closed-loop.ts'
import type { Peer } from './peers.ts'

const POLLERS = 1_000
const INTERVAL_S = 5
/** Until each gateway has compiled the code of a poll, some 4,000 polls. */
const WARM_UP_MS = 60_000
const MS = 30_000

const poll = (url: string, deviceCode: string, clientId: string): Asked => ({
  url,
  form: new URLSearchParams({
    grant_type: DEVICE_CODE_GRANT,
    device_code: deviceCode,
    client_id: clientId,
  }).toString(),
})

/** Agents poll at their interval for links that no owner decides; each must get the answer that it is pending. */
async function polled(requests: readonly Asked[], pids: readonly number[]): Promise<Driven> {
  const drive = {
    requests,
    good: { status: 400, text: 'authorization_pending' },
    perSecond: POLLERS / INTERVAL_S,
    warmUpMs: WARM_UP_MS,
    ms: MS,
  }
  const times = await driven(drive, () => pids.reduce((sum, pid) => sum + cpuTimeMs(pid), 0))
  if (times.failed > 0) throw new Error(`${times.failed} of ${POLLERS} pollers did not get the answer to wait`)
  return times
}

/** Our pollers, each with a wallet of its own. */
export async function pollUs(target: Target, pids: readonly number[]): Promise<Driven> {
  const requests: Asked[] = []
  await inParallel(
    Array.from({ length: POLLERS }),
    async () => {
      const { device_code, client_id } = await askToLink(target, newAccount())
      requests.push(poll(`${target.baseUrl}/oauth/token`, device_code, client_id))
    },
    8,
  )
  return polled(requests, pids)
}

export async function pollOidcProvider({ url, pid }: Peer): Promise<Driven> {
  const requests: Asked[] = []
  await inParallel(
    Array.from({ length: POLLERS }),
    async () => {
      const answer = await fetch(`${url}/device/auth`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'device', scope: 'openid' }),
      })
      const { device_code } = (await answer.json()) as { device_code: string }
      requests.push(poll(`${url}/token`, device_code, 'device'))
    },
    8,
  )
  return polled(requests, [pid])
}
