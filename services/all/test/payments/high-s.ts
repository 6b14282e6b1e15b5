import type { Hex, Signed } from '@callboard/conformance'
import { numberToHex, parseSignature, serializeSignature } from 'viem'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same signature with the other `s`, which recovers to the same key but which the token refuses. */
export function highS({ authorization, signature }: Signed): Signed {
  const { r, s, yParity } = parseSignature(signature)
  const malleated: Hex = serializeSignature({
    r,
    s: numberToHex(ORDER - BigInt(s), { size: 32 }),
    yParity: 1 - yParity,
  })
  return { authorization, signature: malleated }
}
