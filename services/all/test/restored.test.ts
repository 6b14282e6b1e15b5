import { type Caller, oauth, router, x402Facilitator } from '@callboard/contract'
import { freePort } from '@callboard/embedded'
import { startServices } from '@callboard/runtime'
import {
  type Backup,
  backUp,
  granted,
  signedMessage,
  startTestServices,
  type TestServices,
  until,
  wallet,
} from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { requestFingerprint, type SettleResponse } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { DECODE_PAY_TO, type Exchange, LANES, openExchange, type Signed } from '../../x402-facilitator/test/exchange.ts'
import { modules } from '../src/index.ts'
import { reconcile } from '../src/verbs/reconcile.ts'

const BASE_URL = 'http://127.0.0.1:8402'
const withTables = modules.filter(({ migrations }) => migrations)
const owner = wallet(1).address
/** The validity of the payment in the lost time, which has ended when the payment is presented again. */
const WINDOW_SECONDS = 10
const caller: Extract<Caller, { kind: 'session' }> = {
  ...{ kind: 'session', owner, sessionId: 'one', signedInAt: isoTime(Date.now()) },
  expiresAt: isoTime(Date.now() + 86_400_000),
}

describe.runIf(inject('redisUrl'))('Postgres restored to an earlier moment', () => {
  let exchange: Exchange
  let env: Record<string, string>
  let services: TestServices
  let starting: Promise<TestServices>
  let backup: Backup
  /** Two keys from before the backup: one is revoked after it, the other is not. */
  let doomed: string
  let kept: string
  let routerKey: string
  /** Settled after the backup: for a third party's listing, and for balance of the Router. */
  let paid: { signed: Signed; answer: SettleResponse }
  let bought: { signed: Signed; transaction: string }
  const told: string[] = []

  const start = (more: Record<string, string> = {}) =>
    startTestServices(withTables, { databaseUrl: exchange.database.url, env: { ...env, ...more } })
  const signIn = async (): Promise<Caller> => {
    const { nonce } = granted(await services.call(oauth.siweNonce, { purpose: 'login' }))
    const message = await signedMessage(wallet(1), { purpose: 'login', nonce, baseUrl: BASE_URL, now: Date.now() })
    const requester = { address: '127.0.0.1', userAgent: 'vitest' }
    const { sessionToken } = granted(await services.call(oauth.createSession, { ...message, requester }))
    const known = granted(await services.call(oauth.introspect, { credential: sessionToken, kind: 'session' }))
    if (!known.active) throw new Error('not signed in')
    return known.caller
  }
  const newKey = async (label: string) =>
    granted(await services.call(oauth.createKey, { label }, { caller: await signIn() }))
  const isActive = async (credential: string) =>
    granted(await services.call(oauth.introspect, { credential, kind: 'bearer' })).active
  const settle = async (signed: Signed) => granted(await services.call(x402Facilitator.settle, signed))
  const one = async <Row>(text: string, values: unknown[] = []) =>
    (await exchange.database.query(text, values))[0] as Row
  const topUp = (signed: Signed) => {
    const { paymentPayload, paymentRequirements } = signed
    const url = `${BASE_URL}/api/router/top-up/5`
    const accepted = {
      ...paymentRequirements,
      extra: { ...(paymentRequirements.extra as object), assetTransferMethod: 'eip3009' },
    }
    const payment = {
      ...{ payload: { ...paymentPayload, accepted }, x402Version: 2 as const, resourceUrl: url },
      requestFingerprint: requestFingerprint({ method: 'POST', url: '/api/router/top-up/5', owner }),
    }
    return services.call(router.topUp, { amount: '5' }, { caller, payment })
  }
  const balance = async (of: string) =>
    (
      await one<{ sum: string }>(
        `select coalesce(sum(amount_nano), 0)::text as sum from router.ledger_entry where account_id = $1`,
        [`owner:${of}`],
      )
    ).sum

  beforeAll(async () => {
    exchange = await openExchange(inject('postgresUrl'))
    const shared = { BASE_URL, REDIS_URL: inject('redisUrl') ?? '', LINK_SIGNING_KEY: '7'.repeat(64) }
    env = { ...exchange.env, ...shared }
    services = await start()
    const [first, second] = [await newKey('doomed'), await newKey('kept')]
    doomed = first.key
    kept = second.key
    const about = { label: 'before', source: 'balance' } as const
    routerKey = granted(await services.call(router.createKey, about, { caller: await signIn() })).id
    await services.stop()
    backup = await backUp(exchange.database.url)
    const before = await one<{ beat: string }>('select beat from x402_facilitator.database_mark')
    services = await start()
    granted(await services.call(oauth.deleteKey, { id: first.id }, { caller }))
    granted(await services.call(router.deleteKey, { id: routerKey }, { caller }))
    const signed = await exchange.pay(wallet(2), { validBefore: Math.floor(Date.now() / 1_000) + WINDOW_SECONDS })
    paid = { signed, answer: await settle(signed) }
    const forBalance = await exchange.pay(wallet(3), { amount: 5_000_000n, payTo: DECODE_PAY_TO })
    bought = { signed: forBalance, transaction: granted(await topUp(forBalance)).settlement.transaction }
    expect(await isActive(doomed)).toBe(false)
    for (const { name } of withTables) {
      const schema = name.replaceAll('-', '_')
      await until(`${name} is marked`, async () => {
        const { beat } = await one<{ beat: string }>(`select beat from ${schema}.database_mark`)
        return Number(beat) > Number(before.beat)
      })
    }
    await services.stop()
    await backup.restore()
  }, 120_000)
  afterAll(async () => {
    await services.stop()
    await exchange.close()
  })

  test('no service starts, and /readyz names the restored schemas and what to do', async () => {
    const port = await freePort()
    starting = start({ ADMIN_PORT: String(port) })
    const readyz = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(async (answer) => [answer.status, await answer.text()])
    await until('it says why', async () => String((await readyz())[1]).includes('restored: catalog'))
    const [status, text] = await readyz()
    expect(status).toBe(503)
    expect(text).toMatch(
      /restored: x402-facilitator: it stands at mark \d+, and mark \d+ was acknowledged; run npm run operator -- reconcile/,
    )
    expect(await exchange.uses(paid.signed)).toBe(1)
  })

  test('the operator reconciles, and they start', async () => {
    vi.spyOn(console, 'log').mockImplementation((line: string) => void told.push(line))
    const running = await startServices(withTables, {
      env: { LOG_LEVEL: 'silent', DATABASE_URL: exchange.database.url, ...env },
      servesNothing: true,
    })
    const asked = { by: 'vitest', env: { DATABASE_URL: exchange.database.url } }
    expect(await reconcile(running, withTables, { ...asked, dryRun: true })).toBe(0)
    expect(told.join('\n')).toContain('2 API keys')
    expect(await reconcile(running, withTables, { ...asked, dryRun: false })).toBe(0)
    told.length = 0
    expect(await reconcile(running, withTables, { ...asked, dryRun: false })).toBe(0)
    expect(told).toEqual(['Every schema stands where it stood: there is nothing to reconcile.'])
    vi.restoreAllMocks()
    await running.stop()
    services = await starting
  })

  test('no credential from before the restore works, whether it was revoked or not', async () => {
    expect(await isActive(doomed)).toBe(false)
    expect(await isActive(kept)).toBe(false)
    const { ended } = await one<{ ended: boolean }>(
      'select ended_at is not null as ended from router.router_key where id = $1',
      [routerKey],
    )
    expect(ended).toBe(true)
    expect(await isActive((await newKey('after')).key)).toBe(true)
  })

  test('a lost payment is settled by its original transaction, also after its window, and moves no more money', async () => {
    const { signed, answer } = paid
    const { validBefore } = signed.paymentPayload.payload.authorization
    await until('its window is over', async () => Date.now() / 1_000 > Number(validBefore))
    expect(await settle(signed)).toMatchObject({ success: true, transaction: answer.transaction })
    expect(await exchange.uses(signed)).toBe(1)
  })

  test('a top-up payment is credited once, and presenting it again for another owner credits nothing', async () => {
    expect(await balance(wallet(3).address)).toBe('5000000000')
    expect(await topUp(bought.signed)).toMatchObject({ refusal: expect.any(String) })
    expect(await balance(owner)).toBe('0')
    expect(await balance(wallet(3).address)).toBe('5000000000')
  })

  test('the lanes continue after the nonces they used: the next payment settles', async () => {
    for (const { address } of LANES) {
      const lane = await one<{ next: string }>(
        'select next_nonce as next from x402_facilitator.lane where address = $1',
        [address],
      )
      expect(Number(lane.next)).toBeGreaterThanOrEqual(await exchange.node.getTransactionCount({ address }))
    }
    const signed = await exchange.pay(wallet(4))
    expect(await settle(signed)).toMatchObject({ success: true })
    expect(await exchange.uses(signed)).toBe(1)
  })
})
