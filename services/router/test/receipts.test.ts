import { createHash, randomUUID } from 'node:crypto'
import { verifyReceipts } from '@callboard/client'
import { type Caller, type OutputOf, router as operations } from '@callboard/contract'
import { type Address, isRefusal } from '@callboard/values'
import { AddressText } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ReceiptSigner } from '../src/receipts/signer.ts'
import { receiptsAfter } from '../src/store/receipt.repository.ts'
import { sold } from './models-file.ts'
import { bought, holdFor, someOwner } from './router-store.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { answersIn, SURFACES } from './surfaces.ts'

type Signed = OutputOf<typeof operations.receipt>

let stage: Stage
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: [sold('small', 'ok'), sold('small', 'reset')] })
})
afterAll(() => stage?.close())

const { path, body } = SURFACES.chat

/** Asks the gateway with a key. */
async function get<Answer>(key: Pick<MadeKey, 'secret'>, target: string) {
  const answer = await fetch(stage.base + target, { headers: { authorization: `Bearer ${key.secret}` } })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer }
}

const keysOf = async () =>
  (await (await fetch(`${stage.base}/api/router/receipt-keys`)).json()) as OutputOf<typeof operations.receiptKeys>

/** Makes a call and waits for its end. */
async function called(key: MadeKey, model = 'small-ok', stream = false) {
  const answer = await stage.post(key, path, { ...body(model), stream })
  return { id: answer.headers.get('x-callboard-call-id') ?? '', headers: answer.headers, text: await answer.text() }
}

const receiptOf = async (key: MadeKey, id: string) => (await get<Signed>(key, `/v1/receipts/${id}`)).body

