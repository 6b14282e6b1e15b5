import { pbkdf2Sync } from 'node:crypto'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'

const roots = new Map<string, HDKey>()

/**
 * An account of a mnemonic, at m/44'/60'/0'/0/`addressIndex`. Stretching the mnemonic in JavaScript, as viem does anew
 * for each account, takes ten times as long as all the rest.
 * @source BIP-39, From mnemonic to seed; BIP-32; BIP-44
 */
export function accountOfMnemonic(mnemonic: string, addressIndex: number): HDAccount {
  const root = roots.get(mnemonic) ?? rootOf(mnemonic)
  roots.set(mnemonic, root)
  return hdKeyToAccount(root, { addressIndex })
}

const rootOf = (mnemonic: string): HDKey =>
  HDKey.fromMasterSeed(pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2_048, 64, 'sha512'))
