import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FacilitatorRequest, type Operation, x402Facilitator as operations } from '@callboard/contract'
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
  test('each served network, its version 1 name where it has one, when a success is final, and who signs', async () => {
    expect(await services.call(operations.supported, {})).toEqual({
      kinds: [
        {
          x402Version: 2,
          scheme: 'exact',
          network: 'eip155:84532',
          extra: { confirmation: 'included', finality: 'instant', finalityDepth: 0 },
        },
        { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
      ],
      extensions: ['bazaar', 'builder-code', 'payment-identifier'],
      signers: { 'eip155:*': LANES.map(({ address }) => address) },
    })
  })

  test('no version 1 where it is switched off, and such payments are refused', async () => {
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
  test('verifies and settles with us, and reads every answer', async () => {
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

describe('discoveryResources', () => {
  const bazaar = { info: { input: { type: 'http', method: 'GET' } }, routeTemplate: '/weather/:city' }

  const bought = async (url: string, payTo = wallet(70).address, extensions?: Record<string, unknown>) => {
    const { paymentPayload, ...rest } = await exchange.pay(wallet(1), { payTo }, extensions ? { extensions } : {})
    const request: FacilitatorRequest = {
      ...rest,
      paymentPayload: {
        ...paymentPayload,
        resource: { url, description: '<b>The\u0000 weather</b>'.padEnd(900, '!'), serviceName: 'Weather' },
      },
    }
    expect(await services.call(operations.settle, request)).toMatchObject({ success: true })
  }
  const list = async (
    filter: Partial<Parameters<typeof services.call<typeof operations.discoveryResources>>[1]> = {},
  ) => {
    const answer = await services.call(operations.discoveryResources, { limit: 20, offset: 0, ...filter })
    if ('refusal' in answer) throw new Error(String(answer.refusal))
    return answer
  }

  test('a resource appears with its first settled payment, as bounded text, without query', async () => {
    await bought('https://sky.example/now?city=oslo')
    const { items } = await list({ payTo: wallet(70).address })
    expect(items).toEqual([
      expect.objectContaining({
        resource: 'https://sky.example/now',
        type: 'http',
        serviceName: 'Weather',
        accepts: [expect.objectContaining({ payTo: wallet(70).address, amount: '10000' })],
      }),
    ])
    expect(items[0]?.description).toHaveLength(512)
    expect(items[0]?.description).toMatch(/^b The weather \/b !+$/)
  })

  test('the route template of a bazaar extension names the resource; the payment’s own extensions stay out', async () => {
    const extensions = { bazaar, 'payment-identifier': { info: { id: 'order-0123456789abcdef' } } }
    await bought('https://sky.example/weather/oslo', wallet(71).address, extensions)
    const { items } = await list({ extensions: 'bazaar' })
    expect(items.map(({ resource }) => resource)).toEqual(['https://sky.example/weather/:city'])
    expect(Object.keys(items[0]?.extensions ?? {})).toEqual(['bazaar'])
  })

  test('paying himself under somebody else’s URL changes nobody’s entry', async () => {
    await bought('https://victim.example/api', wallet(72).address)
    await bought('https://victim.example/api', wallet(73).address)
    const { items } = await list({ payTo: wallet(72).address })
    expect(items[0]?.accepts).toEqual([expect.objectContaining({ payTo: wallet(72).address })])
  })

  test('filters and pages', async () => {
    for (const page of [1, 2, 3]) await bought(`https://many.example/${page}`, wallet(74).address)
    const { pagination, items } = await list({ payTo: wallet(74).address, limit: 2, offset: 2 })
    expect(pagination).toEqual({ limit: 2, offset: 2, total: 3 })
    expect(items).toHaveLength(1)
    expect((await list({ network: 'eip155:8453' })).items).toEqual([])
    expect((await list({ scheme: 'upto' })).items).toEqual([])
    expect((await list({ type: 'mcp' })).items).toEqual([])
    expect((await list({ scheme: 'exact', network: exchange.network, payTo: wallet(74).address })).items).toHaveLength(
      3,
    )
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

test('the operator sees outcomes and what the signing accounts hold for gas', async () => {
  const metrics = await until('metrics are there', async () => {
    const text = await (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
    return text.includes('callboard_lane_balance_coins{') ? text : undefined
  })
  expect(metrics).toMatch(/callboard_payment_outcomes_total\{network="eip155:84532",outcome="settled"\} [1-9]/)
})
