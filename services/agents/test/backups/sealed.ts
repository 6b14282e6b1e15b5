import { randomBytes } from 'node:crypto'
import { BackupEnvelope, type Sealed } from '@callboard/contract'

/** Bytes that look sealed; the service cannot open them and so cannot judge them. */
export const someSealed = (bytes = 100): Sealed => ({
  version: 1,
  enc: randomBytes(32).toString('base64url'),
  ciphertext: randomBytes(bytes).toString('base64url'),
})

export const anEnvelope = (bytes?: number): BackupEnvelope =>
  BackupEnvelope.parse({ ...someSealed(bytes), recipient: randomBytes(32).toString('base64url') })

export const someCode = (): string => randomBytes(32).toString('base64url')

/** A public key whose private key is unknown. */
export const someKey = (): string => randomBytes(32).toString('base64url')

let addresses = 0
/** A requester that has not guessed any code yet. */
export function newRequester() {
  addresses += 1
  return { address: `2001:db8:0:${addresses.toString(16)}::1`, userAgent: 'vitest' }
}