describe('the receipt of a call', () => {
  test.each([false, true])(
    'states what was used and charged, and its signature is valid (stream %s)',
    async (stream) => {
      const key = await stage.fundedKey(PLENTY)
      const { id, text, headers } = await called(key, 'small-ok', stream)
      const { receipt, hash, jws } = await receiptOf(key, id)
      const told = SURFACES.chat.told(answersIn(text))
      const [call] = await stage.calls(key.owner)
      expect(receipt).toMatchObject({
        ...{
          id,
          key: key.id,
          model: 'small-ok',
          upstream: 'sample',
          surface: 'chat',
          source: 'balance',
          priceVersion: 'test',
        },
        ...{ estimated: false, ending: 'completed', currency: 'USD', seq: 1, previous: null },
        usage: { outputTokens: told.output, inputTokens: told.fresh + told.cacheRead + told.cacheWrite },
      })
      expect(Number(receipt.amountUsd) * 1e9).toBeCloseTo(Number(call?.cost), 0)
      expect(jws.length).toBeLessThan(2_048)
      const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url')
      expect(createHash('sha256').update(payload).digest('hex')).toBe(hash)
      expect(JSON.parse(payload.toString())).toEqual(receipt)
      expect((await verifyReceipts([jws], await keysOf())).broken).toBeUndefined()
      // Ed25519 signatures are deterministic; a stream's head leaves before its receipt exists.
      expect(headers.get('x-callboard-receipt')).toBe(stream ? null : jws)
      expect(headers.get('link')).toContain(`</v1/receipts/${id}>; rel="describedby"`)
    },
  )

  test('does not exist for a call that a limit refused, and the refusal is recorded', async () => {
    const key = await stage.fundedKey(1n)
    expect((await stage.post(key, path, body('small-ok'))).status).toBe(402)
    const at = new Date(stage.clock.now()).toISOString()
    const refusals = async () => {
      const answer = await stage.services.call(operations.why, { key: key.id, at })
      return isRefusal(answer) ? [] : answer.refusals
    }
    await expect.poll(refusals).toMatchObject([{ model: 'small-ok', limit: 'balance', leftUsd: '0.000000001' }])
    expect((await get<OutputOf<typeof operations.receipts>>(key, '/v1/receipts')).body.data).toEqual([])
  })

  test('exists for a failed call too, for nothing', async () => {
    const key = await stage.fundedKey(PLENTY)
    const answer = await stage.post(key, path, body('small-reset'))
    expect(answer.status).toBe(502)
    const { body: page } = await get<OutputOf<typeof operations.receipts>>(key, '/v1/receipts')
    expect(page.data.map(({ receipt }) => receipt)).toMatchObject([{ amountUsd: '0', usage: null }])
  })

  test('404 not_found: an unknown call, or one of another key, even of the same owner', async () => {
    const key = await stage.fundedKey(PLENTY)
    const { id } = await called(key)
    for (const other of [await stage.key(), await stage.key({ owner: key.owner })]) {
      expect(await get(other, `/v1/receipts/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
    }
    expect(await get(key, `/v1/receipts/${randomUUID()}`)).toMatchObject({ status: 404 })
  })

  test('409 call_under_way, with one second to wait, until the call is settled', async () => {
    const key = await stage.fundedKey(PLENTY)
    const callId = randomUUID()
    const hash = createHash('sha256').update(key.secret).digest()
    await holdFor(stage.db, { ...key, hash } as never, 5n, { callId, now: new Date(stage.clock.now()) })
    const { status, headers, body: answer } = await get(key, `/v1/receipts/${callId}`)
    expect({ status, answer }).toMatchObject({ status: 409, answer: { error: { code: 'call_under_way' } } })
    expect(headers.get('retry-after')).toBe('1')
  })

  test('401 unauthorized: a key that does not exist', async () => {
    for (const target of ['/v1/receipts', `/v1/receipts/${randomUUID()}`]) {
      expect(await get({ secret: 'cb_router_none' }, target)).toMatchObject({ status: 401 })
    }
  })
})

describe('the receipts of a key', () => {
  test('form a gapless chain, page by page, which can be verified without the Router', async () => {
    const key = await stage.fundedKey(PLENTY)
    for (let n = 0; n < 5; n++) await called(key, n === 2 ? 'small-reset' : 'small-ok')
    const pages: string[] = []
    let after = 0
    for (let more = true; more; ) {
      const { body: page } = await get<OutputOf<typeof operations.receipts>>(key, `/v1/receipts?limit=2&after=${after}`)
      pages.push(...page.data.map(({ jws }) => jws))
      after = page.data.at(-1)?.receipt.seq ?? after
      more = page.has_more
    }
    const checked = await verifyReceipts(pages, await keysOf())
    expect(checked).toMatchObject({ count: 5, chains: [{ key: key.id, first: { seq: 1 }, last: { seq: 5 } }] })
    expect(checked.broken).toBeUndefined()
    expect(Number(checked.totalUsd) * 1e9).toBeCloseTo(Number((await stage.balance(key.owner)).spent), 0)
    const [first = '', , ...rest] = pages
    expect((await verifyReceipts([first, ...rest], await keysOf())).broken).toMatchObject({ line: 2 })
  })

  test('are readable by their owner with a session, even after the key has ended, and by no other owner', async () => {
    const owner = AddressText.parse(someOwner())
    const key = await stage.key({ owner })
    await bought(stage.db, owner, PLENTY)
    const { id } = await called(key)
    await stage.db.updateTable('router_key').set({ ended_at: new Date() }).where('id', '=', key.id).execute()
    const at = new Date(stage.clock.now()).toISOString()
    const of = (whom: Address): Caller => ({
      kind: 'session',
      owner: whom,
      sessionId: 's',
      signedInAt: at,
      expiresAt: at,
    })
    const read = async (whom: Address) => {
      const input = { id: key.id, after: 0, limit: 100 }
      const answer = await stage.services.call(operations.receiptsOfKey, input, { caller: of(whom) })
      return isRefusal(answer) ? answer : answer.receipts.map(({ receipt }) => receipt.id)
    }
    expect(await read(key.owner)).toEqual([id])
    expect(await read(someOwner())).toEqual([])
  })
})

test('a signing key stays published after another replaces it, and its signatures remain valid', async () => {
  const key = await stage.fundedKey(PLENTY)
  const before = await receiptOf(key, (await called(key)).id)
  const rotated = new ReceiptSigner(
    () => 'ab'.repeat(32),
    stage.base,
    stage.db,
    () => stage.clock.now() + 1_000,
  )
  const [found] = await receiptsAfter(stage.db, { keyId: key.id }, { after: 0, limit: 1 })
  if (!found) expect.fail('There is no receipt')
  const after = await rotated.sign(found)
  const kids = [before.jws, after].map(
    (jws) => JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).kid,
  )
  expect(new Set(kids).size).toBe(2)
  await expect.poll(async () => (await keysOf()).keys.map(({ kid }) => kid)).toEqual(kids.toReversed())
  for (const jws of [before.jws, after]) expect((await verifyReceipts([jws], await keysOf())).broken).toBeUndefined()
})
