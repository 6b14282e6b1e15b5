import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/** The longest plaintext that may be sealed: 64 KiB. */
export const MAX_SEALED_BYTES = 64 * 1024
const TAG_BYTES = 16

/** 32 bytes as base64url without padding; the last of 43 characters carries four bits. */
const Bytes32 = z
  .string()
  .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes as base64url without padding')

export const Sha256 = Bytes32

/** An X25519 public key (RFC 7748). The zero key is refused: anyone can open what is sealed to it. */
export const X25519Key = Bytes32.refine((key) => key !== 'A'.repeat(43), 'must not be all zeros')

const base64urlLength = (bytes: number) => Math.ceil((bytes * 4) / 3)

/** The number of bytes that base64url without padding encodes. */
export const bytesOfBase64url = (text: string): number => Math.floor((text.length * 3) / 4)

/**
 * Data sealed to a public key: HPKE base mode (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM, which is version 1
 * (docs/backups.md). This service has no key to open it.
 */
export const Sealed = z.strictObject({
  version: z.literal(1, { error: 'must be 1' }),
  /** The encapsulated key. */
  enc: X25519Key,
  ciphertext: z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url without padding')
    .refine((text) => text.length % 4 !== 1, 'must be base64url without padding')
    .refine((text) => bytesOfBase64url(text) > TAG_BYTES, 'must hold something, and its tag of 16 bytes')
    .max(
      base64urlLength(MAX_SEALED_BYTES + TAG_BYTES),
      `must not be longer than ${MAX_SEALED_BYTES} bytes and their tag`,
    ),
})
export type Sealed = z.output<typeof Sealed>

nameSchemas({ Bytes32, X25519Key, Sealed })
