import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { until } from '@callboard/testkit'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectNats, natsWire } from '../src/nats-wire.ts'
import { encode, MAX_MESSAGE_BYTES, type Wire } from '../src/wire.ts'

const url = inject('natsUrl')

describe.skipIf(!url)(`messages published in one turn${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  const writes: string[] = []
  const server = createServer((client) => {
    const { hostname, port } = new URL(url ?? '')
    const nats = connect(Number(port), hostname)
    client.on('data', (written) => writes.push(written.toString('latin1')))
    client.pipe(nats).pipe(client)
    for (const side of [client, nats]) side.on('error', () => {})
  })
  let connection: NatsConnection
  let wire: Wire
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    connection = await connectNats(`nats://127.0.0.1:${(server.address() as AddressInfo).port}`, 'outbox')
    wire = natsWire(connection, 'outbox')
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

  test('leave in one write and in order, including those that callbacks of the turn publish', async () => {
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

  test('include what is published at the end of the turn', async () => {
    const all = heard('outbox.end')
    await wire.flush()
    writes.length = 0
    wire.endOfTurn(() => wire.publish('outbox.end', encode('last'), {}))
    wire.publish('outbox.end', encode('first'), {})
    await until('both came', () => all.length === 2)
    expect(all.toSorted()).toEqual(['"first"', '"last"'])
    expect(writes.filter((written) => written.includes('PUB outbox.end'))).toHaveLength(1)
  })

  test('error: a message larger than the server accepts is refused when it is published', () => {
    expect(() => wire.publish('outbox.large', Buffer.alloc(MAX_MESSAGE_BYTES * 2), {})).toThrow(/max_payload/)
  })

  test('error: a message that only its headers make too large is refused; earlier messages have left', async () => {
    const all = heard('outbox.headers')
    await wire.flush()
    wire.publish('outbox.headers', encode('before'), {})
    const limit = connection.info?.max_payload ?? 0
    const most = Buffer.alloc(limit - 1_000)
    expect(() => wire.publish('outbox.headers', most, { long: 'x'.repeat(1_000) })).toThrow(/max_payload/)
    wire.publish('outbox.headers', encode('after'), {})
    await until('both came', () => all.length === 2)
    expect(all).toEqual(['"before"', '"after"'])
  })

  test('a message just within the server’s limit arrives, in order', async () => {
    const all = heard('outbox.fits')
    await wire.flush()
    const limit = connection.info?.max_payload ?? 0
    const headers = { long: 'x'.repeat(1_000) }
    const bytes = limit - Buffer.byteLength(`NATS/1.0\r\nlong: ${headers.long}\r\n\r\n`)
    wire.publish('outbox.fits', encode('before'), {})
    wire.publish('outbox.fits', Buffer.alloc(bytes), headers)
    wire.publish('outbox.fits', encode('after'), {})
    await until('all came', () => all.length === 3)
    expect(all.map((text) => text.length)).toEqual(['"before"'.length, bytes, '"after"'.length])
  })

  test('error: a closed connection publishes nothing; messages waiting at the close have left', async () => {
    const closing = natsWire(await connectNats(url ?? '', 'outbox'), 'outbox')
    const all = heard('outbox.closing')
    await wire.flush()
    closing.publish('outbox.closing', encode('last words'), {})
    await closing.close()
    await until('it came', () => all.length === 1)
    expect(() => closing.publish('outbox.closing', encode('too late'), {})).toThrow(/closed/)
  })
})
