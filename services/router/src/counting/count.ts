import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Surface } from '../domain/surface.ts'
import { embeddedOf, promptOf } from './prompt.ts'

/** Tokens for the frame of a message, and for the opening of the reply. */
const PER_MESSAGE = 3
const PER_REPLY = 3

/** UTF-16 units of a request, or of an answer, that are counted, so that no call holds up the others. */
const COUNTED_UNITS = 256 * 1024
/** Slices of a longer one that are counted instead of all of it. */
const SLICES = 64
const SLICE_UNITS = COUNTED_UNITS / SLICES
/** The encoding takes a time in the square of a word's length, and a word may be as long as its text. */
const LONGEST_WORD = 256
/** The name of a special token in a request, such as `<|endoftext|>`, is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/** Counts a text in pieces that begin with a space where there is one, as a token does; a longer word is cut. */
function inPieces(text: string): number {
  let tokens = 0
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + LONGEST_WORD)
    const space = from + piece.length < text.length ? piece.lastIndexOf(' ') : -1
    const to = from + (space > 0 ? space : piece.length)
    tokens += countTokens(text.slice(from, to), AS_TEXT)
    from = to
  }
  return tokens
}

/** The o200k tokens of texts, each encoded on its own; if they are long together, an estimate from a part of them. */
export function tokensOf(texts: readonly string[]): number {
  const units = texts.reduce((sum, { length }) => sum + length, 0)
  if (units <= COUNTED_UNITS) return texts.reduce((sum, text) => sum + inPieces(text), 0)
  return Math.ceil((inSlices(texts.join('')) * units) / COUNTED_UNITS)
}

/** The tokens of slices from all over a text. Their places are drawn, or a client could put there what counts least. */
function inSlices(text: string): number {
  const stride = text.length / SLICES
  const slices = Array.from({ length: SLICES }, (_, at) => {
    const from = Math.floor(at * stride + Math.random() * (stride - SLICE_UNITS))
    return text.slice(from, from + SLICE_UNITS)
  })
  return slices.reduce((sum, slice) => sum + inPieces(slice), 0)
}

/**
 * The tokens of a request: the role and text of each message with three for its frame, and three that open the reply.
 * Images and files are not included.
 * @source OpenAI cookbook, counting tokens for chat completions
 */
export function promptTokens(surface: Surface, body: Readonly<Record<string, unknown>>): number {
  if (surface === 'embeddings') {
    const { texts, tokens } = embeddedOf(body)
    return tokens + tokensOf(texts)
  }
  const { messages, tools } = promptOf(surface, body)
  const words = tokensOf([...messages.flat(), ...(tools === '' ? [] : [tools])])
  return words + messages.length * PER_MESSAGE + PER_REPLY
}
