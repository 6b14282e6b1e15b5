import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { freePort } from '@callboard/embedded'
import { onTestFinished, test } from 'vitest'
import { startBalancer } from '../src/cluster/balancer.ts'

/** A process that sends its name to every client that connects. */
async function saying(name: string): Promise<number> {
  const server: Server = createServer((socket) => socket.end(name)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('connections go to the ready replicas in turn, skipping one that is ready but refuses', async ({ expect }) => {
  const [port, first, second, dead] = [await freePort(), await saying('a'), await saying('b'), await freePort()]
  const balancer = await startBalancer(port, () => [
    { port: first, ready: true },
    { port: dead, ready: true },
    { port: second, ready: true },
    { port: first, ready: false },
  ])
  onTestFinished(() => balancer.close())
  const answers: string[] = []
  for (let n = 0; n < 6; n += 1) answers.push(await text(connect(port, '127.0.0.1')))
  expect(answers.toSorted().join('')).toMatch(/^(?=.{6}$)a+b+$/)
})
