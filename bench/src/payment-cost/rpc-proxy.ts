import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { noteCalls } from './json-rpc.ts'
import type { Ledger } from './ledger.ts'
import { join, type Way } from './postgres-proxy.ts'
import { WebSocketMessages } from './websocket-messages.ts'

/** A proxy for a node's JSON-RPC, over HTTP or WebSocket, that records its traffic in the ledger. */
export async function openRpcProxy(url: string, ledger: Ledger): Promise<Way> {
  const target = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (req, res) => {
    void handOn({ target, agent, ledger }, req, res).catch(() => res.destroy())
  })
  server.on('upgrade', (req: IncomingMessage, client: Socket, head: Buffer) => {
    const upstream = connect(Number(target.port), target.hostname)
    upstream.write(openingOf(req))
    const messages = new WebSocketMessages((text) => {
      const at = performance.now()
      ledger.add({ at, what: 'WebSocket messages to the node', by: 'WebSocket' })
      noteCalls(ledger, text, { at })
    })
    if (head.length > 0) client.unshift(head)
    client.on('data', (chunk) => {
      ledger.add({ at: performance.now(), what: 'writes to sockets', by: 'node' })
      messages.push(chunk)
    })
    join(client, upstream, open)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      agent.destroy()
    },
  }
}

interface Line {
  readonly target: URL
  readonly agent: Agent
  readonly ledger: Ledger
}

async function handOn({ target, agent, ledger }: Line, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = Buffer.concat(await req.toArray())
  const at = performance.now()
  const { method, url: path, headers } = req
  const asked = request({ agent, hostname: target.hostname, port: target.port, method, path, headers })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const said = Buffer.concat(await answer.toArray())
  ledger.add({ at, what: 'HTTP requests to the node', by: 'HTTP' })
  ledger.add({ at, what: 'writes to sockets', by: 'node' })
  if (body.length > 0) noteCalls(ledger, body.toString('utf8'), { at, ms: performance.now() - at })
  const { 'transfer-encoding': _, ...rest } = answer.headers
  res.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': said.length })
  res.end(said)
}

/** The original request, without the extensions that would compress the counted traffic. */
function openingOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (name.toLowerCase() !== 'sec-websocket-extensions') lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
