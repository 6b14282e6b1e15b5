import type { CallToolResult } from '@modelcontextprotocol/server'
import { eachChunk } from '../each-chunk.ts'

/** Bytes of an answer that a model is given: more than any context holds. */
const MOST_BYTES = 1_048_576

/** What a seller answered. */
interface AnswerBody {
  /** The body where it is text; null otherwise. */
  readonly body: string | null
  /** It ended before its end, or is larger than is read. */
  readonly brokenOff: boolean
  /** A picture, or other bytes. */
  readonly content: CallToolResult['content']
}

/**
 * Reads an answer, which was perhaps paid for: what came before it broke off is given too.
 * @param uri what was called: the answer itself does not always know it, and some clients want a URI
 */
export async function readBody(answer: Response, uri: string): Promise<AnswerBody> {
  const { bytes, brokenOff } = await bytesOf(answer)
  const mimeType = answer.headers.get('content-type')?.split(';')[0]?.trim() || 'application/octet-stream'
  const text = textOf(bytes)
  if (text !== undefined) return { body: text, brokenOff, content: [] }
  const data = Buffer.from(bytes).toString('base64')
  const content = mimeType.startsWith('image/')
    ? ({ type: 'image', data, mimeType } as const)
    : ({ type: 'resource', resource: { uri, blob: data, mimeType } } as const)
  return { body: null, brokenOff, content: [content] }
}

async function bytesOf(answer: Response): Promise<{ bytes: Uint8Array; brokenOff: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  const brokenOff = await eachChunk(answer, (chunk) => {
    chunks.push(chunk.subarray(0, MOST_BYTES - size))
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('larger than is read')
  })
  return { bytes: Buffer.concat(chunks), brokenOff }
}

/** The bytes as UTF-8, of which a cut may have taken the last character; undefined where they are no text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}
