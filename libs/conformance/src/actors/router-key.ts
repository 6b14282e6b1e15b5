import { router } from '@callboard/contract'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import { Client } from './client.ts'
import { newOwner, type Owner } from './owner.ts'
import { perTarget } from './per-target.ts'

/** A Router key created by an owner. */
export interface RouterKey {
  readonly id: string
  readonly key: string
  /** Sends it as OpenAI's clients do. */
  readonly bearer: Client
  /** Sends it as Anthropic's clients do. */
  readonly xApiKey: Client
}

/** Clients that send a text as a Router key, in both ways. */
export const sending = ({ baseUrl }: Target, key: string): Pick<RouterKey, 'bearer' | 'xApiKey'> => ({
  bearer: new Client(baseUrl, { authorization: `Bearer ${key}` }),
  xApiKey: new Client(baseUrl, { 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
})

/** Creates a key that draws on the owner's balance, or on the given `source`. */
export async function newRouterKey(target: Target, { session }: Owner, source = 'balance'): Promise<RouterKey> {
  const answer = await session.post('/api/router/keys', { label: 'conformance', source })
  const { id, key } = accepted(router.createKey, answer)
  return { id, key, ...sending(target, key) }
}

/** A key of an owner who has bought nothing, shared by a run. */
export const emptyKeyOf = perTarget(async (target) => newRouterKey(target, await newOwner(target)))

/** A well-formed key that was never issued. */
export const UNKNOWN_KEY = `cb_router_${'0'.repeat(43)}`
