import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A way to a server. What was connected before `vanish` stays so, and nothing passes any more; what was connected before
 * `leadTo` goes on to where it did.
 */
export async function wayTo(port: number, host = '127.0.0.1') {
  const carried: Socket[] = []
  let to = port
  const listener = createServer((client) => {
    const server = connect(to, host)
    for (const socket of [client, server]) carried.push(socket.on('error', () => {}))
    client.pipe(server)
    server.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    leadTo(other: number) {
      to = other
    },
    vanish() {
      for (const socket of carried) socket.unpipe().pause()
    },
    close() {
      listener.close()
      for (const socket of carried) socket.destroy()
    },
  }
}
