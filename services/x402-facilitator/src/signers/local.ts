import type { Hex } from '@callboard/values'
import { keccak256, signDigest } from '@callboard/x402'
import { privateKeyToAddress } from 'viem/accounts'
import type { Signer } from './signer.ts'

/** A key in the memory of this process. */
export function localSigner(key: Hex, retiring: boolean): Signer {
  return {
    kind: 'local',
    address: privateKeyToAddress(key),
    retiring,
    sign: (payload) => signDigest(keccak256(payload), key),
  }
}
