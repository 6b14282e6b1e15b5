import { z } from 'zod'
import { operation } from '../../operation.ts'
import { alreadyOwned, invalidRequest, invalidSignature, noListings, notPayee, unavailable } from '../../refusals.ts'
import { Address, Slug, WalletSignature } from '../../schemas/words.ts'

/** Scheme, host and port of a seller's server, and nothing else: `https://api.example`. */
const BareOrigin = z
  .string()
  .max(300)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
  }, 'must be a bare origin such as https://api.example: no path, no query, no slash at its end')

export const claimNonce = operation({
  id: 'listings.claimNonce',
  summary: 'The message that a payee signs to claim the mirrored listings of an origin',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/claim-nonce',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'nonce',
    ok: 200,
    changes: true,
  },
  input: z.strictObject({ origin: BareOrigin, wallet: Address }),
  output: z.object({ message: z.string() }),
  errors: [invalidRequest, unavailable],
})

export const claim = operation({
  id: 'listings.claim',
  summary: 'Claim every unowned mirrored listing of an origin that pays the signing wallet',
  timeoutMs: 20_000,
  http: {
    method: 'POST',
    path: '/api/call/listings/claim',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'signIn',
    ok: 200,
  },
  input: z.strictObject({
    origin: BareOrigin,
    /** Exactly as `claim-nonce` returned it. */
    message: z.string().min(1).max(2048),
    signature: WalletSignature,
  }),
  output: z.object({ claimed: z.array(Slug) }),
  errors: [invalidRequest, invalidSignature, notPayee, noListings, alreadyOwned, unavailable],
})
