import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A node of a chain that lies about some of what it is asked. */
export interface LyingNode {
  readonly url: string
  close(): void
}

/** @param lie by the method of a request, and how often it was asked for before: the result, or undefined for the truth */
export async function lyingNode(rpcUrl: string, lie: (method: string, before: number) => unknown): Promise<LyingNode> {
  const asked = new Map<string, number>()
  const server = createServer(async (request, answer) => {
    const body = await text(request)
    const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string }
    const before = asked.get(method) ?? 0
    asked.set(method, before + 1)
    const result = lie(method, before)
    const headers = { 'content-type': 'application/json' }
    const told =
      result === undefined
        ? await (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
        : JSON.stringify({ jsonrpc: '2.0', id, result })
    answer.writeHead(200, headers).end(told)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
