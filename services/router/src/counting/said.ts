import { isObject } from '@callboard/x402'
import { type Json, listOf, objectOf } from '../domain/json.ts'
import type { Surface } from '../domain/surface.ts'

/**
 * The answer so far, in parts: each text, each reasoning, and each tool's name and arguments separately. It is kept
 * while the call runs, for counting when the upstream reports no usage.
 */
export class Said {
  readonly #parts = new Map<string, string>()

  /** Appends to a part; a value that is not text adds nothing. */
  add(part: string, text: unknown): void {
    if (typeof text === 'string' && text !== '') this.#parts.set(part, (this.#parts.get(part) ?? '') + text)
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
  messages(said, { content, index, delta, content_block }) {
    for (const [at, block] of listOf(content).entries()) addBlock(said, `${at}`, block)
    for (const block of [content_block, delta]) addBlock(said, `${index}`, objectOf(block))
  },
  responses(said, { type, item_id: id, delta, item, output }) {
    if (typeof type === 'string' && type.endsWith('.delta') && !type.endsWith('audio.delta')) said.add(`${id}`, delta)
    if (type === 'response.output_item.added') said.add(`name ${objectOf(item).id}`, objectOf(item).name)
    for (const [at, whole] of listOf(output).entries()) addItem(said, `${at}`, whole)
  },
  embeddings() {},
}

function addChat(said: Said, at: string, { content, refusal, reasoning_content, reasoning, tool_calls }: Json): void {
  said.add(`text ${at}`, content)
  said.add(`refusal ${at}`, refusal)
  said.add(`reasoning ${at}`, reasoning_content ?? reasoning)
  for (const [place, { index = place, function: called }] of listOf(tool_calls).entries()) {
    said.add(`name ${at} ${index}`, objectOf(called).name)
    said.add(`arguments ${at} ${index}`, objectOf(called).arguments)
  }
}

function addBlock(said: Said, at: string, { text, thinking, partial_json, name, input }: Json): void {
  said.add(`text ${at}`, text)
  said.add(`thinking ${at}`, thinking)
  said.add(`name ${at}`, name)
  said.add(`arguments ${at}`, partial_json)
  // A stream opens a tool with an empty input; the arguments follow in pieces.
  if (isObject(input) && Object.keys(input).length > 0) said.add(`arguments ${at}`, JSON.stringify(input))
}

function addItem(said: Said, at: string, { content, summary, name, arguments: given }: Json): void {
  for (const [part, { text, refusal }] of [...listOf(content), ...listOf(summary)].entries()) {
    said.add(`${at} ${part}`, text ?? refusal)
  }
  said.add(`name ${at}`, name)
  said.add(`arguments ${at}`, given)
}
