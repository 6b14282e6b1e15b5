import type { Model } from './catalog.ts'
import { randomFrom, sentences } from './chain.ts'
import { fitting } from './fitting.ts'
import type { Prompt, Tool } from './prompt.ts'
import { firstTokens, tokensIn } from './tokens.ts'
import type { Trouble } from './trouble.ts'

/** One answer to a prompt, independent of any API's format. */
export interface Answer {
  /** The text, or the arguments of `tool` as JSON. */
  readonly text: string
  /** The name of the tool that it calls. */
  readonly tool: string | undefined
  readonly finish: 'stop' | 'length' | 'tool'
  /** The stop sequence before which the text ends. */
  readonly stoppedBy: string | undefined
  /** The o200k tokens of the text, and of the tool's name. */
  readonly tokens: number
}

/** A text with characters of two, three and four bytes. */
const MANY_BYTES = 'Zoë pays 5 € for a café in 東京 🙂. '

/**
 * Returns `n` answers to a prompt: the same ones for the same seed, model and prompt. An answer calls a tool when the
 * last message is the user's and names it, or when the tool choice says so; it is JSON when a schema is given.
 */
export function answersTo(
  prompt: Prompt,
  { model, seed, trouble }: { readonly model: Model; readonly seed: number; readonly trouble: Trouble | undefined },
): readonly Answer[] {
  const tool = toolFor(prompt)
  const subject = JSON.stringify([seed, model.id, prompt.messages, prompt.tools, prompt.schema])
  return Array.from({ length: prompt.n }, (_, index) => {
    const random = randomFrom(`${subject}${index}`)
    const few = () => sentences(random, 3)
    if (tool) return bounded(prompt, JSON.stringify(fitting({ type: 'object', ...tool.parameters }, few)), tool.name)
    if (prompt.schema) return bounded(prompt, jsonText(prompt.schema, few), undefined)
    const text = sentences(random, model.words)
    return bounded(prompt, trouble === 'split-utf8' ? MANY_BYTES + text : text, undefined)
  })
}

function toolFor({ messages, tools, toolChoice }: Prompt): Tool | undefined {
  if (toolChoice === 'none') return undefined
  const last = messages.at(-1)
  const named = last?.role === 'user' ? tools.find(({ name }) => name !== '' && last.text.includes(name)) : undefined
  if (toolChoice === 'auto') return named
  return toolChoice === 'any' ? (named ?? tools[0]) : tools.find(({ name }) => name === toolChoice)
}

function jsonText(schema: object, few: () => string): string {
  const asked = Object.keys(schema).length > 0
  return JSON.stringify(asked ? fitting({ ...schema }, few) : { answer: few() })
}

/** Ends a text at the first stop sequence, or at the token limit. */
function bounded({ stop, maxTokens }: Prompt, whole: string, tool: string | undefined): Answer {
  const named = tool === undefined ? 0 : tokensIn(tool)
  const stoppedBy = tool === undefined ? firstStop(whole, stop) : undefined
  const wanted = stoppedBy === undefined ? whole : whole.slice(0, whole.indexOf(stoppedBy))
  const text = maxTokens === undefined ? wanted : firstTokens(wanted, Math.max(0, maxTokens - named))
  const isCut = text.length < wanted.length
  return {
    text,
    tool,
    finish: isCut ? 'length' : tool === undefined ? 'stop' : 'tool',
    stoppedBy: isCut ? undefined : stoppedBy,
    tokens: tokensIn(text) + named,
  }
}

function firstStop(text: string, stop: readonly string[]): string | undefined {
  const found = stop.filter((sequence) => sequence !== '' && text.includes(sequence))
  return found.sort((a, b) => text.indexOf(a) - text.indexOf(b))[0]
}
