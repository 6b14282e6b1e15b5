import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Address } from '@callboard/values'
import { encodeHeader } from '@callboard/x402'
import { x402Facilitator } from '@callboard/x402-facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createSIWxPayload, encodeSIWxHeader, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import OpenAI from 'openai'
import type { HDAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { stringify } from 'yaml'
import { type SampleModels, startSampleModels } from '../../../demo/src/sample-models.ts'
import { type Exchange, openExchange } from '../../x402-facilitator/test/exchange.ts'
import { router } from '../src/index.ts'
import { hashSecret } from '../src/keys/credential.ts'
import { modelsFile, sold } from './models-file.ts'
import { untilCredited } from './sweep.ts'

let exchange: Exchange
let upstream: SampleModels
let services: TestServices
let base: string
const folder = temporaryFolder('router-models-')

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  upstream = await startSampleModels()
  const file = join(folder, 'models.yaml')
  const { models, ...rest } = modelsFile(upstream.url, [
    ...['ok', 'error-500', 'silence'].map((trouble) => sold('small', trouble)),
  ])
  // A model that costs dollars: 400 of its tokens are 4 USD.
  const [first] = models
  const dear = { ...first, id: 'dear', price: { version: 'dear', prompt: '0', completion: '0.01' } }
  writeFileSync(file, stringify({ ...rest, models: [...models, dear] }))
  services = await startTestServices([x402Facilitator, router, gateway], {
    databaseUrl: exchange.database.url,
    env: {
      ...exchange.env,
      ...{ PORT: String(port), BASE_URL: base, ROUTER_MODELS: file, COMPUTE_DAILY_USD: '0' },
      ROUTER_REQUESTS_PER_MINUTE: '1000',
      RATE_LIMITS: JSON.stringify({ model: { burst: 10_000, perMinute: 10_000 } }),
    },
  })
})
afterEach(async () => {
  const held = await exchange.database.query(`select call_id from router.call where state = 'held'`)
  expect(held).toEqual([])
})
afterAll(async () => {
  await services.stop()
  await upstream.close()
  await exchange.close()
  rmSync(folder, { recursive: true, force: true })
})

const QUESTION = { model: 'small-ok', messages: [{ role: 'user' as const, content: 'Name a colour.' }], max_tokens: 20 }
const SILENT = { ...QUESTION, model: 'small-silence' }
let owners = 500
const someOwner = (): Address => {
  owners += 1
  return wallet(owners).address
}

/** A key as its owner makes one; its id is its secret. */
async function newKey(source: 'compute' | 'balance', owner = someOwner()) {
  const secret = `cb_router_${randomUUID()}`
  await exchange.database.query(
    `insert into router.router_key (id, hash, prefix, owner, source, label, created_at) values ($1, $2, '', $3, $4, 'test', now())`,
    [secret, hashSecret(secret), owner, source],
  )
  return { owner, secret }
}

/** The `fetch` of an agent that pays with the stock client, and what it paid. */
function payer(account: HDAccount) {
  const paid: string[] = []
  const { network } = exchange
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [{ network, asset: exchange.devnet.usdc.address, maxAmountPerPayment: '50000000' }],
  })
  const paying = wrapFetchWithPayment(fetch, client)
  const fetching: typeof fetch = async (input, init) => {
    const answer = await paying(input, init)
    const evidence = answer.headers.get('payment-response')
    if (evidence) paid.push(decodePaymentResponseHeader(evidence).transaction)
    return answer
  }
  return { fetching, paid }
}

