import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentCoding } from './content-coding.ts'

/** One body in one coding. */
export interface Representation {
  readonly coding: ContentCoding
  readonly bytes: Uint8Array
  /** A strong tag: other bytes, and the same bytes in another coding, have another (RFC 9110 §8.8.3.3). */
  readonly etag: string
}

type Coded = Exclude<ContentCoding, 'identity'>

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Both reach about a tenth of our JSON within milliseconds; higher levels do ten times the work for a tenth less. */
const COMPRESSORS: Readonly<Record<Coded, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => zip(bytes, { level: 6 }),
}

const tagOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url')

/** A body that is sent repeatedly without change, so its digest is computed only once. */
export class KeptBody {
  readonly bytes: Uint8Array
  readonly tag: string

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.tag = tagOf(bytes)
  }
}

export const bytesOf = (body: Uint8Array | KeptBody): Uint8Array => (body instanceof KeptBody ? body.bytes : body)

const MOST_KEPT_BYTES = 16 * 1024 * 1024

interface Kept {
  readonly coded: Promise<Uint8Array>
  /** Its size; zero until it is made. */
  size: number
}

/**
 * Prepared bytes of public reads, keyed by content: a body is compressed when it is first requested in a coding, and
 * that result is sent from then on, for every client and URL. The least recently requested is evicted first.
 *
 * Nothing here can be outdated, because the body itself is read anew for each request.
 */
export class Representations {
  readonly #kept = new Map<string, Kept>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes: number = MOST_KEPT_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** The number of compressed bodies that are kept, and their total bytes. */
  get size(): { readonly bodies: number; readonly bytes: number } {
    return { bodies: this.#kept.size, bytes: this.#bytes }
  }

  /** A body in a coding. */
  async of(body: Uint8Array | KeptBody, coding: ContentCoding): Promise<Representation> {
    const bytes = bytesOf(body)
    const tag = body instanceof KeptBody ? body.tag : tagOf(bytes)
    if (coding === 'identity') return { coding, bytes, etag: `"${tag}"` }
    return { coding, bytes: await this.#coded(bytes, coding, tag), etag: `"${tag}-${coding}"` }
  }

  #coded(bytes: Uint8Array, coding: Coded, tag: string): Promise<Uint8Array> {
    const key = `${tag}-${coding}`
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    const kept = known ?? { coded: COMPRESSORS[coding](bytes), size: 0 }
    this.#kept.set(key, kept)
    if (!known) void this.#weigh(key, kept)
    return kept.coded
  }

  async #weigh(key: string, kept: Kept): Promise<void> {
    try {
      const { byteLength } = await kept.coded
      kept.size = byteLength
      this.#bytes += byteLength
    } catch {
      // The request that asked gets the error.
      this.#kept.delete(key)
    }
    for (const [oldest, { size }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) return
      if (size === 0) continue
      this.#kept.delete(oldest)
      this.#bytes -= size
    }
  }
}
