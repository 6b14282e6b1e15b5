import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

/** A real server on this machine that counts its connections. */
export interface Counted {
  readonly port: number
  readonly origin: string
  readonly connections: () => number
  close(): Promise<void>
}

async function listen(server: Server, host: string, port: number): Promise<Counted> {
  let connections = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, ipv6Only: true }, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    port: bound,
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export const httpServer = (handler: RequestListener, host = '127.0.0.1', port = 0) =>
  listen(createHttpServer(handler), host, port)

/** A server without HTTP: the test decides what it writes. */
export const tcpServer = (onSocket: (socket: Socket) => void, host = '127.0.0.1') =>
  listen(createTcpServer(onSocket), host, 0)
