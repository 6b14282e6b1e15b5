import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { accountOfMnemonic } from './mnemonic-account.ts'

test.each([
  ['test test test test test test test test test test test junk', 0],
  ['test test test test test test test test test test test junk', 1_002],
  ['abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about', 7],
])('default: “%s” has at index %i the account that viem derives', (mnemonic, addressIndex) => {
  const account = accountOfMnemonic(mnemonic, addressIndex)
  const known = mnemonicToAccount(mnemonic, { addressIndex })
  expect(account.address).toBe(known.address)
  expect(account.getHdKey().privateKey).toEqual(known.getHdKey().privateKey)
})
