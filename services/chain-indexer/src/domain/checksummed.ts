import type { Address, Hex } from '@callboard/values'
import { getAddress } from 'viem/utils'

/** Some 25 MB when full. viem keeps 8,192, which the payers of one range can be more than. */
const MOST_KEPT = 100_000

const kept = new Map<Hex, Address>()

/**
 * An address in its checksum form (EIP-55). A checksum costs more than all else in reading a settlement, so those of
 * addresses that come again are kept, the oldest of them forgotten first.
 * @param address in lower case
 */
export function checksummed(address: Hex): Address {
  const known = kept.get(address)
  if (known !== undefined) return known
  const made = getAddress(address)
  if (kept.size >= MOST_KEPT)
    for (const oldest of kept.keys()) {
      kept.delete(oldest)
      break
    }
  kept.set(address, made)
  return made
}
