import type { Hex } from '@callboard/values'
import { keccak256 } from '@callboard/x402'
import { parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Signer } from './signer.ts'

/** A key in the memory of this process. */
export function localSigner(key: Hex, retiring: boolean): Signer {
  const account = privateKeyToAccount(key)
  return {
    kind: 'local',
    address: account.address,
    retiring,
    async sign(payload) {
      const { r, s, yParity } = parseSignature(await account.sign({ hash: keccak256(payload) }))
      return { r: BigInt(r), s: BigInt(s), yParity: yParity === 0 ? 0 : 1 }
    },
  }
}
