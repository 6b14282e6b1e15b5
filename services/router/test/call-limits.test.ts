import { router } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { nanoUsdOf } from '../src/domain/usd.ts'
import { endKey } from '../src/store/key.repository.ts'
import { NANO_PER_THOUSAND, sold } from './models-file.ts'
import { bought, inTx, someOwner } from './router-store.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { QUESTION } from './surfaces.ts'

const COMPUTE_DAILY_USD = '0.01'

let stage: Stage
beforeAll(async () => {
  const models = [sold('small', 'ok'), sold('small', 'silence')]
  stage = await openStage(inject('postgresUrl'), { models, env: { COMPUTE_DAILY_USD } })
})
afterAll(() => stage.close())

const messages = [{ role: 'user', content: QUESTION }]
const ask = (key: MadeKey, more: object = {}, init: RequestInit = {}) =>
  stage.post(key, '/v1/chat/completions', { model: 'small-ok', messages, ...more }, init)

/** What a call with a given answer length holds, for a key with plenty. */
async function holdOf(more: object): Promise<bigint> {
  const key = await stage.fundedKey(PLENTY)
  await (await ask(key, more)).text()
  const [call] = await stage.calls(key.owner)
  return call?.held ?? 0n
}

describe('money', () => {
  test('402 insufficient_quota: an empty balance is refused at once, with where to buy more and no Retry-After', async () => {
    const answer = await ask(await stage.key())
    expect(answer.status).toBe(402)
    expect(answer.headers.get('retry-after')).toBeNull()
    expect(await answer.json()).toEqual({
      error: {
        ...{ type: 'insufficient_quota', code: 'insufficient_quota', param: null },
        message: `The balance has 0 USD left, which does not cover this call. Top it up as described at ${stage.base}/account/router.`,
        ...{ limit: 'balance', remainingUsd: '0', resetsAt: null },
      },
    })
  })

  test('a requested length is granted or refused, to the last nano-USD', async () => {
    const held = await holdOf({ max_tokens: 50 })
    expect((await ask(await stage.fundedKey(held - 1n), { max_tokens: 50 })).status).toBe(402)
    const answer = await ask(await stage.fundedKey(held), { max_tokens: 50 })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-callboard-max-output-tokens')).toBeNull()
  })

  test('without a requested length, a small balance shortens the answer and is never exceeded', async () => {
    const one = await holdOf({ max_tokens: 1 })
    const key = await stage.fundedKey(one + nanoUsdOf('0.00001'))
    const answer = await ask(key)
    expect(answer.status).toBe(200)
    const longest = Number(answer.headers.get('x-callboard-max-output-tokens'))
    const { choices, usage } = await answer.json()
    expect(choices[0].finish_reason).toBe('length')
    expect(longest).toBeGreaterThan(1)
    expect(usage.completion_tokens).toBeLessThanOrEqual(longest)
    const { purchased, spent, held } = await stage.balance(key.owner)
    expect(spent).toBeLessThanOrEqual(purchased)
    expect(held).toBe(0n)
  })

  test('a balance that pays for the prompt but no answer token is exhausted: there is no Retry-After', async () => {
    const bytes = Buffer.byteLength(JSON.stringify({ model: 'small-ok', messages }))
    const answer = await ask(await stage.fundedKey((BigInt(bytes) * NANO_PER_THOUSAND.cacheWrite) / 1_000n))
    expect(answer.status).toBe(402)
    expect(answer.headers.get('retry-after')).toBeNull()
  })

  test.each([{}, { max_tokens: 50 }])(
    'a 402 says when to come back while calls under way hold the money: %o',
    async (more) => {
      const key = await stage.fundedKey(await holdOf({ max_tokens: 50 }))
      const gone = new AbortController()
      onTestFinished(() => gone.abort())
      const before = stage.upstream.calls.length
      const silent = ask(key, { model: 'small-silence', max_tokens: 46 }, { signal: gone.signal }).catch(() => {})
      await expect.poll(() => stage.upstream.calls.length, { timeout: 10_000 }).toBe(before + 1)
      const refused = await ask(key, more)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([402, '1'])
      gone.abort()
      await silent
      await expect.poll(async () => (await ask(key, more)).status, { timeout: 10_000 }).toBe(200)
    },
  )

  test('with 64 concurrent calls on a balance that affords ten, spent and held never exceed what was bought', async () => {
    const held = await holdOf({ max_tokens: 50 })
    const key = await stage.fundedKey(10n * held)
    const keys = await Promise.all(Array.from({ length: 8 }, () => stage.key({ owner: key.owner })))
    const statusOf = async (one: MadeKey) => {
      const answer = await ask(one, { max_tokens: 50 })
      await answer.text()
      return answer.status
    }
    const isOver = Promise.all(keys.flatMap((one) => Array.from({ length: 8 }, () => statusOf(one))))
    let looks = 0
    const looking = (async () => {
      for (let ended = false; !ended; looks += 1) {
        const { purchased, spent, held: inFlight } = await stage.balance(key.owner)
        expect(spent + inFlight).toBeLessThanOrEqual(purchased)
        ended = await Promise.race([isOver.then(() => true), new Promise<false>((done) => setImmediate(done, false))])
      }
    })()
    const statuses = await isOver
    await looking
    expect(looks).toBeGreaterThan(1)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10)
    expect(statuses.every((status) => status === 200 || status === 402)).toBe(true)
    const { purchased, spent, held: left } = await stage.balance(key.owner)
    expect(left).toBe(0n)
    expect(spent).toBeLessThanOrEqual(purchased)
    expect(await stage.faults()).toEqual([])
  })
})

