import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { event, operation } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { startNatsServer } from '@callboard/testkit/servers'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { EVENT_STREAM } from '../src/events/stream-declaration.ts'
import { BusFault, durableName, isReaderLost, natsBus } from '../src/index.ts'
import { connectNats, natsWire } from '../src/nats-wire.ts'
import type { Wire } from '../src/wire.ts'
import { afterCloseSuite } from './after-close.suite.ts'
import { busSuite, SETTINGS } from './bus.suite.ts'
import { deliveredSuite } from './delivered.suite.ts'
import { joinedChunksSuite } from './joined-chunks.suite.ts'
import { LARGE, largeRequestsSuite } from './large-requests.suite.ts'
import { READ_BY_CHILD } from './read-by-child.ts'
import { silentSidesSuite } from './silent-sides.suite.ts'

const url = inject('natsUrl')

if (url) {
  busSuite('nats', () => natsBus(url, 'suite', SETTINGS))
  deliveredSuite('nats', () => natsBus(url, 'suite', SETTINGS), SETTINGS.heartbeat.idleTimeoutMs)
  largeRequestsSuite('nats', () => natsBus(url, 'suite', LARGE))
  joinedChunksSuite('nats', async () => natsWire(await connectNats(url, 'suite'), 'suite'))
  silentSidesSuite('nats', async () => natsWire(await connectNats(url, 'suite'), 'suite'))
  afterCloseSuite('nats', async () => {
    const connections = await Promise.all([connectNats(url, 'suite'), connectNats(url, 'suite')])
    const [asker, server] = connections.map((connection) => natsWire(connection, 'suite')) as [Wire, Wire]
    return [asker, server]
  })
} else describe('bus on nats', () => test.skip(`not run: ${inject('absent').nats}`, () => {}))

const of = event({ id: 'thing.made', version: 1, key: 'k', summary: 'A test.', data: z.object({ k: z.string() }) })
const consumers = [{ service: 'reader', event: of }]

const made = (id: string) => ({
  id,
  name: 'thing.made.v1',
  key: 'k',
  sequence: 1,
  source: 'test',
  occurredAt: new Date().toISOString(),
  data: { k: 'k' },
})

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0

describe.skipIf(!url)('an address that begins with tls://', () => {
  const give = (error: Error) => {
    throw error
  }

  test.each([
    ['a text', (servers: string) => servers],
    ['a function', (servers: string) => () => servers],
  ])('given as %s, reaches no server that does not encrypt', async (_, given) => {
    const plain = `gateway:password@${new URL(url ?? '').host}`
    const open = connectNats(given(`tls://${plain}`), 'suite', give).then((connection) => connection.close())
    await expect(open).rejects.toThrow("server does not support 'tls'")
    await (await connectNats(given(`nats://${plain}`), 'suite', give)).close()
  })

  test.skipIf(!hasOpenssl)('reaches one whose certificate an authority of Node’s signed, and no other', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-tls-'))
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(storeDir, name)) as [string, string]
    execFileSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ])
    const server = await startNatsServer({
      storeDir,
      args: ['--tls', '--tlscert', certificate, '--tlskey', key],
    })
    const encrypted = `tls://127.0.0.1:${server.port}`
    const authorities = getCACertificates()
    try {
      await expect(connectNats(encrypted, 'suite', give)).rejects.toThrow('self-signed certificate')
      setDefaultCACertificates([...authorities, readFileSync(certificate, 'utf8')])
      await (await connectNats(encrypted, 'suite', give)).close()
    } finally {
      setDefaultCACertificates(authorities)
      await server.stop()
      rmSync(storeDir, { recursive: true })
    }
  })
})

describe.skipIf(!url)('a responder that is gone', () => {
  const slow = operation({
    id: 'suite.slow',
    summary: 'Never ends',
    timeoutMs: 60_000,
    input: z.object({}),
    output: z.object({}),
    errors: [],
  })

  test('fault lost: raised soon after the last sign of life, not at the deadline', async () => {
    const [asker, dying] = [await natsBus(url ?? '', 'suite', SETTINGS), await natsBus(url ?? '', 'suite', SETTINGS)]
    const begun = Promise.withResolvers<void>()
    dying.serve(slow, () => {
      begun.resolve()
      return new Promise(() => {})
    })
    await dying.settle()
    const call = asker.call(slow, {}, { caller: { kind: 'anonymous' }, requestId: 'r', timeoutMs: slow.timeoutMs })
    const lost = expect(call).rejects.toMatchObject({ kind: 'lost', retryable: false })
    await begun.promise
    await dying.close()
    await lost
    await asker.close()
  })
})

