import type { Address, Hex } from '@callboard/values'
import { decodeAbiParameters, getAddress } from 'viem/utils'

const MAGIC = '6492649264926492649264926492649264926492649264926492649264926492'

/** A signature by a wallet that is not deployed yet, with the call that would deploy it. */
export interface CounterfactualSignature {
  readonly factory: Address
  readonly factoryCalldata: Hex
  readonly signature: Hex
}

export const isErc6492 = (signature: Hex): boolean => signature.endsWith(MAGIC)

/**
 * Parses an ERC-6492 signature; undefined where the signature is of another kind or does not decode. Deploying for the
 * payer calls a foreign factory at our cost, so the factory must be on a list.
 * @source ERC-6492
 */
export function unwrapErc6492(signature: Hex): CounterfactualSignature | undefined {
  if (!isErc6492(signature)) return undefined
  try {
    const [factory, factoryCalldata, inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      signature.slice(0, -MAGIC.length) as Hex,
    )
    return { factory: getAddress(factory), factoryCalldata, signature: inner }
  } catch {
    return undefined
  }
}
