import { isObject } from '@callboard/x402'
import { type Json, listOf, objectOf } from '../json.ts'
import type { Surface } from '../surface.ts'
import { textOfContent, thinkingOfContent } from './chat-parts.ts'
import { TooLong } from './gathered-bytes.ts'

/** Millions of tokens, which no model answers; what an upstream sends beyond them would fill the memory. */
const MOST_UNITS = 32 * 1024 * 1024
/** What a part takes beside its text. */
const PART_UNITS = 64

/**
 * The answer so far, in parts: each text, each reasoning, and each tool's name and arguments separately. It is kept
 * while the call runs, for counting when the upstream reports no usage.
 */
export class Said {
  readonly #parts = new Map<string, string>()
  #units = 0

  /** Appends to a part; a value that is not text adds nothing. @throws TooLong */
  add(part: string, text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this.#units += text.length
    this.#parts.set(part, (this.#parts.get(part) ?? '') + text)
    if (this.#units + this.#parts.size * PART_UNITS > MOST_UNITS) throw new TooLong('an answer that does not end')
  }

  /** Its length in UTF-16 units, including the names of tools: a name may be all that a client wanted. */
  get units(): number {
    return this.#units
  }

  get parts(): string[] {
    return [...this.#parts.values()]
  }
}

/** Adds an event of a stream, or a whole answer, by surface. */
export const SAID_IN: Readonly<Record<Surface, (said: Said, json: Json) => void>> = {
  chat(said, { choices }) {
    for (const { index, delta, message } of listOf(choices)) addChat(said, `${index}`, objectOf(delta ?? message))
  },
  messages(said, { type, content, index, delta, content_block }) {
    for (const [at, block] of listOf(content).entries()) addBlock(said, `${at}`, block)
    if (type === 'content_block_start') addBlock(said, `${index}`, objectOf(content_block))
    if (type === 'content_block_delta') addBlock(said, `${index}`, objectOf(delta))
  },
  responses(said, { type, item_id: id, delta, item, output }) {
    if (typeof type === 'string' && type.endsWith('.delta') && !type.endsWith('audio.delta')) said.add(`${id}`, delta)
    if (type === 'response.output_item.added') said.add(`name ${objectOf(item).id}`, objectOf(item).name)
    for (const [at, whole] of listOf(output).entries()) addItem(said, `${at}`, whole)
  },
  embeddings() {},
}

/** What a tool call of a chat names: a function, which has arguments, or a client's own tool, which has an input. */
const calledIn = ({ function: called, custom }: Json): Json => objectOf(called ?? custom)

/** What a tool is called with. */
const givenIn = ({ arguments: given, input }: Json): unknown => given ?? input

function addChat(said: Said, at: string, message: Json): void {
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = message
  said.add(`text ${at}`, textOfContent(content))
  said.add(`refusal ${at}`, refusal)
  said.add(`reasoning ${at}`, reasoning_content ?? reasoning ?? thinkingOfContent(content))
  for (const [place, call] of listOf(tool_calls).entries())
    addCall(said, `${at} ${call.index ?? place}`, calledIn(call))
  addCall(said, at, objectOf(function_call))
}

function addCall(said: Said, at: string, called: Json): void {
  said.add(`name ${at}`, called.name)
  said.add(`arguments ${at}`, givenIn(called))
}

function addBlock(said: Said, at: string, { text, thinking, partial_json, name, input }: Json): void {
  said.add(`text ${at}`, text)
  said.add(`thinking ${at}`, thinking)
  said.add(`name ${at}`, name)
  said.add(`arguments ${at}`, partial_json)
  // A stream opens a tool with an empty input; the arguments follow in pieces.
  if (isObject(input) && Object.keys(input).length > 0) said.add(`arguments ${at}`, JSON.stringify(input))
}

function addItem(said: Said, at: string, item: Json): void {
  const { content, summary } = item
  for (const [part, { text, refusal }] of [...listOf(content), ...listOf(summary)].entries()) {
    said.add(`${at} ${part}`, text ?? refusal)
  }
  addCall(said, at, item)
}
