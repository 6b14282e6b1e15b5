// A seller on Fastify, which validates body and headers against schemas before its paywall, and shows them in
// /openapi.json.
import swagger from '@fastify/swagger'
import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import fastify from 'fastify'

const schema = {
  body: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', minLength: 3 } },
  },
  headers: {
    type: 'object',
    required: ['x-target-language'],
    properties: { 'x-target-language': { type: 'string', enum: ['de', 'fr'], default: 'de' } },
  },
  response: { 402: { type: 'object', properties: {} } },
}

/** Without defaults, like a validator that insists on what it is sent. */
const insisting = { ajv: { customOptions: { useDefaults: false } } }

export default async ({ facilitator, network, price, payTo }) => {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
  server.register(network, new ExactEvmScheme())
  const accepts = { scheme: 'exact', network, payTo, price }
  const paid = new x402HTTPResourceServer(server, { 'POST /translation': { accepts, description: 'A translation' } })
  await paid.initialize()

  const app = fastify(insisting)
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Translations', version: '1' } } })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  const gate = async (request, reply) => {
    const adapter = {
      getHeader: (name) => request.headers[name.toLowerCase()],
      getMethod: () => request.method,
      getPath: () => request.url,
      getUrl: () => `http://${request.headers.host}${request.url}`,
      getAcceptHeader: () => request.headers.accept ?? '',
      getUserAgent: () => request.headers['user-agent'] ?? '',
    }
    const outcome = await paid.processHTTPRequest({ adapter, path: request.url, method: request.method })
    if (outcome.type !== 'payment-error') return
    await reply
      .code(outcome.response.status)
      .headers(outcome.response.headers)
      .send(outcome.response.body ?? {})
  }
  app.post('/translation', { schema, preHandler: gate }, async () => ({ text: 'Good day' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server
}