describe.skipIf(!url)('a reader that is gone', () => {
  test('kill -9 of its process: delivered() fails within the idle timeout, and the stream ends', async () => {
    const producer = await natsBus(url ?? '', 'suite', SETTINGS)
    const aborted = Promise.withResolvers<AbortSignal>()
    const outcome = Promise.withResolvers<unknown>()
    const killed = Promise.withResolvers<void>()
    const served = producer.serveStream(READ_BY_CHILD, async function* (_, call) {
      call.signal.addEventListener('abort', () => aborted.resolve(call.signal), { once: true })
      yield { n: 1 }
      await killed.promise
      yield { n: 2 }
      await call.delivered().then(() => outcome.resolve('delivered'), outcome.resolve)
    })
    await producer.settle()
    const child = fork(join(import.meta.dirname, 'reader-child.ts'), [url ?? ''], { execArgv: [] })
    try {
      const [chunk] = await once(child, 'message')
      expect(chunk).toEqual({ n: 1 })
      child.kill('SIGKILL')
      await once(child, 'exit')
      killed.resolve()
      expect(await outcome.promise).toMatchObject({ kind: 'reader_lost' })
      expect(isReaderLost(await aborted.promise)).toBe(true)
      // None of it keeps a stop waiting.
      await served.stop(60_000)
    } finally {
      child.kill('SIGKILL')
      await producer.close()
    }
  })
})

describe.skipIf(!url)('an event that waits for an earlier one of its key', () => {
  const queued = event({ ...of, id: 'line.queued' })
  const consumer = { service: 'reader', event: queued }

  test('is reported as in progress, so that the server does not deliver it again meanwhile', async () => {
    const [bus, listener] = [await natsBus(url ?? '', 'reader', SETTINGS), await connectNats(url ?? '', 'suite')]
    const inProgress = new Set<string | undefined>()
    listener.subscribe(`$JS.ACK.${EVENT_STREAM}.${durableName(consumer)}.>`, {
      callback: (_error, message) => {
        if (message.string() === '+WPI') inProgress.add(message.subject.split('.')[5])
      },
    })
    const release = Promise.withResolvers<void>()
    await bus.events.prepare([consumer])
    const consuming = await bus.events.consume({
      ...consumer,
      handle: () => release.promise,
      deadLetter: async () => {},
    })
    const run = Date.now().toString(36)
    for (const id of [`${run}-1`, `${run}-2`]) await bus.events.publish({ ...made(id), name: 'line.queued.v1' })
    await until('both are reported', () => inProgress.size === 2)
    release.resolve()
    await consuming.stop(1_000)
    await Promise.all([bus.close(), listener.close()])
  })
})

describe.skipIf(!url)('an event in its last delivery while a store is unavailable', () => {
  const lastly = event({ ...of, id: 'end.tried' })
  const consumer = { service: 'reader', event: lastly }

  test('is not given up when its process is replaced meanwhile, and is handled by another one', async () => {
    const buses = await Promise.all([1, 2].map(() => natsBus(url ?? '', 'reader', SETTINGS)))
    await buses[0]?.events.prepare([consumer])
    const deadLettered: string[] = []
    const heldBy: number[] = []
    let [isGone, isHandled] = [true, false]
    const consuming = await Promise.all(
      buses.map((bus, replica) =>
        bus.events.consume({
          ...consumer,
          handle: async () => {
            heldBy.push(replica)
            if (isGone) throw new BusFault('unavailable', 'evt.end.tried.v1', 'Postgres is gone')
            isHandled = true
          },
          deadLetter: async ({ reason }) => void deadLettered.push(reason),
        }),
      ),
    )
    await buses[0]?.events.publish({ ...made(Date.now().toString(36)), name: 'end.tried.v1' })
    await until('it is in its last delivery', () => heldBy.length > SETTINGS.backoff.length + 1)
    const holder = consuming[heldBy.at(-1) ?? 0]
    isGone = false
    await holder?.stop(1_000)
    await until('it is over', () => isHandled || deadLettered.length > 0)
    expect(deadLettered).toEqual([])
    await Promise.all(consuming.filter((one) => one !== holder).map((one) => one.stop(1_000)))
    await Promise.all(buses.map((bus) => bus.close()))
  })
})

