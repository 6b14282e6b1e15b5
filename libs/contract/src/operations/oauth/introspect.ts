import { z } from 'zod'
import { Caller } from '../../caller.ts'
import { operation } from '../../operation.ts'

/**
 * Whose credential this is. `epoch` is the revocation counter of the account, or of the link for access tokens, when this
 * was answered: a cached answer is good only while the shared counter `epochKey` still shows it, for `cacheMs` at most.
 */
export const introspect = operation({
  id: 'oauth.introspect',
  summary: 'Whose credential this is, and until when the answer may be kept',
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
