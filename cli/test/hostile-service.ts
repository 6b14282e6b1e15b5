import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A service that answers what it likes, and remembers what it was sent. */
export interface HostileService {
  readonly url: string
  /** The bodies by path, in order. */
  readonly sent: readonly { readonly path: string; readonly body: string; readonly authorization: string | undefined }[]
  close(): void
}

/** @param answers by the path of a request: the JSON that it gets */
export async function hostileService(
  answers: (url: string) => Readonly<Record<string, object>>,
): Promise<HostileService> {
  const sent: { path: string; body: string; authorization: string | undefined }[] = []
  let url = ''
  const server = createServer(async (request, answer) => {
    const path = new URL(request.url ?? '', 'http://service').pathname
    sent.push({ path, body: await text(request), authorization: request.headers.authorization })
    const found = answers(url)[path]
    const headers = { 'content-type': 'application/json', 'set-cookie': 'callboard=any' }
    answer.writeHead(found ? 200 : 404, headers).end(JSON.stringify(found ?? { error: 'not_found', message: 'None.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    sent,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
