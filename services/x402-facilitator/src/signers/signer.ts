import type { Address } from '@callboard/values'
import { ChainUnavailable } from '../chain/chain-unavailable.ts'

/** Where a signing key is kept. */
export type SignerKind = 'local' | 'aws-kms' | 'gcp-kms' | 'web3signer'

/** A signature over a digest on secp256k1. */
export interface PlainSignature {
  readonly r: bigint
  readonly s: bigint
  /** Which of the two points has r; absent where the signer does not report it, or is not trusted. */
  readonly yParity?: 0 | 1
}

/** A key that signs settlements of one account, regardless of where it is kept. */
export interface Signer {
  readonly kind: SignerKind
  readonly address: Address
  /** Whether its account finishes what it has begun and takes nothing new. */
  readonly retiring: boolean
  /** Loads and opens in advance what the first signature would wait for. */
  readonly prepare?: () => Promise<unknown>
  /**
   * Signs keccak-256 of the payload.
   * @param signal ends the wait
   * @throws Error when no signature is made
   */
  sign(payload: Uint8Array, signal: AbortSignal): Promise<PlainSignature>
}

/** No usable signature was made: nothing was sent, and the payment may be tried again. */
export class SignerUnavailable extends ChainUnavailable {
  override readonly name = 'SignerUnavailable'
  readonly lane: Address

  constructor(lane: Address, reason: string, cause?: unknown) {
    const publicMessage = 'The signer of settlements does not answer right now. Nothing was sent. Ask again.'
    super(`${lane} was not signed for: ${reason}`, { publicMessage, cause })
    this.lane = lane
  }
}
