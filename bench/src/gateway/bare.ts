import { connect } from '@nats-io/transport-node'
import { fastify } from 'fastify'

/**
 * The peer of our gateway: fastify with one route and nothing else. `PEER_BODY` is what it answers; with `NATS_URL` it
 * asks a responder for it, and `PEER_ROLE=responder` is that responder. With `PEER_PREPARED` the answer is made into
 * bytes once, and otherwise by every request.
 */
const body = process.env.PEER_BODY ?? ''
const answer = process.env.PEER_PREPARED ? Buffer.from(body) : body
const nats = process.env.NATS_URL ? await connect({ servers: process.env.NATS_URL, noAsyncTraces: true }) : undefined

if (process.env.PEER_ROLE === 'responder') {
  nats?.subscribe('peer', { queue: 'peer', callback: (_error, message) => void message.respond(body) })
  await nats?.flush()
  console.log('ready')
} else {
  const app = fastify()
  app.get('/', async (_request, reply) => {
    reply.type('application/json; charset=utf-8')
    return nats ? (await nats.request('peer', '', { timeout: 5_000 })).string() : answer
  })
  console.log(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
}
