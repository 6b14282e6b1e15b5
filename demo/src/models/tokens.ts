import { countTokens, decodeGenerator, encode } from 'gpt-tokenizer/encoding/o200k_base'

/** A special token's name in a request, such as `<|endoftext|>`, is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/** The ids of a text's o200k tokens. */
export const tokenIds = (text: string): readonly number[] => encode(text, AS_TEXT)

/** How many o200k tokens a text has. */
export const tokensIn = (text: string): number => countTokens(text, AS_TEXT)

/** A text in the pieces that a stream sends: a token each, but a character of several tokens stays whole. */
export const piecesOf = (text: string): readonly string[] => [...decodeGenerator(tokenIds(text))]

/** The longest beginning of a text, in whole pieces, that has no more than `max` tokens. */
export function firstTokens(text: string, max: number): string {
  const pieces = piecesOf(text).slice(0, max)
  while (tokensIn(pieces.join('')) > max) pieces.pop()
  return pieces.join('')
}
