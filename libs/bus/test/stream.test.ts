import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { event } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { DECLARATION, EVENT_STREAM } from '../src/events/stream-declaration.ts'
import { type Bus, natsBus, type StreamSettings } from '../src/index.ts'

const url = inject('natsUrl')

const of = event({ id: 'thing.made', version: 1, key: 'k', summary: 'A test.', data: z.object({ k: z.string() }) })
const consumers = [{ service: 'reader', event: of }]
const NEWER = `(declaration ${DECLARATION + 1} of Callboard)`

const folder = () => mkdtempSync(join(tmpdir(), 'nats-stream-'))

describe.skipIf(!url)(`the stream on a nats-server${url ? '' : ` (not run: ${inject('absent').nats})`}`, () => {
  let server: NatsServer
  let storeDir: string
  let connection: NatsConnection
  let manager: JetStreamManager
  const buses: Bus[] = []
  const busWith = async (stream?: StreamSettings) => {
    const bus = await natsBus(server.url, 'reader', { stream })
    buses.push(bus)
    return bus
  }
  const configured = async () => (await manager.streams.info(EVENT_STREAM)).config

  beforeAll(async () => {
    storeDir = folder()
    server = await startNatsServer({ storeDir })
    connection = await connect({ servers: server.url })
    manager = await jetstreamManager(connection)
  })
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    await connection.close()
    await server.stop()
    rmSync(storeDir, { recursive: true })
  })

  test('the server refuses more replicas than there are servers', async () => {
    const three = await busWith({ replicas: 3, maxAgeDays: 3, maxBytes: 9_000_000 })
    await expect(three.events.prepare(consumers)).rejects.toThrow('replicas > 1 not supported in non-clustered mode')
    expect(await three.events.lacks(consumers)).toEqual([`the stream ${EVENT_STREAM} is not there`])
  })

  test('age and size follow the process that prepares the stream, and the others report nothing missing', async () => {
    const [first, other] = [await busWith(), await busWith({ replicas: 1, maxAgeDays: 3, maxBytes: 9_000_000 })]
    await first.events.prepare(consumers)
    expect(await configured()).toMatchObject({ max_age: 1_209_600_000_000_000, max_bytes: -1, num_replicas: 1 })
    await other.events.prepare(consumers)
    expect(await configured()).toMatchObject({ max_age: 259_200_000_000_000, max_bytes: 9_000_000 })
    expect(await first.events.lacks(consumers)).toEqual([])
  })

  test('a deviation in what no operator sets is reported and corrected', async () => {
    const bus = await busWith()
    await manager.streams.update(EVENT_STREAM, { ...(await configured()), duplicate_window: 60_000_000_000 })
    expect(await bus.events.lacks(consumers)).toEqual([
      `nats-server keeps duplicate_window of ${EVENT_STREAM} as 60000000000, not 600000000000`,
    ])
    await bus.events.prepare(consumers)
    expect(await bus.events.lacks(consumers)).toEqual([])
  })

  test('an older process that prepares or renews keeps what a newer version declared', async () => {
    const older = await busWith({ replicas: 1, maxAgeDays: 1, maxBytes: 1_000_000 })
    const theirs = {
      description: `Everything ${NEWER}`,
      duplicate_window: 120_000_000_000,
      max_age: 864_000_000_000_000,
    }
    await manager.streams.update(EVENT_STREAM, { ...(await configured()), ...theirs })
    const [durable = ''] = (await manager.consumers.list(EVENT_STREAM).next()).map(({ name }) => name)
    const { config } = await manager.consumers.info(EVENT_STREAM, durable)
    const ofConsumer = { description: `Theirs ${NEWER}`, ack_wait: 7_000_000_000 }
    await manager.consumers.add(EVENT_STREAM, { ...config, ...ofConsumer })

    expect(await older.events.lacks(consumers)).toEqual([])
    await older.events.prepare(consumers)
    expect(await configured()).toMatchObject(theirs)
    expect((await manager.consumers.info(EVENT_STREAM, durable)).config).toMatchObject(ofConsumer)

    const identity = await older.events.identity()
    await older.events.renew(consumers)
    expect(await older.events.identity()).not.toBe(identity)
    expect(await configured()).toMatchObject(theirs)
  })
})

describe.skipIf(!url)('a cluster of three', () => {
  test('holds the stream on three servers, and a client of a hanging server moves to another', async () => {
    const names = ['a', 'b', 'c']
    const routes = await Promise.all(names.map(async () => `nats://127.0.0.1:${await freePort()}`))
    const stores = names.map(folder)
    const args = (n: number) =>
      Object.entries({ name: names[n], cluster: routes[n], cluster_name: 'three', routes: routes.join(',') }).flatMap(
        ([flag, value]) => [`--${flag}`, String(value)],
      )
    const servers = await Promise.all(
      stores.map((storeDir, n) => startNatsServer({ storeDir, args: [...args(n), '--no_advertise'] })),
    )
    const stream = { replicas: 3, maxAgeDays: 14, maxBytes: 0 }
    const bus = await natsBus(servers.map((server) => server.url).join(','), 'reader', { stream })
    try {
      await until('the cluster has a leader', () =>
        bus.events.prepare(consumers).then(
          () => true,
          () => false,
        ),
      )
      const watcher = await connect({ servers: servers.map((server) => server.url) })
      const { config } = await (await jetstreamManager(watcher)).streams.info(EVENT_STREAM)
      expect(config.num_replicas).toBe(3)
      await watcher.close()

      const clients = await Promise.all(servers.map(async (server) => [server, await clientsOf(server)] as const))
      const its = clients.find(([, names]) => names.includes('reader'))?.[0]
      its?.pause()
      await until('it has left that server', () => !bus.connected)
      await until('it is at another', () => bus.connected)
      await until('the stream answers there', () =>
        bus.events.identity().then(
          () => true,
          () => false,
        ),
      )
    } finally {
      await bus.close()
      await Promise.all(servers.map((server) => server.kill()))
      for (const store of stores) rmSync(store, { recursive: true })
    }
  })
})

/** The names of a server's clients. */
async function clientsOf({ monitorUrl }: NatsServer): Promise<string[]> {
  const { connections } = (await (await fetch(`${monitorUrl}/connz`)).json()) as { connections: { name?: string }[] }
  return connections.flatMap(({ name }) => name ?? [])
}
