import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectNats, natsWire } from '../src/nats-wire.ts'
import { encode, MAX_MESSAGE_BYTES, type Wire } from '../src/wire.ts'

const url = inject('natsUrl')

describe.skipIf(!url)(`what one turn publishes${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  const writes: string[] = []
  const server = createServer((client) => {
    const { hostname, port } = new URL(url ?? '')
    const nats = connect(Number(port), hostname)
    client.on('data', (written) => writes.push(written.toString('latin1')))
    client.pipe(nats).pipe(client)
    for (const side of [client, nats]) side.on('error', () => {})
  })
  let wire: Wire
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    wire = natsWire(await connectNats(`nats://127.0.0.1:${(server.address() as AddressInfo).port}`, 'outbox'), 'outbox')
  })
  afterAll(async () => {
    await wire.close()
    server.close()
  })

  const heard = (subject: string) => {
    const all: string[] = []
    wire.subscribe(subject, undefined, ({ payload }) => all.push(Buffer.from(payload).toString()))
    return all
  }

  test('leaves in one write, in its order, also what callbacks of the turn publish after one another', async () => {
    const all = heard('outbox.turn')
    await wire.flush()
    writes.length = 0
    const turn = Array.from({ length: 10 }, async (_, n) => {
      for (let hops = 0; hops < n; hops += 1) await undefined
      wire.publish('outbox.turn', encode(n), {})
    })
    await Promise.all(turn)
    await until('all came', () => all.length === 10)
    expect(all).toEqual(Array.from({ length: 10 }, (_, n) => String(n)))
    expect(writes.filter((written) => written.includes('PUB outbox.turn'))).toHaveLength(1)
  })

  test('what is done at its end leaves with it', async () => {
    const all = heard('outbox.end')
    await wire.flush()
    writes.length = 0
    wire.endOfTurn(() => wire.publish('outbox.end', encode('last'), {}))
    wire.publish('outbox.end', encode('first'), {})
    await until('both came', () => all.length === 2)
    expect(all.toSorted()).toEqual(['"first"', '"last"'])
    expect(writes.filter((written) => written.includes('PUB outbox.end'))).toHaveLength(1)
  })

  test('error: a message that the server would not take is refused where it is published', () => {
    expect(() => wire.publish('outbox.large', Buffer.alloc(MAX_MESSAGE_BYTES * 2), {})).toThrow(/max_payload/)
  })

  test('error: nothing is published on a connection that is closed, and what waits when it closes has left', async () => {
    const closing = natsWire(await connectNats(url ?? '', 'outbox'), 'outbox')
    const all = heard('outbox.closing')
    await wire.flush()
    closing.publish('outbox.closing', encode('last words'), {})
    await closing.close()
    await until('it came', () => all.length === 1)
    expect(() => closing.publish('outbox.closing', encode('too late'), {})).toThrow(/closed/)
  })
})
