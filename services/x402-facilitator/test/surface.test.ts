import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Operation, x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, LANES, openExchange } from './exchange.ts'

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { chainId: 84_532 })
  services = await exchange.start()
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

describe('supported', () => {
  const extra = {
    assetTransferMethods: ['eip3009'],
    confirmation: { default: 'included', allowed: ['included'] },
    finality: 'instant',
    finalityDepth: 0,
    genesisHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  }

  test('lists each served network, its version 1 name if any, when a success is final, and who signs', async () => {
    expect(await services.call(operations.supported, {})).toEqual({
      kinds: [
        {
          x402Version: 2,
          scheme: 'exact',
          network: 'eip155:84532',
          extra,
        },
        { x402Version: 1, scheme: 'exact', network: 'base-sepolia', extra },
      ],
      extensions: ['bazaar', 'builder-code', 'payment-identifier'],
      signers: { 'eip155:*': LANES.map(({ address }) => address) },
    })
  })

  test('lists no version 1 where it is disabled, and such payments are refused', async () => {
    const modern = await exchange.start({ X402_V1: 'false' })
    const { kinds } = (await modern.call(operations.supported, {})) as { kinds: { x402Version: number }[] }
    expect(kinds.map(({ x402Version }) => x402Version)).toEqual([2])
    const { paymentPayload, paymentRequirements } = await exchange.pay(wallet(1))
    const { amount, ...requirement } = paymentRequirements
    const request = {
      x402Version: 1 as const,
      paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: paymentPayload.payload },
      paymentRequirements: { ...requirement, network: 'base-sepolia', maxAmountRequired: amount },
    }
    expect(await modern.call(operations.verify, request)).toMatchObject({ invalidReason: 'invalid_x402_version' })
    await modern.stop()
  })
})

describe('the stock facilitator client', () => {
  test('verifies and settles with us, and parses every answer', async () => {
    const routes: Record<string, Operation> = {
      '/verify': operations.verify,
      '/settle': operations.settle,
      '/supported': operations.supported,
    }
    const shell = createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
      const op = routes[req.url ?? '']
      const answer = op && (await services.call(op, body))
      res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
    })
    await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve))
    const client = new HTTPFacilitatorClient({ url: `http://127.0.0.1:${(shell.address() as AddressInfo).port}` })
    const { paymentPayload, paymentRequirements } = await exchange.pay(wallet(1))
    const [payload, requirements] = [paymentPayload as never, paymentRequirements as never]
    expect(await client.verify(payload, requirements)).toMatchObject({ isValid: true })
    expect(await client.settle(payload, requirements)).toMatchObject({ success: true, payer: wallet(1).address })
    expect(await client.getSupported()).toMatchObject({ extensions: expect.arrayContaining(['bazaar']) })
    shell.closeAllConnections()
    shell.close()
  })
})

describe('health', () => {
  test('lists each network that payments can be settled on', async () => {
    const networks = [{ network: 'eip155:84532', canSettle: true }]
    expect(await services.call(operations.health, {})).toEqual({ status: 'ok', networks })
  })

  test('503 with the reason when nothing can be settled: the node is unavailable', async () => {
    const isolated = await exchange.start({ ...exchange.via('http://127.0.0.1:1') })
    expect(await isolated.call(operations.health, {})).toMatchObject({
      refusal: 'temporarily_unavailable',
      details: { networks: [{ network: 'eip155:84532', canSettle: false, reason: expect.any(String) }] },
      retryAfterSeconds: 5,
    })
    await isolated.stop()
  })

  test('503 with the reason: the signing accounts have no gas', async () => {
    const poor = await exchange.start({ FACILITATOR_KEYS: `0x${'1'.repeat(64)}` })
    expect(await poor.call(operations.health, {})).toMatchObject({
      refusal: 'temporarily_unavailable',
      details: { networks: [{ reason: expect.stringContaining('no signing account can pay') }] },
    })
    await poor.stop()
  })
})

describe('documents for crawlers', () => {
  test('openapi: the paid route alone, with its price', async () => {
    const document = await services.call(operations.openapi, {})
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://callboard.example' }],
      paths: {
        '/x402/decode': {
          post: {
            'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: '0.001' }, protocols: [{ x402: {} }] },
            responses: { 402: expect.anything() },
            requestBody: expect.anything(),
          },
        },
      },
    })
    expect(Object.keys((document as { paths: object }).paths)).toEqual(['/x402/decode'])
  })

  test('wellKnown: absolute URLs of the paid routes', async () => {
    expect(await services.call(operations.wellKnown, {})).toMatchObject({
      version: 1,
      resources: ['https://callboard.example/x402/decode'],
    })
  })
})

test('metrics show outcomes and what the signing accounts hold for gas', async () => {
  const metrics = await until('metrics are there', async () => {
    const text = await (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
    return text.includes('callboard_lane_balance_coins{') ? text : undefined
  })
  expect(metrics).toMatch(/callboard_payment_outcomes_total\{network="eip155:84532",outcome="settled"\} [1-9]/)
})
