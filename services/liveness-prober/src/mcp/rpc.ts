import { isObject, readJson } from '@callboard/x402'
import { createParser, type EventSourceParser } from 'eventsource-parser'

/** A JSON-RPC 2.0 response: one of the two members, if the server follows the standard. */
export interface RpcAnswer {
  readonly result?: unknown
  readonly error?: unknown
}

/** The text of a request or, without an id, of a notification. */
export const rpcText = (method: string, params: object | undefined, id?: number): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, ...(params ? { params } : {}) })

/**
 * The answer to a request, in a body that is JSON or an event stream, where other messages may precede it.
 * @returns undefined if it is not there
 * @source MCP 2025-11-25, Streamable HTTP
 */
export const answerIn = (contentType: string, body: string, id: number): RpcAnswer | undefined =>
  messagesOf(contentType, body)
    .map((text) => answerOf(text, id))
    .find((answer) => answer !== undefined)

/**
 * Watches a body as it arrives, for streams that stay open after their answer.
 * @returns whether the answer has arrived
 */
export function answerWatch(id: number): (chunk: Buffer) => boolean {
  const decoder = new TextDecoder()
  let isThere = false
  const parser = createParser({
    onEvent: ({ data }) => {
      isThere ||= answerOf(data, id) !== undefined
    },
  })
  const feed = feeding(parser)
  return (chunk) => {
    feed(decoder.decode(chunk, { stream: true }))
    return isThere
  }
}

/** More lines than these are not read. */
const MOST_LINES = 10_000
/** In characters. */
const PIECE = 1_024

/**
 * Feeds a stream to a parser, in small pieces and up to a number of lines: an unknown field costs an error with its
 * stack, a carriage return a search through the rest of the piece, and a server may send a quarter of a million of them.
 */
function feeding(parser: EventSourceParser): (text: string) => void {
  let lines = 0
  return (text) => {
    for (let at = 0; at < text.length && lines <= MOST_LINES; at += PIECE) {
      const piece = text.slice(at, at + PIECE)
      lines += piece.split(/[\r\n]/).length - 1
      parser.feed(piece)
    }
  }
}

const EVENT_STREAM = /^text\/event-stream\b/i

function messagesOf(contentType: string, body: string): string[] {
  if (!EVENT_STREAM.test(contentType)) return [body]
  const messages: string[] = []
  const parser = createParser({ onEvent: ({ data }) => void messages.push(data) })
  feeding(parser)(body)
  return messages
}

function answerOf(text: string, id: number): RpcAnswer | undefined {
  const read = readJson(text, 'finite')
  if (!read.ok || !isObject(read.value) || read.value.id !== id) return undefined
  const { result, error } = read.value
  return { result, error }
}
