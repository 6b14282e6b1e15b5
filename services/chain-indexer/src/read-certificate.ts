import type { Hex } from '@callboard/values'
import { z } from 'zod'
import type { Certificate } from './domain/certificate.ts'

const Height = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const Hash = z.string().regex(/^0x[0-9a-f]{64}$/) as unknown as z.ZodType<Hex>
const Digest = z.string().regex(/^[0-9a-f]{64}$/)

const Read = z.object({
  from: Height,
  to: Height,
  endpoint: z.string().regex(/^[\x21-\x7e]{1,300}$/),
  how: z.enum(['block', 'range']),
  parentHash: Hash,
  hashes: z.array(Hash),
  logs: Height,
  place: Height,
  readAt: z.string().regex(/^[0-9TZ:.-]{20,30}$/),
  previous: z.union([z.literal(''), Digest]),
  digest: Digest,
})

/**
 * What a certificate consists of. It comes from another party, and its digests are over lines: no member may hold the
 * end of one, or be of another type, so that a digest is of one reading only and nothing of it acts on a terminal.
 */
const Schema = z
  .object({
    format: z.literal('callboard-certificate/1'),
    network: z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/),
    from: Height,
    to: Height,
    reads: z.array(Read),
    inner: z.array(z.object({ number: Height, hash: Hash, parentHash: Hash })),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'is below from' })

/** Parses the text of a certificate. @throws Error that names its first fault */
export function readCertificate(text: string): Certificate {
  const parsed = Schema.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  const [fault] = parsed.error.issues
  throw new Error(`It is no certificate: ${fault?.path.map(String).join('.') || 'all of it'}: ${fault?.message}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('It is no certificate: it is not JSON.')
  }
}
