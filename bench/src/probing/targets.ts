import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { paywall } from '../../../services/liveness-prober/test/offers.ts'
import { CERTIFICATE } from './certificate.ts'

async function listen(server: ReturnType<typeof createHttp> | ReturnType<typeof createHttps>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** The targets, in a separate process so that their CPU is not ours: every path answers 402 over TCP and TLS. */
const answer = paywall()
const [tcp, tls] = await Promise.all([listen(createHttp(answer)), listen(createHttps(CERTIFICATE, answer))])
console.log(`targets: ${JSON.stringify({ tcp, tls })}`)
