import { createHash } from 'node:crypto'
import { checkSiwe, siweMessage, siweProblem } from '@callboard/evm'
import { newNonce } from '@callboard/store'
import { type Address, type Caip2, isoTime, MINUTE_MS, type Refusal, refuse } from '@callboard/values'
import { decodeHeader } from '@callboard/x402'
import { z } from 'zod'
import type { RouterContext } from '../context.ts'

export const SIGN_IN_WITH_X = 'sign-in-with-x'
const STATEMENT = 'Sign in to spend the Router balance of this wallet on model calls.'
/** How long a sign-in is valid, counted from its challenge. */
const LIFE_MS = 5 * MINUTE_MS
const LONGEST_HEADER = 8_192

/**
 * A wallet's proof in the form of x402 clients.
 * @source x402 v2, extension sign-in-with-x; CAIP-122, EIP-4361
 */
const Proof = z.object({
  domain: z.string(),
  address: z.string(),
  statement: z.string().optional(),
  uri: z.string(),
  version: z.literal('1'),
  chainId: z.string().regex(/^eip155:[1-9][0-9]{0,14}$/, 'must be a chain of eip155'),
  type: z.literal('eip191'),
  nonce: z.string(),
  issuedAt: z.string(),
  expirationTime: z.string(),
  notBefore: z.string().optional(),
  requestId: z.string().optional(),
  resources: z.array(z.string()).optional(),
  signature: z.string(),
})
type Proof = z.output<typeof Proof>

type SigningIn = Pick<RouterContext, 'config' | 'counters' | 'clock'>

/** The extension of an offer through which a wallet with a balance signs in; it logs in and pays nothing. */
export async function signInExtension({ config, counters, clock }: SigningIn, networks: readonly Caip2[]) {
  const now = clock.now()
  const nonce = newNonce()
  await counters.raise(nonceKey(nonce), now + LIFE_MS, LIFE_MS)
  const { host, origin } = new URL(config.BASE_URL)
  return {
    info: {
      ...{ domain: host, uri: origin, statement: STATEMENT, version: '1', nonce },
      ...{ issuedAt: isoTime(now), expirationTime: isoTime(now + LIFE_MS) },
    },
    supportedChains: networks.map((chainId) => ({ chainId, type: 'eip191' as const })),
    schema: z.toJSONSchema(Proof),
  }
}

/** The wallet that a `SIGN-IN-WITH-X` header signs in. The same header serves all calls of a login, until it ends. */
export async function signedIn(
  ctx: SigningIn,
  header: string,
): Promise<{ readonly wallet: Address } | Refusal<'unauthorized'>> {
  const read = decodeHeader(Proof, header, LONGEST_HEADER)
  if (!read.ok) return refused(`it cannot be read: ${read.detail ?? read.reason}`)
  const proof = read.value
  const login = `router:sign-in:${createHash('sha256').update(header).digest('base64url')}`
  const now = ctx.clock.now()
  const until = await ctx.counters.number(login)
  if (until !== undefined && now < until) return { wallet: proof.address as Address }
  const checked = await checkProof(ctx, proof, now)
  if ('refusal' in checked) return checked
  const challengeEnd = await ctx.counters.number(nonceKey(checked.nonce))
  if (challengeEnd === undefined || now >= challengeEnd)
    return refused('its nonce was not issued by this service, or is too old')
  // It ends with its challenge, or earlier if the wallet says so: neither it nor a thief of the header can prolong it.
  const end = Math.min(challengeEnd, Date.parse(proof.expirationTime))
  await ctx.counters.raise(login, end, end - now)
  return { wallet: checked.address }
}

const nonceKey = (nonce: string) => `router:sign-in-nonce:${nonce.slice(0, 64)}`

async function checkProof({ config }: SigningIn, proof: Proof, now: number) {
  const message = messageOf(proof)
  if (message === undefined) return refused('it does not form an EIP-4361 message')
  const { host, origin } = new URL(config.BASE_URL)
  const chainIds = [chainIdOf(proof)]
  const expect = { domain: host, uri: origin, statement: STATEMENT, chainIds }
  const checked = await checkSiwe({ message, signature: proof.signature, now, expect })
  if (!checked.ok) return refused(siweProblem(checked.reason, expect))
  // Later calls identify the login by its header, which contains the address as the wallet wrote it.
  return checked.address === proof.address ? checked : refused('the address is not in EIP-55 form')
}

const chainIdOf = ({ chainId }: Proof): number => Number(chainId.slice('eip155:'.length))

function messageOf(proof: Proof): string | undefined {
  const { domain, uri, statement, nonce, issuedAt, expirationTime, notBefore, requestId, resources } = proof
  try {
    return siweMessage({
      ...{ domain, uri, nonce, issuedAt, expirationTime },
      address: proof.address as Address,
      chainId: chainIdOf(proof),
      ...(statement !== undefined && { statement }),
      ...(notBefore !== undefined && { notBefore }),
      ...(requestId !== undefined && { requestId }),
      ...(resources !== undefined && { resources }),
    })
  } catch {
    return undefined
  }
}

const refused = (why: string) =>
  refuse('unauthorized', { field: 'SIGN-IN-WITH-X', message: `SIGN-IN-WITH-X is refused: ${why}.` })
