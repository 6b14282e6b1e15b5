import { type Address, type Hex, memoize } from '@callboard/values'
import { getAddress } from 'viem/utils'

/** Some 25 MB when full. viem keeps 8,192, but the payers of one range can be more. */
const MOST_KEPT = 100_000

/**
 * An address in its checksum form (EIP-55). A checksum costs more than all else in reading a settlement, so those of
 * recurring addresses are cached.
 * @param address in lower case
 */
export const checksummed: (address: Hex) => Address = memoize((address) => getAddress(address), MOST_KEPT)
