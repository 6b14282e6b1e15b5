import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What is lost of the next request to a path: the request, or its answer. */
export type Lost = 'request' | 'answer'

/** Which requests to a path are lost. */
interface Which {
  readonly header: string
  readonly text: string
  readonly times: number
}

/** A proxy for a service that loses messages. */
export interface LosingProxy {
  readonly url: string
  /** @param which a header that the request has, a text that its body holds, and how many are lost: one, if not said */
  lose(path: string, what: Lost, which?: Partial<Which>): void
  close(): void
}

const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'content-encoding', 'keep-alive']

const passedOn = (headers: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries([...headers].filter(([name]) => !HOP.includes(name)).map(([name, value]) => [name, String(value)]))

export async function losingProxy(baseUrl: string): Promise<LosingProxy> {
  let losing: ({ path: string; what: Lost } & Which) | undefined
  const server = createServer(async (request, answer) => {
    const body = await text(request)
    const isIt = ({ path, header, text }: NonNullable<typeof losing>) =>
      path === request.url && header in request.headers && body.includes(text)
    const what = losing && isIt(losing) ? losing.what : undefined
    if (losing && what) losing = losing.times > 1 ? { ...losing, times: losing.times - 1 } : undefined
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
    lose: (path, what, { header = 'host', text = '', times = 1 } = {}) => {
      losing = { path, what, header, text, times }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
