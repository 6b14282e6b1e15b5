import { Refused } from './errors.ts'
import { isObject, type Json, objects, string } from './json.ts'
import { tokensIn } from './tokens.ts'

export interface Message {
  readonly role: string
  readonly text: string
  /** The number of images and other parts that are not text. */
  readonly media: number
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: Json
}

/** A request to a model, independent of any API's format. */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  /** `auto`, `none`, `any`, or the name of the tool that must be called. */
  readonly toolChoice: string
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  /** How many answers. */
  readonly n: number
  /** The schema that the text must fit; an empty one requires any object. */
  readonly schema: Json | undefined
}

const PER_MESSAGE = 3
const PER_REPLY = 3
const PER_MEDIUM = 85

/**
 * The tokens of a prompt: three for the frame of each message, its role and its text, and three that open the reply.
 * Tools count as their JSON, a medium as 85.
 * @source OpenAI cookbook, counting tokens for chat completions; the same as gpt-tokenizer's `encodeChat` for text
 */
export function promptTokens({ messages, tools }: Prompt): number {
  const each = messages.map(
    ({ role, text, media }) => PER_MESSAGE + tokensIn(role) + tokensIn(text) + media * PER_MEDIUM,
  )
  const described = tools.length > 0 ? tokensIn(JSON.stringify(tools)) : 0
  return each.reduce((sum, tokens) => sum + tokens, PER_REPLY + described)
}

/** A message whose content is text or parts, in any API's format; tool calls and results count as their JSON. */
export function messageOf(role: string, content: unknown, ...more: readonly unknown[]): Message {
  const parts = objects(content)
  const texts = typeof content === 'string' ? [content] : parts.map(partText)
  const rest = more.filter((value) => value !== undefined).map((value) => JSON.stringify(value))
  return { role, text: [...texts, ...rest].join(''), media: parts.filter(isMedium).length }
}

const isMedium = (part: Json): boolean => /image|audio|file|document/.test(string(part.type))

function partText(part: Json): string {
  if (isMedium(part)) return ''
  return typeof part.text === 'string' ? part.text : JSON.stringify(part)
}

export const toolOf = (described: Json, parameters: unknown): Tool => ({
  name: string(described.name),
  description: string(described.description),
  parameters: isObject(parameters) ? parameters : {},
})

/** Parses a `tool_choice` of any API. */
export function toolChoiceOf(choice: unknown): string {
  if (choice === 'required') return 'any'
  if (!isObject(choice)) return string(choice) || 'auto'
  const { name, function: named, type } = choice
  return string(name) || (isObject(named) && string(named.name)) || string(type)
}

/** A whole number of at least one, under the first name that is present. @throws Refused 400 for anything else */
export function countOf(body: Json, ...names: readonly string[]): number | undefined {
  const param = names.find((name) => body[name] !== undefined && body[name] !== null)
  if (!param) return undefined
  const count = body[param]
  if (Number.isSafeInteger(count) && Number(count) >= 1) return Number(count)
  throw new Refused(400, `'${param}' must be a whole number of at least 1.`, { param })
}

/** @throws Refused 400 when the prompt has no messages */
export function refuseEmpty({ messages }: Pick<Prompt, 'messages'>, param: string): void {
  if (messages.length === 0) throw new Refused(400, `'${param}' must hold at least one message.`, { param })
}
