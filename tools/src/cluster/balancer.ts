import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A process behind the balancer. */
export interface Backend {
  readonly port: number
  /** Whether it accepts new connections now. */
  readonly ready: boolean
}

export interface Balancer {
  close(): Promise<void>
}

/**
 * Distributes the connections to one port among several processes in turn, only to ready ones: what a Service does in a
 * cluster.
 * @param backends read for every connection, so that processes may come and go
 */
export async function startBalancer(port: number, backends: () => readonly Backend[]): Promise<Balancer> {
  const open = new Set<Socket>()
  let turn = 0

  function keep(socket: Socket): Socket {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
    return socket
  }

  /** Tries the ready ones in turn; a client gets no answer only when none accepts the connection. */
  async function place(client: Socket): Promise<void> {
    const ready = backends().filter((backend) => backend.ready)
    for (let tries = ready.length; tries > 0; tries -= 1) {
      turn += 1
      const backend = ready[turn % ready.length]
      const server = backend && keep(connect(backend.port, '127.0.0.1'))
      if (!server || !(await isTaken(server))) continue
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
      client.pipe(server).pipe(client)
      return
    }
    client.destroy()
  }

  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    keep(client)
    void place(client)
  })
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  return {
    async close() {
      const over = once(listener, 'close')
      listener.close()
      for (const socket of open) socket.destroy()
      await over
    },
  }
}

/** Whether a connection is established; a refused one emits only `close`. */
const isTaken = (socket: Socket) =>
  new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('close', () => resolve(false)))
