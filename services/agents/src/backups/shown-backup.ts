import { createHash } from 'node:crypto'
import type { BackupMetadata } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { BackupTable } from '../store/tables.ts'

export const sha256Of = (ciphertext: Buffer): string => createHash('sha256').update(ciphertext).digest('base64url')

type Envelope = Pick<BackupTable, 'version' | 'recipient' | 'enc' | 'ciphertext'>

/** The strong entity tag of a backup (RFC 9110 §8.8.3), unique to its envelope. */
export function entityTagOf({ version, recipient, enc, ciphertext }: Envelope): string {
  const digest = createHash('sha256').update(`${version}.${recipient}.${enc}.`).update(ciphertext).digest('base64url')
  return `"${digest}"`
}

type Shown = Pick<BackupTable, 'device' | 'version' | 'recipient' | 'sha256' | 'stored_by' | 'stored_at'>

/**
 * The metadata of a backup that an owner or an agent sees.
 * @param backup with the length of its ciphertext
 */
export const metadataOf = (backup: Shown & { readonly bytes: number }): BackupMetadata => {
  const { device, version, recipient, bytes, sha256, stored_by: storedBy, stored_at } = backup
  return { device, version, recipient, bytes, sha256, storedBy, storedAt: isoTime(stored_at.getTime()) }
}
