import { z } from 'zod'
import { Caller } from '../../caller.ts'
import { operation } from '../../operation.ts'
import { Address } from '../../schemas/words.ts'

/**
 * Whose credential this is. `epoch` is the revocation counter of the account, or of the link for access tokens, at the
 * time of the answer: a cached answer is valid only while the shared counter `epochKey` has that value, and for at most
 * `cacheMs`.
 */
export const introspect = operation({
  id: 'oauth.introspect',
  summary: 'The owner of a credential, and how long the answer may be cached',
  timeoutMs: 3_000,
  input: z.object({ credential: z.string().max(512), kind: z.enum(['bearer', 'session']) }),
  output: z.discriminatedUnion('active', [
    z.object({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      caller: Caller,
      epochKey: z.string(),
      epoch: z.number().int().nonnegative(),
      cacheMs: z.number().int().nonnegative(),
    }),
  ]),
  errors: [],
})

/**
 * A request admitted by a session may still be running after the session ends. A service that grants something durable
 * asks this once more, after writing it down: if the session is still active, its end comes later, and removes the
 * grant or shows it.
 */
export const sessionState = operation({
  id: 'oauth.sessionState',
  summary: 'Whether a session is still active',
  timeoutMs: 2_000,
  input: z.object({ owner: Address, sessionId: z.string().min(1).max(64) }),
  output: z.object({ active: z.boolean() }),
  errors: [],
})
