import { createViemConfig, generateNonce, SiweMessage } from '@signinwithethereum/siwe'
import { fastify } from 'fastify'

/** The peer of our sign-in: one fastify route, nonces and sessions in memory, no chain lookup for contract wallets. */
const nonces = new Set<string>()
const sessions = new Map<string, string>()
const config = await createViemConfig()
const app = fastify()

app.get('/nonce', async () => {
  const nonce = generateNonce()
  nonces.add(nonce)
  return { nonce }
})

app.post<{ Body: { message: string; signature: string } }>('/session', async ({ body }, reply) => {
  const message = new SiweMessage(body.message)
  if (!nonces.delete(message.nonce)) return reply.code(401).send()
  const { nonce, domain } = message
  const { success } = await message.verify({ signature: body.signature, nonce, domain }, { config })
  if (!success) return reply.code(401).send()
  sessions.set(generateNonce(), message.address)
  return { address: message.address }
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
console.log('ready')