describe.skipIf(!url)('a server that is gone', () => {
  const whole = operation({
    ...{ id: 'suite.whole', summary: 'Answers', timeoutMs: 60_000, errors: [] },
    ...{ input: z.object({}), output: z.object({}) },
  })
  const streamed = operation({ ...whole, id: 'suite.streamed', stream: true })

  test('fault disconnected: raised at once, for a stream too, and nothing is sent when the server is back', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-gone-'))
    const server = await startNatsServer({ storeDir })
    const [asker, responder] = [await natsBus(server.url, 'suite'), await natsBus(server.url, 'suite')]
    const meta = { caller: { kind: 'anonymous' }, requestId: 'r', timeoutMs: whole.timeoutMs } as const
    let begun = 0
    responder.serve(whole, async () => {
      begun += 1
      return {}
    })
    responder.serveStream(streamed, async function* () {
      begun += 1
      yield {}
    })
    await responder.settle()
    await server.kill()
    await until('the asker knows', () => !asker.connected)
    const faults = await Promise.all([
      asker.call(whole, {}, meta).catch((error: unknown) => error),
      asker
        .stream(streamed, {}, meta)
        .next()
        .catch((error: unknown) => error),
    ])
    expect(faults).toMatchObject([{ kind: 'disconnected' }, { kind: 'disconnected' }])
    const again = await startNatsServer({ storeDir, port: server.port })
    await until('both are back', () => asker.connected && responder.connected)
    await Promise.all([responder.settle(), asker.settle()])
    expect(begun).toBe(0)
    await Promise.all([asker.close(), responder.close()])
    await again.stop()
    rmSync(storeDir, { recursive: true })
  })
})

describe.skipIf(!url)('a server that lost its store', () => {
  test('reports it; prepare creates a new log, and consumers go on without help', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-wiped-'))
    const server = await startNatsServer({ storeDir })
    const bus = await natsBus(server.url, 'reader', { backoff: [20] })
    const handled: string[] = []
    await bus.events.prepare(consumers)
    expect(await bus.events.lacks(consumers)).toEqual([])
    const identity = await bus.events.identity()
    const handle = async ({ id }: { id: string }) => void handled.push(id)
    const consuming = await bus.events.consume({ service: 'reader', event: of, handle, deadLetter: async () => {} })
    await bus.events.publish(made('before'))
    await until('the first is handled', () => handled.length === 1)

    await server.kill()
    rmSync(storeDir, { recursive: true })
    mkdirSync(storeDir)
    const again = await startNatsServer({ storeDir, port: server.port })
    await until('the bus is back', () => bus.connected)
    expect(await bus.events.lacks(consumers)).toEqual([`the stream ${EVENT_STREAM} is not there`])
    await expect(bus.events.publish(made('meanwhile'))).rejects.toThrow()

    await bus.events.prepare(consumers)
    expect(await bus.events.identity()).not.toBe(identity)
    await bus.events.publish(made('after'))
    await until('the next is handled', () => handled.length === 2)
    expect(handled).toEqual(['before', 'after'])
    await consuming.stop(1_000)
    await bus.close()
    await again.stop()
    rmSync(storeDir, { recursive: true })
  })
})

describe.skipIf(!url)('a server that does not say what it has', () => {
  const USERS = `authorization { users = [
    { user: owner, password: word }
    { user: other, password: word, permissions: { publish: { deny: ["$JS.API.STREAM.INFO.>"] } } }
  ] }`

  test('lacks nothing by that: its log is not called lost, and is not taken for renewed', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'nats-silent-'))
    const config = join(storeDir, 'users.conf')
    writeFileSync(config, USERS)
    const server = await startNatsServer({ storeDir, args: ['-c', config] })
    const as = (user: string) => natsBus(server.url.replace('://', `://${user}:word@`), 'suite', SETTINGS)
    const [owner, other] = [await as('owner'), await as('other')]
    try {
      await owner.events.prepare(consumers)
      const identity = await owner.events.identity()
      await expect(other.events.lacks(consumers)).rejects.toThrow(/permission/i)
      await expect(other.events.renew(consumers)).rejects.toThrow(/permission/i)
      expect(await owner.events.identity()).toBe(identity)
      expect(await owner.events.lacks(consumers)).toEqual([])
    } finally {
      await Promise.all([owner.close(), other.close()])
      await server.stop()
      rmSync(storeDir, { recursive: true })
    }
  })
})