const ask = (body: object, headers: Record<string, string> = {}, by: typeof fetch = fetch) =>
  by(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
/** Asks as `ask` does, for an answer that never begins. @returns a function that leaves before its head */
function askInVain(headers: Record<string, string>, body: object = SILENT): () => Promise<void> {
  const gone = new AbortController()
  const by: typeof fetch = (input, init) => fetch(input, { ...init, signal: gone.signal })
  const answer = ask(body, headers, by)
  return async () => {
    gone.abort()
    await expect(answer).rejects.toThrow()
  }
}
const bearer = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` })

async function offerOf(answer: Response) {
  expect(answer.status).toBe(402)
  const header = answer.headers.get('payment-required')
  return header === null ? undefined : JSON.parse(Buffer.from(header, 'base64').toString())
}

async function balanceOf(owner: Address) {
  const [row] = await exchange.database.query(
    'select purchased_nano::text as bought, spent_nano::text as spent from router.balance where owner = $1',
    [owner],
  )
  return { bought: Number(row?.bought ?? 0) / 1e9, spent: Number(row?.spent ?? 0) / 1e9 }
}

/** How the calls of a key ended; null for a held one. */
const endingsOf = async ({ secret }: { secret: string }) =>
  (await exchange.database.query('select ending from router.call where key_id = $1', [secret])).map(
    ({ ending }) => ending,
  )

/** A payment of an offer, in the form of `PAYMENT-SIGNATURE`. */
async function paymentOf(
  account: HDAccount,
  offer: { accepts: { amount: string; payTo: Address }[]; extensions?: object },
  extensions: object = {},
) {
  const [accepted] = offer.accepts
  const signed = await exchange.pay(account, {
    amount: BigInt(accepted?.amount ?? 0),
    payTo: accepted?.payTo as Address,
  })
  const payload = { ...signed.paymentPayload, accepted, extensions }
  return { signed, headers: { 'payment-signature': encodeHeader(payload) } }
}

describe('a key without money', () => {
  test('is served when its agent pays the offer, once for many calls, and the change remains', async () => {
    const key = await newKey('balance')
    const account = await exchange.funded(2_000_000n)
    const { fetching, paid } = payer(account)
    const openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: key.secret, fetch: fetching, maxRetries: 0 })
    for (let call = 0; call < 5; call += 1) {
      const { choices } = await openai.chat.completions.create(QUESTION)
      expect(choices[0]?.message.content).toBeTruthy()
    }
    const stream = await openai.chat.completions.create({ ...QUESTION, stream: true })
    for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk')
    expect(paid).toHaveLength(1)
    expect(await exchange.balanceOf(account.address)).toBe(1_000_000n)
    const { bought, spent } = await balanceOf(key.owner)
    expect(bought).toBe(1)
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThan(0.01)
  })

  test('of Compute spends what it paid in, and nothing else of its owner’s balance', async () => {
    const owner = someOwner()
    const [key, rich] = [await newKey('compute', owner), await newKey('balance', owner)]
    const { fetching } = payer(await exchange.funded(10_000_000n))
    // The owner buys 5 USD with a balance key, which the Compute key may not spend.
    expect((await ask({ ...QUESTION, model: 'dear', max_tokens: 200 }, bearer(rich), fetching)).status).toBe(200)
    const before = await balanceOf(owner)
    expect(before.bought).toBe(5)
    expect(await offerOf(await ask(QUESTION, bearer(key)))).toMatchObject({ accepts: [{ amount: '1000000' }] })
    expect((await ask(QUESTION, bearer(key), fetching)).status).toBe(200)
    expect((await ask(QUESTION, bearer(key))).status).toBe(200)
    expect((await balanceOf(owner)).bought).toBe(6)
    const status = await (await fetch(`${base}/v1/key`, { headers: bearer(key) })).json()
    expect(status).toMatchObject({ limits: [{ limit: 'owner' }, { limit: 'balance', limitUsd: '1' }] })
    const refused = await ask({ ...QUESTION, model: 'dear', max_tokens: 110 }, bearer(key))
    expect(await offerOf(refused)).toMatchObject({ accepts: [{ amount: '1000000' }] })
    expect(await refused.json()).toMatchObject({
      error: {
        ...{ code: 'insufficient_quota', limit: 'owner', topUpUsd: '1' },
        message: expect.stringMatching(/^The owner’s Compute for today has .* USD left, .* It resets at 20.*Z\.$/),
      },
    })
  })

  test('of Compute whose owner spent what it paid in is offered what would serve the call, and pays no less', async () => {
    const key = await newKey('compute')
    const account = await exchange.funded(3_000_000n)
    for (let paid = 0; paid < 2; paid += 1) {
      const { headers } = await paymentOf(account, await offerOf(await ask(QUESTION, bearer(await newKey('compute')))))
      expect((await ask(QUESTION, { ...bearer(key), ...headers })).status).toBe(200)
    }
    // Its owner's other calls leave half a dollar.
    await exchange.database.query(
      'update router.balance set spent_nano = purchased_nano - 500000000 - held_nano where owner = $1',
      [key.owner],
    )
    const offer = await offerOf(await ask(QUESTION, bearer(await newKey('compute'))))
    const { signed, headers } = await paymentOf(account, offer)
    // One of 1.6 USD, which is less than it paid in, and one of 2.5 USD.
    for (const max_tokens of [160, 250]) {
      const dear = { ...QUESTION, model: 'dear', max_tokens }
      expect(await offerOf(await ask(dear, bearer(key)))).toMatchObject({ accepts: [{ amount: '5000000' }] })
      expect((await ask(dear, { ...bearer(key), ...headers })).status).toBe(402)
    }
    expect(await exchange.uses(signed)).toBe(0)
    const status = await (await fetch(`${base}/v1/key`, { headers: bearer(key) })).json()
    expect(status).toMatchObject({ limits: [{ limit: 'owner' }, { limit: 'balance', remainingUsd: '0.5' }] })
  })

  test('of Compute may spend every payment that its calls bring, even one that comes while an earlier one is left', async () => {
    const key = await newKey('compute')
    const offer = await offerOf(await ask(QUESTION, bearer(key)))
    const payments = [await exchange.funded(1_000_000n), await exchange.funded(1_000_000n)].map((account) =>
      paymentOf(account, offer),
    )
    for (const { headers } of await Promise.all(payments))
      expect((await ask(QUESTION, { ...bearer(key), ...headers })).status).toBe(200)
    expect((await balanceOf(key.owner)).bought).toBe(2)
    const status = await (await fetch(`${base}/v1/key`, { headers: bearer(key) })).json()
    expect(status).toMatchObject({ limits: [{ limit: 'owner' }, { limit: 'balance', limitUsd: '2' }] })
  })

  test.each(['balance', 'compute'] as const)(
    'of %s whose own daily limit refuses the call as well is offered nothing, and pays nothing',
    async (source) => {
      const [key, other] = [await newKey(source), await newKey(source)]
      await exchange.database.query(
        `insert into router.budget (subject, limit_nano, day, spent_nano, held_nano) values ($1, 1, '0001-01-01', 0, 0)`,
        [`key:${key.secret}`],
      )
      const offer = await offerOf(await ask(QUESTION, bearer(other)))
      const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), offer)
      expect((await ask(QUESTION, { ...bearer(key), ...headers })).status).toBe(402)
      expect(await exchange.uses(signed)).toBe(0)
      expect(await balanceOf(key.owner)).toEqual({ bought: 0, spent: 0 })
      expect(await offerOf(await ask(QUESTION, bearer(key)))).toBeUndefined()
    },
  )

  test('is offered the smallest top-up that covers the call, and a smaller one is not accepted', async () => {
    const key = await newKey('balance')
    const dear = { ...QUESTION, model: 'dear', max_tokens: 300 }
    const small = await offerOf(await ask(QUESTION, bearer(key)))
    expect(await offerOf(await ask(dear, bearer(key)))).toMatchObject({ accepts: [{ amount: '5000000' }] })
    const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), small)
    expect(await offerOf(await ask(dear, { ...bearer(key), ...headers }))).toMatchObject({
      accepts: [{ amount: '5000000' }],
    })
    expect(await exchange.uses(signed)).toBe(0)
    expect((await ask(QUESTION, { ...bearer(key), ...headers })).status).toBe(200)
  })

  test('keeps its payment when the call is refused for another reason, and its credit when the upstream fails', async () => {
    const key = await newKey('balance')
    const offer = await offerOf(await ask(QUESTION, bearer(key)))
    const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), offer)
    const paying = { ...bearer(key), ...headers }
    expect((await ask({ ...QUESTION, model: 'unknown' }, paying)).status).toBe(404)
    expect((await ask(QUESTION, { authorization: 'Bearer cb_router_unknown', ...headers })).status).toBe(401)
    expect(await exchange.uses(signed)).toBe(0)
    const failed = await ask({ ...QUESTION, model: 'small-error-500' }, paying)
    expect(failed.status).toBe(502)
    expect(decodePaymentResponseHeader(failed.headers.get('payment-response') ?? '')).toMatchObject({ success: true })
    expect(await balanceOf(key.owner)).toEqual({ bought: 1, spent: 0 })
    const conflict = await ask(QUESTION, paying)
    expect(conflict.status).toBe(409)
    expect((await ask(QUESTION, bearer(key))).status).toBe(200)
  })

  test.each(['balance', 'compute'] as const)(
    'of %s keeps its credit when its client never takes the head of the answer, and can spend it',
    async (source) => {
      const key = await newKey(source)
      const offer = await offerOf(await ask(QUESTION, bearer(key)))
      const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), offer)
      const asked = upstream.calls.length
      const leave = askInVain({ ...bearer(key), ...headers })
      await until('the upstream is asked', () => upstream.calls.length > asked)
      await leave()
      await until('nothing is held', async () => (await endingsOf(key)).includes('cancelled'))
      expect(await exchange.uses(signed)).toBe(1)
      expect(await balanceOf(key.owner)).toEqual({ bought: 1, spent: 0 })
      expect((await ask(QUESTION, bearer(key))).status).toBe(200)
      expect((await balanceOf(key.owner)).spent).toBeGreaterThan(0)
    },
  )

  test('gets its credit when its client leaves while the payment is under way, and can spend it', async () => {
    const key = await newKey('balance')
    const offer = await offerOf(await ask(QUESTION, bearer(key)))
    const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), offer)
    const leave = askInVain({ ...bearer(key), ...headers })
    const of = 'from router.top_up where owner = $1'
    await until('the payment is noted', async () => (await exchange.database.query(`select 1 ${of}`, [key.owner]))[0])
    await leave()
    // Only the sweep is left to credit it.
    expect(await untilCredited(services, exchange.database, key.owner)).toBe('1000000000')
    await until('nothing is held', async () => (await endingsOf(key)).every((ending) => ending === 'cancelled'))
    expect(await exchange.uses(signed)).toBe(1)
    expect((await ask(QUESTION, bearer(key))).status).toBe(200)
    expect(await balanceOf(key.owner)).toMatchObject({ bought: 1 })
  })

  describe('whose payment is presented as one of a dearer offer', () => {
    afterEach(() => exchange.node.setAutomine(true))

    /** The offers of the smallest tier and of the next one. */
    async function twoOffers(key: { secret: string }) {
      const small = await offerOf(await ask(QUESTION, bearer(key)))
      const dear = await offerOf(await ask({ ...QUESTION, model: 'dear', max_tokens: 300 }, bearer(key)))
      return { small, dear }
    }

    /** Presents a payment whose client leaves before it is in a block. */
    async function leftOnItsWay(headers: Record<string, string>) {
      await exchange.node.setAutomine(false)
      const leave = askInVain(headers, QUESTION)
      await exchange.isSent()
      await leave()
      await exchange.node.mine({ blocks: 1 })
      await exchange.node.setAutomine(true)
    }

    test('is credited what the payment moves, even when a payment of that offer comes under its identifier', async () => {
      const key = await newKey('balance')
      const { small, dear } = await twoOffers(key)
      const account = await exchange.funded(1_000_000n)
      const extensions = { 'payment-identifier': { info: { required: false, id: 'one-of-two-tiers' } } }
      const cheap = await paymentOf(account, small, extensions)
      const dearer = await paymentOf(account, dear, extensions)
      await leftOnItsWay({ ...bearer(key), ...cheap.headers })
      const { status } = await ask(QUESTION, { ...bearer(key), ...dearer.headers })
      expect(await untilCredited(services, exchange.database, key.owner)).toBe('1000000000')
      expect(status).toBe(409)
      expect(await exchange.uses(dearer.signed)).toBe(0)
    })

    test('is credited what the payment moves, when only the sweep is left to credit it', async () => {
      const key = await newKey('balance')
      const { small, dear } = await twoOffers(key)
      const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), small)
      const claimed = encodeHeader({ ...signed.paymentPayload, accepted: dear.accepts[0] })
      expect((await ask(QUESTION, { ...bearer(key), 'payment-signature': claimed })).status).toBe(402)
      await leftOnItsWay({ ...bearer(key), ...headers })
      expect(await untilCredited(services, exchange.database, key.owner)).toBe('1000000000')
    })
  })

  test('pays once for a request that is repeated with its payment', async () => {
    const key = await newKey('balance')
    const offer = await offerOf(await ask(QUESTION, bearer(key)))
    const { signed, headers } = await paymentOf(await exchange.funded(1_000_000n), offer)
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(QUESTION, { ...bearer(key), ...headers })))
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      await answer.json()
      expect(answer.headers.get('payment-response')).toBeTruthy()
    }
    expect(await exchange.uses(signed)).toBe(1)
    expect((await balanceOf(key.owner)).bought).toBe(1)
  })
})

test.each(['balance', 'compute'] as const)(
  '402 insufficient_quota: tokens are counted only for keys that could make a call: %s',
  async (source) => {
    const key = await newKey(source)
    const count = () =>
      fetch(`${base}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key.secret },
        body: JSON.stringify(QUESTION),
      })
    expect((await count()).status).toBe(402)
    const { fetching } = payer(await exchange.funded(1_000_000n))
    expect((await ask(QUESTION, bearer(key), fetching)).status).toBe(200)
    expect(await (await count()).json()).toEqual({ input_tokens: expect.any(Number) })
  },
)

