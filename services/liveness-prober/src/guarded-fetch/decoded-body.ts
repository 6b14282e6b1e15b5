import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type DecodableCoding, isDecodable } from '../domain/answer.ts'
import { codeOf, GuardError } from './failure.ts'

const SYNC_FLUSH = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const BROTLI_FLUSH = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }

type Decode = (bytes: Buffer, maxOutputLength: number) => Buffer

const gunzip: Decode = (bytes, maxOutputLength) => gunzipSync(bytes, { ...SYNC_FLUSH, maxOutputLength })

/** A truncated body is decoded as far as it goes. */
const DECODERS: Readonly<Record<DecodableCoding, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Some servers send raw deflate; the first byte shows it, as in the stock client.
  deflate: (bytes, maxOutputLength) =>
    ((bytes[0] ?? 0) & 0x0f) === 0x08
      ? inflateSync(bytes, { ...SYNC_FLUSH, maxOutputLength })
      : inflateRawSync(bytes, { ...SYNC_FLUSH, maxOutputLength }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { ...BROTLI_FLUSH, maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
}

/**
 * The text of a body as the stock client reads it: decoded, without a byte order mark, bytes that are not UTF-8
 * replaced. Unknown codings are left as they are; a body that fails to decode is empty, as it is to the client.
 * @param maxBytes of the decoded body
 * @throws GuardError `too_large` if the decoded body would be longer
 */
export function decodedText(bytes: Buffer, codings: readonly string[], maxBytes: number): string {
  return new TextDecoder().decode(isDecodable(codings) ? decoded(bytes, codings, maxBytes) : bytes)
}

function decoded(bytes: Buffer, codings: readonly DecodableCoding[], maxBytes: number): Buffer {
  try {
    return codings.reduceRight((coded, coding) => DECODERS[coding](coded, maxBytes), bytes)
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new GuardError('too_large')
    return Buffer.alloc(0)
  }
}
