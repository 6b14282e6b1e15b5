import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection between services and a server, which can be slow, silent or cut. */
export interface Link {
  readonly port: number
  /** Delays every piece of data by this much, in each direction, in order. */
  delayMs: number
  /** Until `heal`, nothing passes and nothing is refused. */
  stall(): void
  /** Until `heal`, connections end and new ones are refused. */
  cut(): void
  heal(): void
  close(): Promise<void>
}

export async function linkTo(port: number): Promise<Link> {
  const sockets = new Set<Socket>()
  const held = new Set<() => void>()
  const state = { delayMs: 0, stalled: false, isCut: false }

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  /** Forwards one side's data to the other, in order and when the link allows it. */
  function pass(from: Socket, to: Socket): void {
    let before = Promise.resolve()
    const later = (act: () => void) => {
      const due = state.delayMs > 0 ? new Promise<void>((resolve) => setTimeout(resolve, state.delayMs)) : undefined
      before = before.then(async () => {
        await due
        if (state.stalled) await new Promise<void>((resolve) => held.add(resolve))
        if (!to.destroyed) act()
      })
    }
    from.on('data', (chunk) => later(() => to.write(chunk)))
    from.on('end', () => later(() => to.end()))
    from.once('close', () => later(() => to.destroy()))
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    keep(client)
    if (state.isCut) return client.destroy()
    const server = keep(connect({ port, host: '127.0.0.1', allowHalfOpen: true }))
    pass(client, server)
    pass(server, client)
    return undefined
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  return Object.assign(state, {
    port: (listener.address() as AddressInfo).port,
    stall() {
      state.stalled = true
    },
    cut() {
      state.isCut = true
      for (const socket of sockets) socket.destroy()
    },
    heal() {
      state.delayMs = 0
      state.stalled = false
      state.isCut = false
      for (const go of held) go()
      held.clear()
    },
    async close() {
      const over = once(listener, 'close')
      listener.close()
      for (const socket of sockets) socket.destroy()
      await over
    },
  })
}
