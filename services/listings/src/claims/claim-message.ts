import { STATEMENTS } from '@callboard/contract'
import {
  checkSiwe,
  contractSignatureVerifier,
  parseSiwe,
  type SiweFields,
  siweMessage,
  siweProblem,
} from '@callboard/evm'
import { unlessUnavailable } from '@callboard/runtime'
import { consumeNonce, NONCE_TTL_MS } from '@callboard/store'
import { type Address, isoTime, isRefusal, refuse } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import type { Signer } from '../domain/mirror/payee.ts'
import { unlessChainUnavailable } from '../unless-chain-unavailable.ts'

/** The terms that a payee agrees to: who becomes the owner of an origin's listings. */
export interface ClaimTerms {
  readonly origin: string
  /** The account that takes them; no other can use the signature. */
  readonly owner: Address
}

/** The text that a payee signs. Its resources name the origin and the account, so that neither can be replaced. */
export function claimMessage(
  { config }: Pick<ListingsContext, 'config'>,
  { origin, owner }: ClaimTerms,
  said: Pick<SiweFields, 'address' | 'chainId' | 'nonce'> & { readonly issuedAtMs: number },
): string {
  const { issuedAtMs, ...fields } = said
  const base = new URL(config.BASE_URL)
  return siweMessage({
    ...fields,
    domain: base.host,
    statement: STATEMENTS.claim,
    uri: base.origin,
    issuedAt: isoTime(issuedAtMs),
    expirationTime: isoTime(issuedAtMs + NONCE_TTL_MS),
    resources: [origin, `did:pkh:eip155:${fields.chainId}:${owner}`],
  })
}

/** Checks that a wallet signed the exact message of the claim, and spends its nonce. */
export async function checkClaim(ctx: ListingsContext, terms: ClaimTerms, message: string, signature: string) {
  const fields = parseSiwe(message)
  const issuedAtMs = Date.parse(fields?.issuedAt ?? '')
  if (!fields || message !== claimMessage(ctx, terms, { ...saidIn(fields), issuedAtMs })) {
    const text = 'The message is not the one that claim-nonce gave this account for this origin.'
    return refuse('invalid_signature', { field: 'message', message: text })
  }
  const { chains, clients } = ctx.resources
  const expect = {
    domain: fields.domain,
    uri: fields.uri,
    statement: STATEMENTS.claim,
    chainIds: [...chains.values()].map(({ chainId }) => chainId),
  }
  const check = await unlessChainUnavailable(ctx, () =>
    checkSiwe({
      ...{ message, signature, now: ctx.clock.now() },
      expect,
      verifyContractSignature: contractSignatureVerifier(clients),
    }),
  )
  if (isRefusal(check)) return check
  if (!check.ok) {
    return refuse('invalid_signature', { message: `The message is refused: ${siweProblem(check.reason, expect)}.` })
  }
  const spent = await unlessUnavailable(ctx, 'nonce store', () => consumeNonce(ctx.counters, 'claim', check.nonce))
  if (isRefusal(spent)) return spent
  if (!spent) {
    const text = 'The nonce was not issued for a claim, was already used, or is too old.'
    return refuse('invalid_signature', { field: 'message', message: text })
  }
  const network = check.provedBy === 'contract' ? `eip155:${check.chainId}` : null
  return { address: check.address, network } satisfies Signer
}

const saidIn = ({ address, chainId, nonce }: SiweFields) => ({ address, chainId, nonce })
