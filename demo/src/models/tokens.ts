import { countTokens, decodeGenerator, encode } from 'gpt-tokenizer/encoding/o200k_base'

/** A special token's name in a request, such as `<|endoftext|>`, is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/** The ids of a text's o200k tokens. */
export const tokenIds = (text: string): readonly number[] => encode(text, AS_TEXT)

/** How many o200k tokens a text has. */
export const tokensIn = (text: string): number => countTokens(text, AS_TEXT)

/** Splits a text into the pieces of a stream: one token each, but a character of several tokens stays whole. */
export const piecesOf = (text: string): readonly string[] => [...decodeGenerator(tokenIds(text))]

/** The longest beginning of a text, in whole pieces, of at most `max` tokens. */
export function firstTokens(text: string, max: number): string {
  const pieces = piecesOf(text).slice(0, max)
  while (tokensIn(pieces.join('')) > max) pieces.pop()
  return pieces.join('')
}
