import { paymentSettled } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { oauth } from '@callboard/oauth'
import { on, service } from '@callboard/runtime'
import { startTestServices, type TestServices, until } from '@callboard/testkit'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Exchange, openExchange } from '../../../x402-facilitator/test/exchange.ts'
import { parentOf, Trace } from './spans.ts'
import { exporter, stopTracing } from './tracing.ts'

/** A consumer of settled payments. */
const listener = service({
  name: 'listener',
  config: z.object({}),
  migrations: {},
  operations: {},
  serves: {},
  consumes: [on(paymentSettled, async () => {})],
})

const HEARD = 'process evt.payment.settled.v1'
const json = { 'content-type': 'application/json' }

afterAll(stopTracing)

const natsUrl = inject('natsUrl')
const redisUrl = inject('redisUrl')

describe.each([{ bus: 'local', servers: {} }, ...(natsUrl ? [{ bus: 'nats', servers: { natsUrl } }] : [])])(
  'one request is one trace over the $bus bus',
  ({ servers }) => {
    let exchange: Exchange
    let services: TestServices
    let base: string

    beforeAll(async () => {
      exchange = await openExchange(inject('postgresUrl'))
      const port = await freePort()
      base = `http://127.0.0.1:${port}`
      services = await startTestServices([oauth, x402Facilitator, listener, gateway], {
        databaseUrl: exchange.database.url,
        env: { ...exchange.env, ...(redisUrl ? { REDIS_URL: redisUrl } : {}), PORT: String(port), BASE_URL: base },
        ...servers,
      })
    })
    afterAll(async () => {
      await services.stop()
      await exchange.close()
    })

    test('spans HTTP, the bus, SQL, the chain and the event', async () => {
      const payer = await exchange.funded(10_000n)
      const trace = new Trace()
      const answer = await fetch(`${base}/x402/settle`, {
        method: 'POST',
        headers: { ...json, ...trace.headers },
        body: JSON.stringify(await exchange.pay(payer)),
      })
      expect(await answer.json()).toMatchObject({ success: true })
      await until('the event is handled', () => trace.spans.some(({ name }) => name === HEARD))

      const http = trace.named('POST /x402/settle')
      const sent = trace.named('send rpc.x402-facilitator.settle')
      const processed = trace.named('process rpc.x402-facilitator.settle')
      const heard = trace.named(HEARD)
      expect(parentOf(http)).toBe(trace.clientSpan)
      expect(parentOf(sent)).toBe(http.spanContext().spanId)
      expect(parentOf(processed)).toBe(sent.spanContext().spanId)
      expect([http.kind, sent.kind, processed.kind, heard.kind]).toEqual([
        SpanKind.SERVER,
        SpanKind.CLIENT,
        SpanKind.SERVER,
        SpanKind.CONSUMER,
      ])
      const below = trace.below(processed)
      expect(below).toContain(heard)
      expect(
        trace.below(heard).map(({ attributes }) => attributes['db.system.name'] ?? attributes['db.system']),
      ).toContain('postgresql')
      const sql = below.filter(
        ({ attributes }) => String(attributes['db.system.name'] ?? attributes['db.system']) === 'postgresql',
      )
      expect(sql.length).toBeGreaterThan(2)
      const steps = below.flatMap(({ name }) => (name.startsWith('settlement.') ? [name] : []))
      expect(steps).toEqual(expect.arrayContaining(['settlement.sign', 'settlement.send', 'settlement.confirm']))
      const confirmed = below.find(({ name }) => name === 'settlement.confirm')
      expect(confirmed?.attributes).toMatchObject({
        'callboard.payment': expect.stringMatching(/^[0-9a-f]{32}$/),
        'callboard.tx_hash': expect.stringMatching(/^0x[0-9a-f]{64}$/),
      })
      expect(processed.attributes).toMatchObject(confirmed?.attributes ?? {})
      const called = below.filter(({ attributes }) => attributes['rpc.system'] === 'jsonrpc')
      expect(called.map(({ name }) => name)).toEqual(expect.arrayContaining(['eth_call', 'eth_sendRawTransactionSync']))
      for (const { name, kind, attributes } of called) {
        expect(kind).toBe(SpanKind.CLIENT)
        expect(attributes).toMatchObject({
          'rpc.method': name,
          'server.address': '127.0.0.1',
          'callboard.network': exchange.network,
        })
      }
    })

    test('names operation, route and status in its server span, and continues the client’s trace', async () => {
      const trace = new Trace()
      await fetch(`${base}/x402/supported`, { headers: trace.headers })
      await until('the request ends', () =>
        trace.spans.some(({ kind, name }) => kind === SpanKind.SERVER && name.startsWith('GET')),
      )
      expect(trace.named('GET /x402/supported').attributes).toMatchObject({
        'http.request.method': 'GET',
        'http.route': '/x402/supported',
        'http.response.status_code': 200,
        'callboard.operation': 'x402-facilitator.supported',
      })
    })

    test('names an unknown path by its method alone', async () => {
      const trace = new Trace()
      await fetch(`${base}/nobody/0x70997970C51812dc3A010C7d01b50e0d17dc79C8`, { headers: trace.headers })
      await until('the request ends', () => trace.spans.length > 0)
      expect(trace.spans.map(({ name }) => name)).toEqual(['GET'])
      expect(trace.spans[0]?.attributes['http.response.status_code']).toBe(404)
    })

    test('holds no wallet, nonce or signature', async () => {
      const payer = await exchange.funded(10_000n)
      const signed = await exchange.pay(payer)
      const trace = new Trace()
      await fetch(`${base}/x402/settle`, {
        method: 'POST',
        headers: { ...json, ...trace.headers },
        body: JSON.stringify(signed),
      })
      await until('the event is handled', () => trace.spans.some(({ name }) => name === HEARD))
      const { authorization, signature } = signed.paymentPayload.payload
      const recorded = JSON.stringify(
        trace.spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
      ).toLowerCase()
      for (const secret of [payer.address, authorization.nonce, authorization.to, signature]) {
        expect(recorded).not.toContain(secret.toLowerCase().slice(2))
      }
    })

    test('records a refusal as no error of any span', async () => {
      const trace = new Trace()
      const message = 'not a message of EIP-4361'
      const answer = await fetch(`${base}/api/auth/session`, {
        method: 'POST',
        headers: { ...json, ...trace.headers },
        body: JSON.stringify({ message, signature: '0x00' }),
      })
      const { error } = (await answer.json()) as { error: string }
      await until('the request ends', () => trace.spans.some(({ name }) => name === 'POST /api/auth/session'))
      for (const span of trace.spans) expect([span.name, span.status.code]).toEqual([span.name, SpanStatusCode.UNSET])
      const processed = trace.named('process rpc.oauth.createSession')
      expect(processed.attributes).toMatchObject({
        'callboard.operation': 'oauth.createSession',
        'callboard.outcome': error,
      })
      expect(trace.named('POST /api/auth/session').attributes['http.response.status_code']).toBe(answer.status)
    })

    test.runIf(redisUrl)('includes commands to Redis, without their keys', async () => {
      const trace = new Trace()
      await fetch(`${base}/x402/supported`, { headers: trace.headers })
      await until('the request ends', () => trace.spans.some(({ name }) => name === 'GET /x402/supported'))
      const commands = trace
        .below(trace.named('GET /x402/supported'))
        .filter(({ attributes }) => attributes['db.system.name'] === 'redis')
      expect(commands.map(({ name }) => name)).toContain('EVALSHA')
      expect(JSON.stringify(commands.map(({ attributes }) => attributes))).not.toContain('127.0.0.1:')
    })

    test('records an outage behind the gateway as an error of the spans that it passed', async () => {
      const trace = new Trace()
      const answer = await fetch(`${base}/api/call/services`, { headers: trace.headers })
      expect(answer.status).toBe(503)
      await until('the request ends', () => trace.spans.some(({ name }) => name === 'GET /api/call/services'))
      const http = trace.named('GET /api/call/services')
      const sent = trace.named('send rpc.catalog.services')
      expect(http.status.code).toBe(SpanStatusCode.ERROR)
      expect(http.attributes['error.type']).toBe('503')
      expect(sent.status.code).toBe(SpanStatusCode.ERROR)
      expect(sent.attributes['error.type']).toBe('no_responder')
      expect(parentOf(sent)).toBe(http.spanContext().spanId)
    })

    test('records a handler’s fault by kind, not by message', async () => {
      await exchange.database.query('alter table x402_facilitator.discovered_resource rename to hidden')
      const trace = new Trace()
      const answer = await fetch(`${base}/x402/discovery/resources`, { headers: trace.headers })
      await exchange.database.query('alter table x402_facilitator.hidden rename to discovered_resource')
      expect(answer.status).toBe(500)
      await until('the request ends', () => trace.spans.some(({ name }) => name === 'GET /x402/discovery/resources'))
      const processed = trace.named('process rpc.x402-facilitator.discoveryResources')
      expect(processed.status.code).toBe(SpanStatusCode.ERROR)
      expect(processed.attributes).toMatchObject({ 'callboard.outcome': 'fault', 'error.type': 'remote' })
      expect(trace.named('GET /x402/discovery/resources').attributes['error.type']).toBe('500')
    })
  },
)

test('untraced work creates no server spans', () => {
  const roots = exporter.getFinishedSpans().filter((span) => !span.parentSpanContext)
  expect(roots.map(({ name }) => name)).toEqual([])
})
