import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Json } from '../../../demo/src/models/json.ts'
import { type Answer, answerTo, PAUSE, wire } from './answers.ts'
import { namedIn, PATHS } from './asking.ts'
import { CELLS, type Cell, isAborted, type Surface } from './cells.ts'
import { billOf, priceOf } from './price.ts'

/** What an upstream has billed for one cell. */
export interface Bill {
  calls: number
  nano: bigint
}

export interface Upstream {
  /** Without a path. */
  readonly url: string
  readonly bills: ReadonlyMap<number, Bill>
  /** Resolves when the upstream has sent everything that precedes the client's leaving. */
  paused(cell: Cell, call: number): Promise<void>
  close(): Promise<void>
}

const JSON_TYPE = { 'content-type': 'application/json' }
const STREAM_TYPE = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
const ERROR = JSON.stringify({
  type: 'error',
  error: { message: 'The upstream failed.', type: 'api_error', param: null, code: null },
})

const surfaceOf = (url: string): Surface | undefined =>
  (Object.keys(PATHS) as Surface[]).find((surface) => url.split('?')[0]?.endsWith(PATHS[surface].replace('/v1', '')))

/**
 * The upstream of the board, which bills what it actually sent: the whole of a complete answer, the part sent before
 * its client left if the cell says so, and nothing for an answer that it broke off itself.
 */
export async function startUpstream(): Promise<Upstream> {
  const bills = new Map<number, Bill>(CELLS.map(({ id }) => [id, { calls: 0, nano: 0n }]))
  const pauses = new Map<string, PromiseWithResolvers<void>>()
  const pauseOf = (cell: number, call: number) => {
    const key = `${cell} ${call}`
    const known = pauses.get(key) ?? Promise.withResolvers<void>()
    pauses.set(key, known)
    return known
  }
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await text(req)
    const [named, surface] = [namedIn(body), surfaceOf(req.url ?? '')]
    const cell = CELLS.find(({ id }) => id === named?.cell)
    const bill = named && bills.get(named.cell)
    if (!named || !surface || !cell || !bill) return void res.writeHead(404, JSON_TYPE).end(ERROR)
    bill.calls += 1
    const ready = answerTo(surface, cell.behaviour, JSON.parse(body) as Json)
    const isStream = body.includes('"stream":true') || body.includes('"stream": true')
    const tokens = await deliver(res, cell, ready, isStream, () => pauseOf(named.cell, named.call).resolve())
    if (tokens) bill.nano += billOf(tokens, priceOf(surface))
  }
  const server = createServer(
    (req, res) => void answer(req, res).catch((error: unknown) => res.destroy(error as Error)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bills,
    paused: ({ id }, call) => pauseOf(id, call).promise,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers as the cell requires. @returns what is billed; undefined for nothing */
async function deliver(res: ServerResponse, cell: Cell, answer: Answer, isStream: boolean, paused: () => void) {
  const { behaviour } = cell
  if (behaviour === 'error before a byte') return void res.writeHead(500, JSON_TYPE).end(ERROR)
  const isBilled = behaviour !== 'abort, not billed'
  if (!isStream) {
    if (isAborted(cell)) {
      paused()
      // Nothing of it was sent.
      await once(res, 'close')
      return undefined
    }
    const bytes = Buffer.from(JSON.stringify(answer.whole))
    res.writeHead(200, { ...JSON_TYPE, 'content-length': bytes.length })
    if (behaviour === 'death in the answer') return die(res, bytes.subarray(0, bytes.length >> 1))
    res.end(bytes)
    return answer.tokens
  }
  res.writeHead(200, STREAM_TYPE)
  const frames = answer.frames.map(wire)
  if (behaviour === 'death in the answer') return die(res, Buffer.from(frames.slice(0, frames.length >> 1).join('')))
  if (!isAborted(cell)) {
    for (const frame of frames) res.write(frame)
    res.end()
    return answer.tokens
  }
  for (const frame of frames.slice(0, frames.findIndex((frame) => frame.includes(PAUSE)) + 1)) res.write(frame)
  paused()
  await once(res, 'close')
  return isBilled ? answer.untilPause : undefined
}

/** Sends a part, and resets the connection once it is sent. */
function die(res: ServerResponse, bytes: Buffer): undefined {
  res.write(bytes, () => setImmediate(() => res.destroy()))
  return undefined
}
