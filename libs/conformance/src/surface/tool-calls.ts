import { setTimeout as wait } from 'node:timers/promises'
import type { Stage } from '../stage.ts'

/** What each tool is called with, beside those of `stage`'s own account. */
export const TOOL_INPUTS: Readonly<Record<string, (stage: Stage) => object>> = {
  catalog_discovery: ({ word }) => ({ q: word, includeUnverified: true, limit: 2 }),
  catalog_entry: ({ weather }) => ({ serviceId: weather.slug }),
  catalog_stats: () => ({}),
  catalog_activity: ({ weather }) => ({ listing: weather.slug, limit: 1 }),
  catalog_addressActivity: ({ payer }) => ({ address: payer.address }),
  catalog_walletUsage: ({ payer }) => ({ wallet: payer.address }),
  catalog_identity: ({ payer }) => ({ wallet: payer.address }),
  router_models: () => ({}),
  listings_resync: ({ weather }) => ({ slug: weather.slug }),
  agents_self: () => ({}),
  agents_siblings: () => ({}),
  agents_selfRouter: () => ({}),
  agents_selfStake: () => ({}),
  listings_mine: () => ({ limit: 1 }),
  listings_visibility: ({ draft, word }) => ({ slug: draft.slug, q: word }),
  listings_probe: ({ scripted }) => ({ url: scripted.url('/tool') }),
}

/** Calls a tool again as long as the limit of its route refuses it, as the client does after a 429. */
export async function politely<Answer>(
  call: () => Promise<Answer>,
  dataOf: (answer: Answer) => Readonly<Record<string, unknown>>,
): Promise<Answer> {
  for (;;) {
    const answer = await call()
    const { error, retryAfterSeconds } = dataOf(answer)
    if (error !== 'rate_limited') return answer
    await wait(Number(retryAfterSeconds) * 1000)
  }
}
