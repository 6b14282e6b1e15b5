import { pbkdf2Sync } from 'node:crypto'
import { memoizeBy } from '@callboard/values'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'

/**
 * An account of a mnemonic, at m/44'/60'/0'/0/`addressIndex`. Stretching the mnemonic in JavaScript, as viem does anew
 * for each account, takes ten times as long as all the rest; most of the rest is what all accounts share.
 * @source BIP-39, From mnemonic to seed; BIP-32; BIP-44
 */
export const accountOfMnemonic = (mnemonic: string, addressIndex: number): HDAccount =>
  hdKeyToAccount(parentOf(mnemonic), { path: `m/${addressIndex}` as WholePath })

/** The only paths that viem's type knows; it derives by any. */
type WholePath = `m/44'/60'/${string}`

/** The key from which all accounts of a mnemonic are derived. */
const parentOf = memoizeBy(
  (mnemonic: string) =>
    HDKey.fromMasterSeed(pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2_048, 64, 'sha512')).derive(
      "m/44'/60'/0'/0",
    ),
  (mnemonic) => mnemonic,
)
