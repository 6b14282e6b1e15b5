import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What is lost of the next request to a path: the request, or its answer. */
export type Lost = 'request' | 'answer'

/** A proxy for a service that loses messages. */
export interface LosingProxy {
  readonly url: string
  /** @param carrying a header that the request has, and a text that its body holds */
  lose(path: string, what: Lost, carrying?: { readonly header?: string; readonly text?: string }): void
  close(): void
}

const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'content-encoding', 'keep-alive']

const passedOn = (headers: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries([...headers].filter(([name]) => !HOP.includes(name)).map(([name, value]) => [name, String(value)]))

export async function losingProxy(baseUrl: string): Promise<LosingProxy> {
  let losing: { path: string; what: Lost; header: string; text: string } | undefined
  const server = createServer(async (request, answer) => {
    const body = await text(request)
    const isIt = ({ path, header, text }: NonNullable<typeof losing>) =>
      path === request.url && header in request.headers && body.includes(text)
    const what = losing && isIt(losing) ? losing.what : undefined
    if (what) losing = undefined
    if (what === 'request') return void request.socket.destroy()
    const upstream = await fetch(`${baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: passedOn(Object.entries(request.headers)),
      ...(body === '' ? {} : { body }),
    })
    const bytes = Buffer.from(await upstream.arrayBuffer())
    if (what === 'answer') return void request.socket.destroy()
    answer.writeHead(upstream.status, passedOn(upstream.headers)).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (path, what, { header = 'host', text = '' } = {}) => {
      losing = { path, what, header, text }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
