import { createHash, randomUUID } from 'node:crypto'
import type { Address } from '@callboard/values'
import type { NewWallet } from '../store/key.repository.ts'

/**
 * The value under which a wallet's own calls are counted, like the hash of a secret for a key. No secret can have this
 * hash: an HTTP credential never contains NUL (RFC 9110 §5.5).
 */
export const walletHash = (wallet: Address): Uint8Array =>
  createHash('sha256').update(`wallet\0${wallet.toLowerCase()}`).digest()

/** The row of a wallet for its first call. */
export const newWallet = (owner: Address, now: number): NewWallet => ({
  ...{ id: randomUUID(), hash: walletHash(owner), owner },
  createdAt: new Date(now),
})
