import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** How the upstream answers, according to the request’s `user` member. */
export const WAYS = [
  'whole',
  'stream',
  'no-usage',
  'error',
  'refusal',
  'no-json',
  'death',
  'broken',
  'silence',
] as const
export type Way = (typeof WAYS)[number]

/** A server of OpenAI’s shape that repeats its input: in answers, tool arguments, errors, and half before dying. */
export async function startEchoUpstream(word: string) {
  const server = createServer((request, answer) => {
    answered(request, answer, word).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answered(request: IncomingMessage, answer: ServerResponse, word: string): Promise<void> {
  const { user } = JSON.parse(await text(request)) as { user: Way }
  if (user === 'error' || user === 'refusal') {
    answer.writeHead(user === 'error' ? 500 : 400, { 'content-type': 'application/json' })
    answer.end(JSON.stringify({ error: { message: `I do not like ${word}`, type: word, param: word, code: word } }))
    return
  }
  if (user === 'no-json') return void answer.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${word}`)
  if (user === 'whole') {
    answer.writeHead(200, { 'content-type': 'application/json' })
    answer.end(JSON.stringify({ ...head('chat.completion'), choices: [choice('message', word)], usage: USAGE }))
    return
  }
  answer.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (data: string) => answer.write(`data: ${data}\n\n`)
  const chunk = (more: object) => event(JSON.stringify({ ...head('chat.completion.chunk'), ...more }))
  for (let n = 0; n < 3; n++) chunk({ choices: [choice('delta', word)] })
  if (user === 'silence') return
  if (user === 'death') return void setImmediate(() => answer.destroy())
  if (user === 'broken') event(`{"choices": [${word}`)
  if (user === 'stream') chunk({ choices: [], usage: USAGE })
  event('[DONE]')
  answer.end()
}

const USAGE = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }

const head = (object: string) => ({ id: 'chatcmpl-echo', object, created: 1_795_339_800, model: 'echo' })

const choice = (member: 'message' | 'delta', word: string) => ({
  index: 0,
  [member]: {
    role: 'assistant',
    content: word,
    tool_calls: [
      { index: 0, id: 'call_1', type: 'function', function: { name: 'say', arguments: `{"word":"${word}"}` } },
    ],
  },
  finish_reason: null,
})
