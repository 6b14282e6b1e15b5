import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { livenessProber as operations } from '@callboard/contract'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
} from '@callboard/testkit'
import {
  component,
  type RequestDescriptor,
  type SignatureComponent,
  verifySignature,
  webcrypto,
} from 'http-message-sig'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { livenessProber } from '../src/index.ts'
import { paywall } from './offers.ts'
import { type Counted, httpServer } from './servers.ts'

const BASE_URL = 'https://callboard.example'
const OLD = '0a'.repeat(32)
const NEW = '0b'.repeat(32)

let database: TestDatabase
const started: TestServices[] = []
const servers: Counted[] = []

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(async () => {
  await Promise.all(started.map((services) => services.stop()))
  await Promise.all(servers.map((server) => server.close()))
  await database.drop()
})

async function prober(keys: readonly string[]): Promise<TestServices> {
  const services = await startTestServices([livenessProber], {
    databaseUrl: database.url,
    env: {
      BASE_URL,
      DEVNET: UNREACHABLE_DEVNET,
      PROBE_ALLOW_LOOPBACK: 'true',
      PROBE_SIGNING_KEYS: keys.join(','),
    },
  })
  started.push(services)
  return services
}

/** A seller that records its requests. */
async function seller(): Promise<{ origin: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const answer = paywall()
  const server = await httpServer((req, res) => {
    asked.push(req)
    return answer(req, res)
  })
  servers.push(server)
  return { origin: server.origin, asked }
}

const directoryOf = async (services: TestServices) => granted(await services.call(operations.keyDirectory, {}))
type Directory = Awaited<ReturnType<typeof directoryOf>>

const fieldsOf = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).map(([name, value]) => ({ name, value: [value ?? ''].flat().join(', ') }))

const requestAt = (origin: string, { method = '', url = '', headers }: IncomingMessage): RequestDescriptor => ({
  kind: 'request',
  method,
  targetUri: new URL(url, origin).href,
  fields: fieldsOf(headers),
})

const AGENT: SignatureComponent = component('signature-agent', { key: 'sig1' })
const PARAMETERS = ['created', 'expires', 'keyid', 'tag']

/** Verifies with another implementation of RFC 9421, using only the keys of a directory. */
const verified = (
  message: Parameters<typeof verifySignature>[0],
  { keys }: Pick<Directory, 'keys'>,
  requiredComponents: readonly SignatureComponent[],
  label = 'sig1',
) =>
  verifySignature(message, {
    label,
    policy: { algorithms: ['ed25519'], requiredComponents, requiredParameters: PARAMETERS, maxAge: 60, clockSkew: 5 },
    resolveVerifier: async ({ parameters }) => {
      const jwk = keys.find(({ kid }) => kid === parameters.keyid)
      if (!jwk) throw new Error(`The directory has no key ${parameters.keyid}`)
      const { crv, kty, x } = jwk
      const key = await crypto.subtle.importKey('jwk', { crv, kty, x }, 'Ed25519', false, ['verify'])
      return webcrypto.verifier(key)
    },
  })

describe('a probe is signed', () => {
  test('so that another implementation of RFC 9421 can verify it with our directory', async () => {
    const services = await prober([NEW])
    const { origin, asked } = await seller()
    granted(await services.call(operations.probe, { url: `${origin}/v1/quote?a=1` }))
    const [request] = asked
    if (!request) throw new Error('The seller was not asked')
    expect(request.headers['signature-agent']).toBe(`sig1="${BASE_URL}"`)
    const { parameters } = await verified(requestAt(origin, request), await directoryOf(services), [
      '@authority',
      AGENT,
    ])
    const { created = 0, expires = 0 } = parameters
    expect(parameters.tag).toBe('web-bot-auth')
    expect(expires - created).toBe(60)
  })

  test('only for the host that is called', async () => {
    const services = await prober([NEW])
    const { origin, asked } = await seller()
    granted(await services.call(operations.probe, { url: origin }))
    const [request] = asked
    if (!request) throw new Error('The seller was not asked')
    const elsewhere = requestAt('https://other.example', request)
    await expect(verified(elsewhere, await directoryOf(services), ['@authority'])).rejects.toThrow()
  })

  test('anew each time, with another nonce, even on a second request of the same probe', async () => {
    const services = await prober([NEW])
    const inputs: unknown[] = []
    const server = await httpServer(({ headers }, res) => {
      inputs.push(headers['signature-input'])
      res.writeHead(400).end()
    })
    servers.push(server)
    granted(await services.call(operations.probe, { url: server.origin }))
    expect(inputs.length).toBeGreaterThan(1)
    expect(new Set(inputs).size).toBe(inputs.length)
  })

  test('not at all without a key, and the directory says so', async () => {
    const services = await prober([])
    const { origin, asked } = await seller()
    granted(await services.call(operations.probe, { url: origin }))
    expect(Object.keys(asked[0]?.headers ?? {}).filter((name) => name.startsWith('signature'))).toEqual([])
    expect(await services.call(operations.keyDirectory, {})).toMatchObject({ refusal: 'not_found' })
  })
})

describe('the directory', () => {
  test('is signed by each of its keys, over our host and its body', async () => {
    const services = await prober([OLD, NEW])
    const { keys, messageSignature } = await directoryOf(services)
    const { contentDigest, signatureInput, signature } = messageSignature
    expect(contentDigest).toBe(`sha-256=:${createHash('sha256').update(JSON.stringify({ keys })).digest('base64')}:`)
    expect(keys).toHaveLength(2)
    for (const label of ['sig1', 'sig2']) {
      const answer = {
        kind: 'response',
        status: 200,
        fields: [
          { name: 'content-digest', value: contentDigest },
          { name: 'signature-input', value: signatureInput },
          { name: 'signature', value: signature },
        ],
        request: { kind: 'request', method: 'GET', targetUri: `${BASE_URL}/any`, fields: [] },
      } as const
      const host = component('@authority', { req: true })
      const { parameters } = await verified(answer, { keys }, [host, 'content-digest'], label)
      expect(parameters.tag).toBe('http-message-signatures-directory')
    }
  })

  test('holds the signing key and the one that comes or goes, so that rotation breaks no verifier', async () => {
    const before = await prober([OLD, NEW])
    const after = await prober([NEW, OLD])
    const [seenBefore, seenAfter] = [await directoryOf(before), await directoryOf(after)]
    const { origin, asked } = await seller()
    granted(await before.call(operations.probe, { url: origin }))
    granted(await after.call(operations.probe, { url: origin }))
    const signers = await Promise.all(
      asked.flatMap((request) =>
        [seenBefore, seenAfter].map(async (directory) => {
          const { parameters } = await verified(requestAt(origin, request), directory, ['@authority', AGENT])
          return parameters.keyid
        }),
      ),
    )
    const [old, fresh] = seenBefore.keys.map(({ kid }) => kid)
    expect(signers).toEqual([old, old, fresh, fresh])
  })
})
