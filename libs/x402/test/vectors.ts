import type { Address, Hex } from '@callboard/values'
import type {
  Authorization,
  ExactRequirements,
  PaymentPayload,
  SettledToken,
  TokenDomain,
  V1PaymentPayload,
} from '../src/index.ts'

/** Account index 1 of the public development mnemonic "test test … junk": anyone can sign with it. */
export const PAYER: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const PAYER_KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
/** Account index 2. */
export const THIRD_PARTY: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const THIRD_PARTY_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'

export const PAY_TO: Address = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
export const BASE_USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export const BASE_TOKEN: SettledToken = { network: 'eip155:8453', asset: BASE_USDC, name: 'USD Coin', version: '2' }
export const ARC_TOKEN: SettledToken = {
  network: 'eip155:5042',
  asset: '0x3600000000000000000000000000000000000000',
  name: 'USDC',
  version: '2',
}
export const TOKENS = [BASE_TOKEN, ARC_TOKEN]

export const BASE_DOMAIN: TokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: BASE_USDC,
}

/** Before the end of AUTHORIZATION's window. */
export const NOW = 1_800_000_000

export const AUTHORIZATION: Authorization = {
  from: PAYER,
  to: PAY_TO,
  value: '10000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
}
export const DIGEST: Hex = '0x66519925064584981506810fe4d09fb67adcbebe0de043896f5e5e63e8960b8b'
export const SIGNATURE: Hex =
  '0x2f2ea3d6deff7759326577afaa7dedcf11c0a54ad1efebaebcd7b6444d24c3f718e23b47c1b1595ce8b9ac762c08089ec20c7117e18d9f2ba8e0947c546e8aed1b'

export const REQUIREMENTS: ExactRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: BASE_USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}

export const PAYMENT: PaymentPayload = {
  x402Version: 2,
  accepted: REQUIREMENTS,
  payload: { signature: SIGNATURE, authorization: AUTHORIZATION },
}

export const V1_PAYMENT: V1PaymentPayload = {
  x402Version: 1,
  scheme: 'exact',
  network: 'base',
  payload: { signature: SIGNATURE, authorization: AUTHORIZATION },
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other valid form of a signature: s mirrored at the curve's order, v flipped. The token refuses it. */
export function malleated(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex
}
