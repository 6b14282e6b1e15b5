import { router } from '@callboard/contract'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import { Client } from './client.ts'
import { newOwner, type Owner } from './owner.ts'
import { perTarget } from './per-target.ts'

/** A Router key that an owner made. */
export interface RouterKey {
  readonly id: string
  readonly key: string
  /** Sends it as OpenAI's clients do. */
  readonly bearer: Client
  /** Sends it as Anthropic's clients do. */
  readonly xApiKey: Client
}

/** Sends a key, or what is none, in both ways. */
export const sending = ({ baseUrl }: Target, key: string): Pick<RouterKey, 'bearer' | 'xApiKey'> => ({
  bearer: new Client(baseUrl, { authorization: `Bearer ${key}` }),
  xApiKey: new Client(baseUrl, { 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
})

/** Makes a key that draws on the owner's balance, or on what `source` says. */
export async function newRouterKey(target: Target, { session }: Owner, source = 'balance'): Promise<RouterKey> {
  const answer = await session.post('/api/router/keys', { label: 'conformance', source })
  const { id, key } = accepted(router.createKey, answer)
  return { id, key, ...sending(target, key) }
}

/** A key of an owner who bought nothing, shared by a run. */
export const emptyKeyOf = perTarget(async (target) => newRouterKey(target, await newOwner(target)))

/** A key of the right form that nobody was given. */
export const UNKNOWN_KEY = `cb_router_${'0'.repeat(43)}`