describe('rate', () => {
  test('429 rate_limited: the 61st call in a minute, until Retry-After has passed', async () => {
    const key = await stage.fundedKey(PLENTY)
    const unknown = () => ask(key, { model: 'unknown' })
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await unknown()).status))
    expect(new Set(statuses)).toEqual(new Set([404]))
    const refused = await unknown()
    expect(refused.status).toBe(429)
    expect(Object.fromEntries((await ask(key)).headers)).toMatchObject({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      ratelimit: expect.stringMatching(/^"model";r=\d+;t=\d+, "requests";r=0;t=60, "tokens";r=\d+;t=\d+$/),
    })
    const seconds = Number(refused.headers.get('retry-after'))
    const message = `The key has used its 60 requests per minute. Call again in ${seconds} s.`
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited', type: 'rate_limit_error', message } })
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds * 1_000).toBeLessThanOrEqual(MINUTE_MS)
    stage.clock.advance(seconds * 1_000)
    expect((await unknown()).status).toBe(404)
  })

  test('429 rate_limited: a renewed key goes on with the rate of the one that it replaces', async () => {
    const owner = someOwner()
    const renewed = async () => {
      const link = { owner, linkId: 'renewing', label: 'laptop', source: 'compute', allowanceUsd: 1 } as const
      return { owner, id: '', secret: granted(await stage.services.call(router.mintKey, link)).key }
    }
    const statusOf = async (key: MadeKey) => (await ask(key, { model: 'unknown' })).status
    const old = await renewed()
    const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(old)))
    expect(new Set(statuses)).toEqual(new Set([404]))
    await renewed()
    const newest = await renewed()
    const rest = await Promise.all(Array.from({ length: 20 }, () => statusOf(newest)))
    expect(rest.toSorted()).toEqual([...new Array(10).fill(404), ...new Array(10).fill(429)])
  })

  test('429 rate_limited: an eleventh concurrent call, until one of the ten has ended', async () => {
    const key = await stage.fundedKey(PLENTY)
    const before = stage.upstream.calls.length
    const gone = new AbortController()
    const ten = Array.from({ length: 10 }, () => ask(key, { model: 'small-silence' }, { signal: gone.signal }))
    const left = Promise.allSettled(ten)
    await expect.poll(() => stage.upstream.calls.length, { timeout: 10_000 }).toBe(before + 10)
    const refused = await ask(key)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    gone.abort()
    await left
    await expect.poll(() => stage.faults(), { timeout: 10_000 }).toEqual([])
    expect((await ask(key)).status).toBe(200)
  })

  test('429 rate_limited: calls in progress of a renewed key count until they have ended', async () => {
    const owner = someOwner()
    await bought(stage.db, owner, PLENTY)
    const renewed = async () => {
      const link = { owner, linkId: 'renewing-busy', label: 'laptop', source: 'balance', allowanceUsd: 1 } as const
      return { owner, id: '', secret: granted(await stage.services.call(router.mintKey, link)).key }
    }
    const old = await renewed()
    const before = stage.upstream.calls.length
    const gone = new AbortController()
    const ten = Array.from({ length: 10 }, () => ask(old, { model: 'small-silence' }, { signal: gone.signal }))
    const left = Promise.allSettled(ten)
    await expect.poll(() => stage.upstream.calls.length, { timeout: 10_000 }).toBe(before + 10)
    const newest = await renewed()
    expect((await ask(newest)).status).toBe(429)
    gone.abort()
    await left
    await expect.poll(async () => (await ask(newest)).status, { timeout: 10_000 }).toBe(200)
    expect(await stage.faults()).toEqual([])
  })

  test('429 rate_limited: more tokens than a minute allows, until unused ones are given back', async () => {
    const key = await stage.fundedKey(PLENTY)
    // About 14,600 expected tokens each: seven exceed 100,000.
    const large = { max_tokens: 400, n: 16, messages: [{ role: 'user', content: 'far '.repeat(8_500) }] }
    const before = stage.upstream.calls.length
    const gone = new AbortController()
    const silent = { ...large, model: 'small-silence' }
    const left = Promise.allSettled(Array.from({ length: 6 }, () => ask(key, silent, { signal: gone.signal })))
    await expect.poll(() => stage.upstream.calls.length, { timeout: 10_000 }).toBe(before + 6)
    const refused = await ask(key, large)
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('The key has used its 100000 tokens per minute.')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    gone.abort()
    await left
    await expect.poll(async () => (await ask(key, large)).status, { timeout: 10_000 }).toBe(200)
  })
})

