import type { Surface } from '../domain/surface.ts'
import { embeddedOf, promptOf } from './prompt.ts'

/** What the frame of a message, the opening of the reply, and a part that is no text count. */
const PER_MESSAGE = 3
const PER_REPLY = 3
const PER_MEDIUM = 85

/** So much of one text is counted, in UTF-16 units; beyond it as densely as it began, so that no call holds up the others. */
const COUNTED_UNITS = 256 * 1024
/** A special token's name in a request, such as `<|endoftext|>`, is text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/** The encoding takes a second and 70 MB to load: a Router whose upstreams count never does. */
let loading: Promise<(text: string) => number> | undefined

const loaded = () => {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, AS_TEXT),
  )
  return loading
}

function inText(count: (text: string) => number, text: string): number {
  if (text.length <= COUNTED_UNITS) return count(text)
  return Math.ceil((count(text.slice(0, COUNTED_UNITS)) * text.length) / COUNTED_UNITS)
}

/** How many o200k tokens texts have, each by itself. */
export async function tokensOf(texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0
  const count = await loaded()
  return texts.reduce((sum, text) => sum + inText(count, text), 0)
}

/**
 * The tokens of a request: three for the frame of each message, its role and its text, three that open the reply.
 * @source OpenAI cookbook, counting tokens for chat completions
 */
export async function promptTokens(surface: Surface, body: Readonly<Record<string, unknown>>): Promise<number> {
  if (surface === 'embeddings') {
    const { texts, tokens } = embeddedOf(body)
    return tokens + (await tokensOf(texts))
  }
  const { messages, tools, media } = promptOf(surface, body)
  const words = await tokensOf([...messages.flat(), ...(tools === '' ? [] : [tools])])
  return words + messages.length * PER_MESSAGE + media * PER_MEDIUM + PER_REPLY
}
