import { connect, type Socket } from 'node:net'

/** What is heard on a connection, as text. */
export interface Overheard {
  readonly heard: () => string
  readonly close: () => void
}

/** Everything that any client sends to Redis while it listens. */
export async function overhearRedis(url: string): Promise<Overheard> {
  const socket = await opened(url, 6379)
  socket.write('MONITOR\r\n')
  return listening(socket)
}

/**
 * Events published to NATS subjects, and the configuration of its streams; nothing but events is stored by any.
 * @param subjects of the core: `evt.>` for all events
 */
export async function overhearNats(url: string, subjects: string): Promise<Overheard> {
  const socket = await opened(url, 4222)
  const overheard = listening(socket)
  socket.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('PING\r\n')) socket.write('PONG\r\n')
  })
  socket.write('CONNECT {"verbose":false}\r\n')
  socket.write(`SUB ${subjects} 1\r\nSUB _INBOX.overheard 2\r\n`)
  socket.write('PUB $JS.API.STREAM.LIST _INBOX.overheard 0\r\n\r\n')
  return overheard
}

async function opened(url: string, port: number): Promise<Socket> {
  const { hostname, port: given } = new URL(url)
  const socket = connect(Number(given || port), hostname)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

function listening(socket: Socket): Overheard {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { heard: () => Buffer.concat(chunks).toString(), close: () => socket.destroy() }
}
