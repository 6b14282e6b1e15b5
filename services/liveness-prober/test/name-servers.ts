import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A name server on loopback that answers every question with one response code, without records; never if null. */
export async function nameServer(rcode: number | null): Promise<{ readonly address: string; close(): Promise<void> }> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    if (rcode === null) return
    const answer = Buffer.from(question)
    // RFC 1035, 4.1.1: a response, recursion available, with this code; without the question's EDNS record.
    answer.writeUInt16BE(0x8180 | rcode, 2)
    answer.writeUInt16BE(0, 10)
    socket.send(answer.subarray(0, endOfQuestion(answer)), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** The labels of the name, its root, type and class. */
function endOfQuestion(message: Buffer): number {
  let at = 12
  while (message[at]) at += (message[at] ?? 0) + 1
  return at + 5
}
