import {
  type Eip3009Payload,
  isErc6492,
  isGatewayBatched,
  isObject,
  type Recovered,
  type SettledToken,
  type SignatureFault,
  VALID_BEFORE_MARGIN_SECONDS,
} from '@callboard/x402'
import type { Statement } from './statement.ts'

/** One noteworthy fact about a payment. */
export interface Finding {
  readonly code: FindingCode
  readonly message: string
}

const MESSAGES = {
  unpayable_scheme: 'Only the scheme `exact` moves the money with this authorization.',
  unknown_network: 'The network is not one whose token is known here, so nothing can be said of the signature.',
  unknown_token: 'The asset is not the known USDC of its network; a look-alike may bear any name.',
  look_alike_domain: 'The entry names another EIP-712 domain than its asset: the token would not take this signature.',
  permit2: 'The payment is a Permit2 transfer, not an EIP-3009 authorization.',
  no_authorization: 'The payload holds no EIP-3009 authorization with a signature.',
  recipient_differs: 'The authorization pays another address than the accepted entry says.',
  amount_differs: 'The authorized value is not the amount of the accepted entry; `exact` means equal.',
  not_yet_valid: 'The window is not open yet: the token needs a block later than `validAfter`.',
  expired: 'The window has ended: no block can include it any more.',
  expires_soon: 'The window ends within seconds, before a block is sure to include it.',
  never_valid: 'The window is empty: `validBefore` is not after `validAfter`.',
  valid_for_long: 'The window is open for more than a day; anyone who holds the payment can submit it all that time.',
  zero_value: 'The authorization moves nothing.',
  pays_itself: 'Payer and payee are the same address.',
  erc6492: 'The signature is from a wallet that is not deployed. Settling it would call a foreign factory.',
  not_65_bytes: 'The signature is not 65 bytes: only a contract wallet could have made it (EIP-1271).',
  high_s: 'The signature is a valid one, malleated to high s; the token refuses it.',
  v_not_27_or_28: 'The last byte of the signature is neither 27 nor 28; the token refuses it.',
  no_signer: 'No account can have made this signature.',
  signer_mismatch: 'The signature is not by `from`. It is valid only if `from` is a contract that accepts it.',
} as const
export type FindingCode = keyof typeof MESSAGES

/** What a decoder has found before it judges. */
export interface Evidence {
  readonly statement: Statement
  readonly token: SettledToken | undefined
  readonly signed: Eip3009Payload | undefined
  readonly recovered: Recovered | undefined
  readonly networkIsKnown: boolean
  /** Unix seconds. */
  readonly now: number
}

const DAY_SECONDS = 86_400n

/** Returns all findings: about the terms first, then the window, then the signature. */
export function findingsOf(evidence: Evidence): Finding[] {
  const codes = [...termFindings(evidence), ...windowFindings(evidence), ...signatureFindings(evidence)]
  return codes.map((code) => ({ code, message: MESSAGES[code] }))
}

/** The codes whose condition holds. */
const holding = (conditions: Partial<Record<FindingCode, boolean>>): FindingCode[] =>
  Object.entries(conditions).flatMap(([code, holds]) => (holds ? [code as FindingCode] : []))

function termFindings({ statement, token, signed, networkIsKnown }: Evidence): FindingCode[] {
  const { scheme, accepted, payload } = statement
  const authorization = signed?.authorization
  const { name, version } = accepted?.extra ?? {}
  return holding({
    unpayable_scheme: scheme !== 'exact',
    unknown_network: !networkIsKnown,
    unknown_token: networkIsKnown && token === undefined,
    look_alike_domain:
      accepted !== undefined &&
      (isGatewayBatched(accepted) || (token !== undefined && (name !== token.name || version !== token.version))),
    permit2: isObject(payload.permit2Authorization),
    no_authorization: signed === undefined,
    recipient_differs:
      authorization !== undefined &&
      accepted !== undefined &&
      authorization.to.toLowerCase() !== accepted.payTo.toLowerCase(),
    amount_differs:
      authorization !== undefined && accepted !== undefined && BigInt(authorization.value) !== BigInt(accepted.amount),
    zero_value: authorization !== undefined && BigInt(authorization.value) === 0n,
    pays_itself: authorization !== undefined && authorization.from === authorization.to,
  })
}

function windowFindings({ signed, now }: Evidence): FindingCode[] {
  if (!signed) return []
  const validAfter = BigInt(signed.authorization.validAfter)
  const validBefore = BigInt(signed.authorization.validBefore)
  const time = BigInt(now)
  const isOver = validBefore <= time
  return holding({
    never_valid: validBefore <= validAfter + 1n,
    not_yet_valid: validAfter >= time,
    expired: isOver,
    expires_soon: !isOver && validBefore < time + BigInt(VALID_BEFORE_MARGIN_SECONDS),
    valid_for_long: validBefore > time + DAY_SECONDS,
  })
}

function signatureFindings({ signed, recovered }: Evidence): FindingCode[] {
  if (!signed) return []
  if (isErc6492(signed.signature)) return ['erc6492']
  if (!recovered) return []
  if (!recovered.ok) return [recovered.reason satisfies SignatureFault]
  return recovered.address === signed.authorization.from ? [] : ['signer_mismatch']
}
