import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CALL, FRAMES, MODELS, PACE_MS, type Said, stampOf } from './upstream-words.ts'

/**
 * The upstream of every gateway in the figure, in a process of its own: `node:http` and fixed answers. A plain model
 * answers with a completion of 734 bytes, or streams 53 chunks, one in each turn of the event loop; a paced one sends
 * 64 frames with 20 ms between them, each with the moment it left; a silent one never answers. When a client leaves
 * before its answer has ended, the parent is told when.
 */
const HEAD = { id: 'chatcmpl-bench0000000000000000000000', created: 1_795_339_800, model: 'bench' }
const USAGE = {
  prompt_tokens: 41,
  completion_tokens: 50,
  total_tokens: 91,
  prompt_tokens_details: { cached_tokens: 0 },
}
const WORDS = 50
const COMPLETION_BYTES = 734

const whole = (content: string) =>
  JSON.stringify({
    ...HEAD,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
    usage: USAGE,
  })
const COMPLETION = Buffer.from(whole('word '.repeat(200).slice(0, COMPLETION_BYTES - whole('').length)))

const chunk = (choices: readonly object[], more: object = {}) =>
  `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...more })}\n\n`
const delta = (said: object, finish: string | null = null) => chunk([{ index: 0, delta: said, finish_reason: finish }])
const OPENING = delta({ role: 'assistant', content: '' })
const CLOSING = [delta({}, 'stop'), chunk([], { usage: USAGE })]
const DONE = 'data: [DONE]\n\n'
const CHUNKS = [OPENING, ...Array.from({ length: WORDS }, () => delta({ content: 'word ' })), ...CLOSING]

const open = (res: ServerResponse) =>
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })

function streamAtOnce(res: ServerResponse): void {
  open(res)
  let at = 0
  const next = () => {
    const sent = CHUNKS[at]
    at += 1
    if (sent === undefined) return void res.end(DONE)
    res.write(sent)
    setImmediate(next)
  }
  next()
}

/** Frames leave at their scheduled moments, late ones at once, so that a slow machine does not stretch the stream. */
function streamPaced(res: ServerResponse): void {
  open(res).write(OPENING)
  const start = performance.now()
  let at = 0
  const next = () => {
    if (res.destroyed) return
    res.write(delta({ content: stampOf(process.hrtime.bigint()) }))
    at += 1
    if (at === FRAMES) return void res.end([...CLOSING, DONE].join(''))
    setTimeout(next, Math.max(0, start + at * PACE_MS - performance.now()))
  }
  next()
}

const tell = (said: Said) => process.send?.(said)

const server = createServer((req, res) => {
  // Gateways request more than was asked of them, such as lists of models.
  if (req.method !== 'POST') return void res.writeHead(404).end()
  void text(req).then((body) => {
    const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean }
    const call = CALL.exec(body)?.[1]
    if (call !== undefined) {
      tell({ kind: 'asked', call })
      res.once('close', () => {
        if (!res.writableFinished) tell({ kind: 'aborted', call, at: String(process.hrtime.bigint()) })
      })
    }
    if (model.endsWith(MODELS.silent)) return
    if (stream !== true) return void res.writeHead(200, { 'content-type': 'application/json' }).end(COMPLETION)
    if (model.endsWith(MODELS.paced)) streamPaced(res)
    else streamAtOnce(res)
  })
})
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => tell({ kind: 'ready', port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit())