describe('a wallet without a key', () => {
  test('pays, then signs in with x to spend the change: many calls, one settlement', async () => {
    const account = await exchange.funded(2_000_000n)
    const { fetching, paid } = payer(account)
    expect((await ask(QUESTION, {}, fetching)).status).toBe(200)
    const signing = wrapFetchWithSIWx(fetch, account)
    for (let call = 0; call < 5; call += 1) expect((await ask(QUESTION, {}, signing)).status).toBe(200)
    const header = await signInOf(account, await ask(QUESTION))
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(QUESTION, { 'sign-in-with-x': header })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await Promise.all(answers.map((answer) => answer.json()))
    expect(paid).toHaveLength(1)
    expect(await balanceOf(account.address)).toMatchObject({ bought: 1 })
    expect(await exchange.balanceOf(account.address)).toBe(1_000_000n)
  })

  test('reads the receipts of its calls the way it makes them, and no other wallet’s', async () => {
    const [account, other] = [await exchange.funded(2_000_000n), wallet(902)]
    const { fetching } = payer(account)
    const paidFirst = await ask(QUESTION, {}, fetching)
    expect(paidFirst.status).toBe(200)
    const id = paidFirst.headers.get('x-callboard-call-id')
    const signIn = async (by: HDAccount) => ({ 'sign-in-with-x': await signInOf(by, await ask(QUESTION)) })
    const read = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${base}/v1/receipts${path}`, { headers })
      return { status: answer.status, body: await answer.json() }
    }
    const own = await signIn(account)
    expect((await ask(QUESTION, own)).status).toBe(200)
    const page = await read('', own)
    expect(page.body.data.map((one: { receipt: object }) => one.receipt)).toMatchObject([
      { id, seq: 1, source: 'balance', previous: null },
      { seq: 2, previous: page.body.data[0].hash },
    ])
    expect(await read(`/${id}`, own)).toMatchObject({ status: 200, body: page.body.data[0] })
    const strange = await signIn(other)
    expect(await read('', strange)).toMatchObject({ status: 200, body: { data: [], has_more: false } })
    expect(await read(`/${id}`, strange)).toMatchObject({ status: 404 })
    expect(await read('', {})).toMatchObject({ status: 401 })
    expect(await read('', { 'sign-in-with-x': 'nonsense' })).toMatchObject({ status: 401 })
  })

  test('409 payment_conflict: repeating a settled payment proves nothing', async () => {
    const account = await exchange.funded(1_000_000n)
    const { headers } = await paymentOf(account, await offerOf(await ask(QUESTION)))
    expect((await ask(QUESTION, headers)).status).toBe(200)
    const { spent } = await balanceOf(account.address)
    const again = await ask(QUESTION, headers)
    expect(again.status).toBe(409)
    expect(again.headers.get('payment-response')).toBeTruthy()
    expect(await balanceOf(account.address)).toEqual({ bought: 1, spent })
  })

  test('402 with the offer: when signed in without a balance, and when nothing is presented', async () => {
    const account = wallet(900)
    const nothing = await ask(QUESTION)
    const offer = await offerOf(nothing)
    expect(offer).toMatchObject({
      resource: { url: `${base}/v1/chat/completions` },
      accepts: [{ scheme: 'exact', amount: '1000000' }],
      extensions: { 'sign-in-with-x': { info: { domain: new URL(base).host } } },
    })
    expect(await nothing.json()).toMatchObject({ error: { code: 'insufficient_quota', topUpUsd: '1' } })
    const header = await signInOf(account, await ask(QUESTION))
    expect(await offerOf(await ask(QUESTION, { 'sign-in-with-x': header }))).toBeDefined()
  })

  test('401 unauthorized: a sign-in that is another wallet’s, not issued by us, or expired', async () => {
    const account = await exchange.funded(1_000_000n)
    expect((await ask(QUESTION, {}, payer(account).fetching)).status).toBe(200)
    const answer = await ask(QUESTION)
    const { extensions } = await offerOf(answer)
    const { info, supportedChains } = extensions['sign-in-with-x']
    const complete = { ...info, ...supportedChains[0] }
    const proof = await createSIWxPayload(complete, account, `${base}/v1/chat/completions`)
    const status = async (more: object) =>
      (await ask(QUESTION, { 'sign-in-with-x': encodeSIWxHeader({ ...proof, ...more } as never) })).status
    expect(await status({ address: wallet(901).address })).toBe(401)
    expect(await status({ nonce: 'abcdefgh12345678' })).toBe(401)
    expect(await status({ domain: 'evil.example' })).toBe(401)
    expect(await status({ expirationTime: '2020-01-01T00:00:00.000Z' })).toBe(401)
    const foreign = await createSIWxPayload({ ...complete, nonce: 'abcdefgh12345678' }, account, `${base}/v1/x`)
    expect((await ask(QUESTION, { 'sign-in-with-x': encodeSIWxHeader(foreign) })).status).toBe(401)
    expect((await ask(QUESTION, { 'sign-in-with-x': 'nonsense' })).status).toBe(401)
    expect(await status({})).toBe(200)
  })
})

async function signInOf(account: HDAccount, answer: Response): Promise<string> {
  const { extensions } = await offerOf(answer)
  const { info, supportedChains } = extensions['sign-in-with-x']
  return encodeSIWxHeader(await createSIWxPayload({ ...info, ...supportedChains[0] }, account, answer.url))
}
