import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { overTcp } from '@callboard/testkit'
import type { Ledger } from './ledger.ts'
import { PostgresMessages } from './postgres-messages.ts'
import { PostgresSession } from './postgres-session.ts'

/** A connection to a server that records its traffic. */
export interface Way {
  readonly url: string
  close(): void
}

/** A proxy for a Postgres that records its traffic in the ledger. @param url of a database there */
export async function openPostgresProxy(url: string, ledger: Ledger): Promise<Way> {
  const target = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const session = new PostgresSession(ledger)
    const frontend = new PostgresMessages('frontend', session.fromFrontend)
    const backend = new PostgresMessages('backend', session.fromBackend)
    client.on('data', (chunk) => {
      // A client waits for the answer before it sends again, so whatever arrives together was written together.
      ledger.add({ at: performance.now(), what: 'writes to sockets', by: 'Postgres' })
      frontend.push(chunk)
    })
    upstream.on('data', (chunk) => backend.push(chunk))
    join(client, upstream, open)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(overTcp(url))
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Forwards both sides' data at once, until one of them closes. */
export function join(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
    socket.pipe(other)
  }
}
