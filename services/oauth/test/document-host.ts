import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on this machine that hosts clients' metadata documents. */
export interface DocumentHost {
  readonly host: string
  /** A client's document at a URL of its own. */
  put(members?: Record<string, unknown>, headers?: Record<string, string>): Document
  close(): Promise<void>
}

export interface Document {
  readonly id: string
  /** How often it was read. */
  readonly reads: () => number
  /** Changes members from now on. */
  change(members: Record<string, unknown>): void
  /** Changes the answer from now on; undefined restores the document. */
  answer(with_: ((res: ServerResponse) => void) | undefined): void
}

export const CALLBACK = 'https://client.example/callback'

export async function documentHost(): Promise<DocumentHost> {
  const answers = new Map<string, (res: ServerResponse) => void>()
  const server = createServer((req, res) => {
    const answer = answers.get(req.url ?? '')
    if (answer) answer(res)
    else res.writeHead(404).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  function put(members: Record<string, unknown> = {}, headers: Record<string, string> = {}): Document {
    const path = `/client-${answers.size}.json`
    const id = `http://${host}${path}`
    let reads = 0
    let document = { client_id: id, client_name: 'A client', redirect_uris: [CALLBACK], ...members }
    let instead: ((res: ServerResponse) => void) | undefined
    answers.set(path, (res) => {
      reads += 1
      if (instead) instead(res)
      else res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document))
    })
    return {
      id,
      reads: () => reads,
      change: (more) => {
        document = { ...document, ...more }
      },
      answer: (with_) => {
        instead = with_
      },
    }
  }

  return {
    host,
    put,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
