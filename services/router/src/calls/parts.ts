import type { router } from '@callboard/contract'
import type { HeldCall } from './call.ts'

/** A piece of text fits into one message of the bus, whatever it is made of. */
const PIECE_CHARACTERS = 128 * 1024

/** Headers that every answer of a model call has. */
export const headersOf = ({ id, capped, maxOutput }: HeldCall): Record<string, string> => ({
  'x-callboard-call-id': id,
  ...(capped ? { 'x-callboard-max-output-tokens': String(maxOutput) } : {}),
})

/** Text as parts of an answer. */
export function* piecesOf(text: string): Generator<router.AnswerPart> {
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) yield { text: text.slice(at, at + PIECE_CHARACTERS) }
}
