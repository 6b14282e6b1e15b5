import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

export interface RpcAnswer {
  readonly jsonrpc: '2.0'
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** How the proxy lies: about a whole HTTP answer, or about single results. Absent: it forwards the node's answers. */
export interface Lie {
  /** Answers instead of the node. @returns true when it has */
  readonly http?: (asked: readonly Asked[], res: ServerResponse) => boolean | Promise<boolean>
  /** Changes one result on its way back; may be slow. */
  readonly result?: (asked: Asked, result: unknown) => unknown
  /** Refuses one call with this message. */
  readonly refusal?: (asked: Asked) => string | undefined
}

/** A real HTTP server in front of a real node, which can lie. */
export interface RpcProxy {
  readonly url: string
  lie: Lie
  /** Every call received, in order. */
  readonly asked: Asked[]
  /** Cuts every forwarded WebSocket; new ones are forwarded. */
  dropWebSockets(): void
  close(): Promise<void>
}

export interface RpcProxyOptions {
  /** Whether WebSockets are forwarded to the node unchanged; by default they are refused. */
  readonly passesWebSockets?: boolean
}

export async function rpcProxy(nodeUrl: string, { passesWebSockets = false }: RpcProxyOptions = {}): Promise<RpcProxy> {
  const proxy = { lie: {} as Lie, asked: [] as Asked[] }
  const server = createServer((req, res) => {
    serve(proxy, nodeUrl, req, res).catch(() => res.destroy())
  })
  const tunnels = new Set<Duplex>()
  const dropWebSockets = () => {
    for (const end of tunnels) end.destroy()
    tunnels.clear()
  }
  if (passesWebSockets) {
    server.on('upgrade', (req, socket) => {
      for (const end of tunnel(nodeUrl, req, socket)) tunnels.add(end)
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropWebSockets,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        dropWebSockets()
        server.close(() => resolve())
      }),
  })
}

/** Forwards one connection to the node, from its first line. @returns both of its ends */
function tunnel(nodeUrl: string, req: IncomingMessage, socket: Duplex): [Duplex, Duplex] {
  const { hostname, port } = new URL(nodeUrl)
  const node = connect(Number(port), hostname)
  const head = req.rawHeaders.flatMap((text, at) => (at % 2 ? [] : [`${text}: ${req.rawHeaders[at + 1]}`]))
  node.write(`${[`${req.method} ${req.url} HTTP/1.1`, ...head].join('\r\n')}\r\n\r\n`)
  for (const end of [node, socket]) end.on('error', () => {})
  node.pipe(socket).pipe(node)
  return [node, socket]
}

async function serve(
  proxy: Pick<RpcProxy, 'lie' | 'asked'>,
  nodeUrl: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body = await text(req)
  const parsed: unknown = JSON.parse(body)
  const requests = (Array.isArray(parsed) ? parsed : [parsed]) as (Asked & { id: unknown })[]
  proxy.asked.push(...requests)
  const { lie } = proxy
  if (await lie.http?.(requests, res)) return
  const headers = { 'content-type': 'application/json' }
  const fromNode = (await (await fetch(nodeUrl, { method: 'POST', headers, body })).json()) as RpcAnswer | RpcAnswer[]
  const answers = await Promise.all(
    (Array.isArray(fromNode) ? fromNode : [fromNode]).map(async (answer) => {
      const request = requests.find(({ id }) => id === answer.id)
      const message = request && lie.refusal?.(request)
      if (message) return { jsonrpc: '2.0', id: answer.id, error: { code: -32_000, message } }
      if (!request || !lie.result || answer.error) return answer
      return { ...answer, result: await lie.result(request, answer.result) }
    }),
  )
  res.writeHead(200, headers).end(JSON.stringify(Array.isArray(fromNode) ? answers : answers[0]))
}
