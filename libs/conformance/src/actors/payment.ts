import { randomBytes } from 'node:crypto'
import { bytesToHex, type LocalAccount } from 'viem'
import type { Hex } from './chain.ts'

/** One entry of an offer's `accepts`, as far as an EIP-3009 payment needs it. */
export interface Requirement {
  readonly scheme: string
  readonly network: `eip155:${number}`
  readonly asset: Hex
  /** Base units. */
  readonly amount: string
  readonly payTo: Hex
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly name: string; readonly version: string; readonly assetTransferMethod?: string }
}

export interface Authorization {
  readonly from: Hex
  readonly to: Hex
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}

export interface Signed {
  readonly signature: Hex
  readonly authorization: Authorization
}

/** Deviations from what the offer asks for. */
export interface Deviation {
  readonly authorization?: Partial<Authorization>
  readonly domain?: { readonly chainId?: number; readonly verifyingContract?: Hex }
  /** The actual signer; the payer when absent. */
  readonly signer?: LocalAccount
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export const newNonce = (): Hex => bytesToHex(randomBytes(32))
export const unixNow = (): number => Math.floor(Date.now() / 1000)

/** A signed EIP-3009 authorization for what the offer asks, written by hand and not by the code under test. */
export async function authorize(payer: LocalAccount, asked: Requirement, deviation: Deviation = {}): Promise<Signed> {
  const authorization: Authorization = {
    from: payer.address,
    to: asked.payTo,
    value: asked.amount,
    validAfter: '0',
    validBefore: String(unixNow() + asked.maxTimeoutSeconds),
    nonce: newNonce(),
    ...deviation.authorization,
  }
  const { name, version } = asked.extra
  const signature = await (deviation.signer ?? payer).signTypedData({
    domain: {
      name,
      version,
      chainId: Number(asked.network.slice('eip155:'.length)),
      verifyingContract: asked.asset,
      ...deviation.domain,
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })
  return { signature, authorization }
}

/** A version 2 payment, in the form that `PAYMENT-SIGNATURE` carries. */
export const paymentPayload = (accepted: Requirement, payload: Signed, extensions?: Record<string, unknown>) => ({
  x402Version: 2 as const,
  accepted,
  payload,
  ...(extensions ? { extensions } : {}),
})

/** The body of a facilitator's verify and settle. */
export const facilitatorRequest = (paymentRequirements: Requirement, payload: Signed) => ({
  x402Version: 2 as const,
  paymentPayload: paymentPayload(paymentRequirements, payload),
  paymentRequirements,
})

/** Standard base64 of UTF-8 JSON: what every x402 header carries. */
export const toHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
export const fromHeader = (text: string | null): unknown =>
  text === null ? undefined : (JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as unknown)