describe('keys', () => {
  test('401 unauthorized: a key that was ended, from that moment on', async () => {
    const key = await stage.fundedKey(PLENTY)
    expect((await ask(key)).status).toBe(200)
    await inTx(stage.db, (tx) => endKey(tx, key, new Date(stage.clock.now())))
    const refused = await ask(key)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ error: { code: 'unauthorized' } })
  })

  test('a Compute key spends within its owner’s day, and the next day is whole', async () => {
    const key = await stage.key({ source: 'compute' })
    expect((await ask(key)).status).toBe(200)
    const [call] = await stage.calls(key.owner)
    const statusOf = async () => {
      const answer = await fetch(`${stage.base}/v1/key`, { headers: { authorization: `Bearer ${key.secret}` } })
      const { limits } = (await answer.json()) as { limits: { limit: string; spentUsd: string }[] }
      return limits.map(({ limit, spentUsd }) => [limit, nanoUsdOf(spentUsd)])
    }
    expect(await statusOf()).toEqual([['owner', call?.cost]])
    const most = { max_tokens: 400, n: 16 }
    const refused = await ask(key, most)
    expect(refused.status).toBe(402)
    expect(await refused.json()).toMatchObject({
      error: { limit: 'owner', resetsAt: expect.stringContaining('T00:00:00') },
    })
    stage.clock.advance(24 * 60 * MINUTE_MS)
    expect(await statusOf()).toEqual([['owner', 0n]])
  })

  test('a linked agent’s key spends within its allowance, and a new allowance applies to the next call', async () => {
    const owner = someOwner()
    const linkId = 'link-of-allowance'
    const key = await stage.key({ source: 'compute', owner, linkId })
    const allow = async (allowanceUsd: number) =>
      granted(await stage.services.call(router.setAllowance, { owner, linkId, allowanceUsd }))
    await allow(0)
    const refused = await ask(key)
    expect(refused.status).toBe(402)
    expect(await refused.json()).toMatchObject({ error: { limit: 'agent', remainingUsd: '0' } })
    await allow(0.01)
    expect((await ask(key)).status).toBe(200)
    await allow(0)
    expect((await ask(key)).status).toBe(402)
    expect(await stage.faults()).toEqual([])
  })
})
