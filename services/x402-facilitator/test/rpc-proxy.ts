import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What to do with requests that name a method: for `answers`, they are forwarded and their answers withheld. */
export type Withheld = 'requests' | 'answers'

/** A proxy to a node that can be watched and cut. */
export interface RpcProxy {
  readonly url: string
  /** HTTP requests so far, each a list of methods. */
  readonly seen: readonly (readonly string[])[]
  /** Never answers a request that names the method, until `restore`. Resolves when such a request has come. */
  withhold(method: string, what: Withheld): Promise<void>
  /** Resolves when the answer to the next request that names the method was forwarded. */
  until(method: string): Promise<void>
  /** Answers everything with 503 until `restore`. */
  cut(): void
  /** Answers from now on that the node has no such method. */
  lacks(method: string): void
  /** Replaces the node's answer to a method. */
  lie(method: string, result: unknown): void
  restore(): void
  close(): Promise<void>
}

type Request = { id: number; method: string }

export async function openRpcProxy(nodeUrl: string): Promise<RpcProxy> {
  const seen: string[][] = []
  const lies = new Map<string, unknown>()
  const lacking = new Set<string>()
  let isCut = false
  let awaited: { method: string; passed: () => void } | undefined
  let withheld: { method: string; what: Withheld; came: () => void } | undefined

  const server = createServer(async (req, res) => {
    // A WebSocket handshake, which this proxy does not accept.
    if (req.method !== 'POST') return res.writeHead(405).end()
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const requests = [JSON.parse(body)].flat() as Request[]
    seen.push(requests.map(({ method }) => method))
    if (isCut) return res.writeHead(503).end()
    const [alone] = requests
    if (alone && requests.length === 1 && lacking.has(alone.method)) return answer(res, unknownMethod(alone))
    const held = requests.some(({ method }) => method === withheld?.method) ? withheld : undefined
    if (held?.what === 'requests') return held.came()
    const reply = await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await reply.text()
    if (held) return held.came()
    const answers = [JSON.parse(text)].flat().map((one: { id: number }) => {
      const method = requests.find(({ id }) => id === one.id)?.method ?? ''
      return lies.has(method) ? { jsonrpc: '2.0', id: one.id, result: lies.get(method) } : one
    })
    if (requests.some(({ method }) => method === awaited?.method)) awaited?.passed()
    return answer(res, body.startsWith('[') ? answers : answers[0])
  })
  await listening(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async withhold(method, what) {
      const came = Promise.withResolvers<void>()
      withheld = { method, what, came: came.resolve }
      await came.promise
    },
    async until(method) {
      const passed = Promise.withResolvers<void>()
      awaited = { method, passed: passed.resolve }
      await passed.promise
      awaited = undefined
    },
    cut: () => {
      isCut = true
    },
    lacks: (method) => {
      lacking.add(method)
    },
    lie: (method, result) => {
      lies.set(method, result)
    },
    restore: () => {
      isCut = false
      withheld = undefined
      lies.clear()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await wait(0)
    },
  }
}

const answer = (res: ServerResponse, body: unknown) =>
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const unknownMethod = ({ id }: Request) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_601, message: 'Method not found' },
})

const listening = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
