import { type Address, chainIdOf, type Hex } from '@callboard/values'
import {
  AnyPaymentPayload,
  AnyV1PaymentPayload,
  type Authorization,
  authorizationDigest,
  Eip3009Payload,
  type Extensions,
  isObject,
  type Recovered,
  recover,
  type SettledToken,
  type V1Networks,
} from '@callboard/x402'
import { type Finding, findingsOf } from './findings.ts'
import type { Statement } from './statement.ts'

/** A decoded payment: its terms, what was signed, by whom, and what is wrong with it. */
export interface DecodedPayment {
  readonly x402Version: number
  readonly scheme: string
  /** CAIP-2 where the network is known, else as written. */
  readonly network: string
  readonly asset: string | null
  readonly authorization: Authorization | null
  readonly digest: Hex | null
  readonly recoveredSigner: Address | null
  readonly secondsLeft: number | null
  readonly extensions: Extensions | null
  readonly findings: readonly Finding[]
}

export interface Knowledge {
  /** Tokens whose EIP-712 domain is known. */
  readonly tokens: readonly SettledToken[]
  /** Unix seconds. */
  readonly now: number
}

/** Reads the outer shape of a payment of either version; undefined when it is none. */
export function readStatement(payment: unknown, v1Networks: V1Networks): Statement | undefined {
  if (isObject(payment) && payment.x402Version === 1) {
    const { success, data } = AnyV1PaymentPayload.safeParse(payment)
    if (!success) return undefined
    const network = v1Networks.get(data.network) ?? data.network
    return {
      x402Version: 1,
      scheme: data.scheme,
      network,
      accepted: undefined,
      payload: data.payload,
      extensions: null,
    }
  }
  const { success, data } = AnyPaymentPayload.safeParse(payment)
  if (!success) return undefined
  const { accepted, payload, extensions = null } = data
  return { x402Version: 2, scheme: accepted.scheme, network: accepted.network, accepted, payload, extensions }
}

/** Decodes a payment. Asks no chain: balance and nonce on the chain are checked by the facilitator's `verify`. */
export async function decodePayment(statement: Statement, { tokens, now }: Knowledge): Promise<DecodedPayment> {
  const { x402Version, scheme, network, accepted, payload, extensions } = statement
  const served = tokens.filter((token) => token.network === network)
  const token = accepted ? served.find(({ asset }) => asset.toLowerCase() === accepted.asset.toLowerCase()) : served[0]
  const read = Eip3009Payload.safeParse(payload)
  const signed = read.success ? read.data : undefined
  const digest = signed && token ? digestOf(token, signed.authorization) : null
  const recovered: Recovered | undefined = signed && digest ? await recover(digest, signed.signature) : undefined
  const secondsLeft = signed ? boundedSeconds(BigInt(signed.authorization.validBefore) - BigInt(now)) : null
  return {
    x402Version,
    scheme,
    network,
    asset: accepted?.asset ?? token?.asset ?? null,
    authorization: signed?.authorization ?? null,
    digest,
    recoveredSigner: recovered?.ok ? recovered.address : null,
    secondsLeft,
    extensions,
    findings: findingsOf({ statement, token, signed, recovered, now, networkIsKnown: served.length > 0 }),
  }
}

function digestOf({ network, asset, name, version }: SettledToken, authorization: Authorization): Hex | null {
  const chainId = chainIdOf(network)
  return chainId === undefined
    ? null
    : authorizationDigest({ name, version, chainId, verifyingContract: asset }, authorization)
}

/** A window may end 2^256 seconds from now, which no JSON reader holds exactly. */
const boundedSeconds = (seconds: bigint): number =>
  Number(seconds > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : seconds)
