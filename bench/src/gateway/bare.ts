import { redisCounters } from '@callboard/store'
import { connect, headers, type MsgHdrs } from '@nats-io/transport-node'
import { fastify } from 'fastify'

/**
 * The peer of our gateway: fastify with one route only. It answers `PEER_BODY`; with `NATS_URL` it requests that from a
 * responder, and `PEER_ROLE=responder` is that responder. With `PEER_PREPARED` the answer is encoded once, otherwise
 * for every request. `PEER_HEADERS` adds what our calls carry besides their input, as JSON and three headers, and
 * answers with one; with `REDIS_URL` each request is counted against a limit there.
 */
const body = process.env.PEER_BODY ?? ''
const answer = process.env.PEER_PREPARED ? Buffer.from(body) : body
const nats = process.env.NATS_URL ? await connect({ servers: process.env.NATS_URL, noAsyncTraces: true }) : undefined
const counters = process.env.REDIS_URL ? redisCounters(process.env.REDIS_URL, console.error) : undefined
const subject = process.env.PEER_HEADERS ? 'peer.headers' : 'peer'
const RATE = { burst: 10_000_000, perMinute: 600_000_000 }

const withHeaders = (entries: Readonly<Record<string, string>>): { headers: MsgHdrs } => {
  const carried = headers()
  for (const [name, value] of Object.entries(entries)) carried.append(name, value)
  return { headers: carried }
}

const called = () =>
  withHeaders({ 'cb-timeout-ms': '5000', 'cb-request-id': crypto.randomUUID(), 'cb-caller': '{"kind":"anonymous"}' })

if (process.env.PEER_ROLE === 'responder') {
  nats?.subscribe('peer', { queue: 'peer', callback: (_error, message) => void message.respond(body) })
  nats?.subscribe('peer.headers', {
    queue: 'peer',
    callback(_error, message) {
      const caller = JSON.parse(message.headers?.get('cb-caller') ?? '{}') as { kind?: string }
      const { input } = message.json<{ input: object }>()
      const status = caller.kind === 'anonymous' && input ? 'ok' : 'refused'
      message.respond(JSON.stringify(JSON.parse(body)), withHeaders({ 'cb-status': status }))
    },
  })
  await nats?.flush()
  console.log('ready')
} else {
  const app = fastify()
  const input = JSON.stringify({ input: {} })
  app.get('/', async (_request, reply) => {
    reply.type('application/json; charset=utf-8')
    await counters?.take('rate:read:peer', RATE)
    if (!nats) return answer
    if (!process.env.PEER_HEADERS) return (await nats.request(subject, '', { timeout: 5_000 })).string()
    const { data, headers: status } = await nats.request(subject, input, { timeout: 5_000, ...called() })
    if (status?.get('cb-status') !== 'ok') throw new Error('the responder refused')
    return data
  })
  console.log(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
}
