import type { router } from '@callboard/contract'
import type { HeldCall } from './call.ts'
import { receiptLink } from './receipt-headers.ts'

/** A piece of this many characters fits into one message of the bus, whatever its encoding takes. */
const PIECE_CHARACTERS = 128 * 1024

/** Headers that every answer of a model call has. */
export const headersOf = ({ id, capped, maxOutput, headers }: HeldCall): Record<string, string> => ({
  ...headers,
  'x-callboard-call-id': id,
  ...receiptLink(id),
  ...(capped ? { 'x-callboard-max-output-tokens': String(maxOutput) } : {}),
})

/** Splits text into parts of an answer. Each is encoded on its own, so none ends inside a surrogate pair. */
export function* piecesOf(text: string): Generator<router.AnswerPart> {
  let at = 0
  while (at < text.length) {
    const end = at + PIECE_CHARACTERS
    const to = isInsideCharacter(text, end) ? end - 1 : end
    yield { text: text.slice(at, to) }
    at = to
  }
}

const isInsideCharacter = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff
