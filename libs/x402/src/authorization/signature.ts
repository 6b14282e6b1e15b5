import type { Address, Hex } from '@callboard/values'
import { type RecoverAddress, recoverSigner } from './secp256k1.ts'

const BYTES_65 = /^0x[0-9a-fA-F]{130}$/
/** n/2 of secp256k1: of the two values of s that fit a signature, tokens accept only the lower one. */
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** Why no signer can be recovered from a signature; each is a reason for which the token would refuse it. */
export type SignatureFault = 'not_65_bytes' | 'high_s' | 'v_not_27_or_28' | 'no_signer'

export type Recovered =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly reason: SignatureFault }

/** Checks the format rules of Circle's ECRecover, which both recovery libraries would let pass. */
export function signatureFault(signature: Hex): SignatureFault | undefined {
  if (!BYTES_65.test(signature)) return 'not_65_bytes'
  if (signature.slice(66, 130).toLowerCase() > HALF_ORDER) return 'high_s'
  const v = signature.slice(130).toLowerCase()
  return v === '1b' || v === '1c' ? undefined : 'v_not_27_or_28'
}

/**
 * Recovers the signer of a digest by the token's rules, not the curve's: exactly 65 bytes, s in the lower half, v 27 or
 * 28. So the token accepts every signature that passes here, and a malleated one is refused.
 */
export async function recover(digest: Hex, signature: Hex, by: RecoverAddress = recoverSigner): Promise<Recovered> {
  const reason = signatureFault(signature)
  if (reason) return { ok: false, reason }
  try {
    return { ok: true, address: await by(digest, signature) }
  } catch {
    return { ok: false, reason: 'no_signer' }
  }
}
