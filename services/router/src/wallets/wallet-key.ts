import { createHash, randomUUID } from 'node:crypto'
import type { Address } from '@callboard/values'
import type { NewWallet } from '../store/key.repository.ts'

/**
 * What a wallet's own calls are counted under, where calls of keys have the hash of a secret. No secret has this hash: a
 * credential of HTTP holds no NUL (RFC 9110 §5.5).
 */
export const walletHash = (wallet: Address): Uint8Array =>
  createHash('sha256').update(`wallet\0${wallet.toLowerCase()}`).digest()

/** The row of a wallet that calls for the first time. */
export const newWallet = (owner: Address, now: number): NewWallet => ({
  ...{ id: randomUUID(), hash: walletHash(owner), owner },
  createdAt: new Date(now),
})
