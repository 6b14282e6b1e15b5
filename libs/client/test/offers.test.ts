import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NotPayable, RefusedByPolicy } from '../src/spending/errors.ts'
import { Ledger } from '../src/spending/ledger.ts'
import { pay } from '../src/spending/pay.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'

const GOOD = {
  ...{ scheme: 'exact', network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  ...{ amount: '100000', payTo: `0x${'2'.repeat(40)}`, maxTimeoutSeconds: 60 },
  extra: { name: 'USD Coin', version: '2' },
}

let folder: string
let ledger: Ledger
let server: Server
let offered: object
/** Entries that the offer has before it. */
let before: readonly object[]
/** The authorizations received, as the seller reads them. */
let taken: { readonly validBefore: string }[]

beforeEach(async () => {
  folder = temporaryFolder('callboard-offers-')
  ledger = new Ledger(join(folder, 'ledger.jsonl'))
  taken = []
  offered = GOOD
  before = []
  // A seller that refuses payments, but keeps the signature.
  server = createServer(({ headers }, answer) => {
    const paid = headers['payment-signature']
    if (paid) taken.push(JSON.parse(Buffer.from(String(paid), 'base64').toString()).payload.authorization)
    const offer = { x402Version: 2, resource: { url: 'http://seller.example/' }, accepts: [...before, offered] }
    answer.writeHead(402, { 'payment-required': Buffer.from(JSON.stringify(offer)).toString('base64') }).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const account = privateKeyToAccount(generatePrivateKey())
const policy = SpendingPolicy.parse({ perCallUsd: '0.10', perHourUsd: '0.10' })
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const paying = () =>
  pay({ account, policy, ledger }, url()).then(
    ({ payment }) => payment?.state,
    (error: unknown) => error,
  )

test.each(['PAYMENT-SIGNATURE', 'x-payment'])(
  'with a header %s of the caller nothing is signed or sent',
  async (name) => {
    const paid = pay({ account, policy, ledger }, url(), { headers: { [name]: 'e30=' } })
    await expect(paid).rejects.toThrow('is set by pay alone')
    expect([ledger.read(), taken]).toEqual([[], []])
  },
)

test('a seller that says it refused gets no more signatures than the limits allow, also after they have expired', async () => {
  offered = { ...GOOD, maxTimeoutSeconds: 1 }
  expect(await paying()).toBe('refused')
  const usableUntil = Number(taken[0]?.validBefore) * 1_000
  expect(ledger.read()).toMatchObject([{ state: 'refused', validBefore: usableUntil }])
  await until('the signature has expired', () => Date.now() > usableUntil)
  expect(await paying()).toBeInstanceOf(RefusedByPolicy)
  expect(taken).toHaveLength(1)
})

test('an offer without an end is read up to a limit, and not signed', { timeout: 20_000 }, async () => {
  let sent = 0
  const endless = createServer((_request, answer) => {
    answer.writeHead(402, { 'content-type': 'application/json' })
    const block = Buffer.alloc(65_536, ' ')
    const more = () => {
      while (!answer.destroyed && answer.write(block)) sent += block.length
      sent += block.length
    }
    answer.on('drain', more)
    more()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const endlessUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`
  const signal = AbortSignal.timeout(5_000)
  await expect(pay({ account, policy, ledger }, endlessUrl, { signal })).rejects.toMatchObject({
    reason: { kind: 'unreadable' },
  })
  endless.closeAllConnections()
  endless.close()
  expect(sent).toBeLessThan(20_000_000)
  expect(ledger.read()).toEqual([])
})

test('a ledger that cannot be used is named, and not taken for a fault of the offer', async () => {
  writeFileSync(ledger.file, '{"id":\n')
  expect(await paying()).toMatchObject({
    name: 'LedgerUnusable',
    message: `${ledger.file}: line 1 is not an entry of a ledger. Nothing was signed.`,
  })
  rmSync(ledger.file)
  mkdirSync(ledger.file)
  expect(await paying()).toMatchObject({ message: `${ledger.file} cannot be used (EISDIR). Nothing was signed.` })
  expect(taken).toEqual([])
})

const DENIED = `0x${'3'.repeat(40)}`
const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }

test.each<[string, object]>([
  ['another network', POLYGON],
  ['a denied payee', { payTo: DENIED }],
  ['more than a call may cost', { amount: '100001' }],
  ['a signature for longer than a day', { maxTimeoutSeconds: 86_401 }],
  ['terms that cannot be signed', { maxTimeoutSeconds: -1 }],
])('an entry with %s is passed over for one that the policy allows', async (_what, more) => {
  before = [{ ...GOOD, ...more }]
  const only = SpendingPolicy.parse({ networks: ['eip155:8453'], denyRecipients: [DENIED] })
  const { payment } = await pay({ account, policy: only, ledger }, url())
  expect(payment).toMatchObject({ network: GOOD.network, payTo: GOOD.payTo, amount: 100_000n })
  expect(taken).toHaveLength(1)
})

test('an entry that would exceed the limit of an hour is passed over for a cheaper one, and the next call is refused', async () => {
  const asked = { network: GOOD.network, payTo: GOOD.payTo, amount: 60_000n, url: url(), validForMs: 60_000 }
  expect(await ledger.promise(policy, asked)).toHaveProperty('id')
  before = [GOOD]
  offered = { ...GOOD, amount: '40000' }
  expect((await pay({ account, policy, ledger }, url())).payment).toMatchObject({ amount: 40_000n })
  expect(await paying()).toMatchObject({ message: 'Not paid: it would exceed the limit of 0.1 USD per hour.' })
  expect(taken).toHaveLength(1)
})

test('an offer of which the policy allows no entry is refused with the reason', async () => {
  offered = { ...GOOD, ...POLYGON }
  const only = SpendingPolicy.parse({ networks: ['eip155:8453'] })
  await expect(pay({ account, policy: only, ledger }, url())).rejects.toThrow(
    'Not paid: the policy does not allow payments on eip155:137.',
  )
  expect(taken).toEqual([])
})

test('an offer that asks for a signature of years is refused with the reason, and one of a day is signed', async () => {
  offered = { ...GOOD, maxTimeoutSeconds: 10 * 365 * 86_400 }
  expect(await paying()).toMatchObject({
    name: 'RefusedByPolicy',
    message: 'Not paid: the seller asks for a signature that it may use for longer than a day.',
  })
  expect([taken, ledger.read()]).toEqual([[], []])
  offered = { ...GOOD, maxTimeoutSeconds: 86_400 }
  expect(await paying()).toBe('refused')
})

test.each<[string, object]>([
  ['a time as text, which makes a signature that lasts for ever', { maxTimeoutSeconds: '0' }],
  ['no time', { maxTimeoutSeconds: undefined }],
  ['a time that is over', { maxTimeoutSeconds: -60 }],
  ['an amount below nothing', { amount: '-100000' }],
  ['no amount', { amount: '' }],
  ['no EIP-712 domain', { extra: {} }],
  ['no payee', { payTo: 'anyone' }],
  ['a payee that is no text', { payTo: 7 }],
])('an offer with %s is not signed, counts as nothing, and leaves the ledger readable', async (_what, wrong) => {
  offered = { ...GOOD, ...wrong }
  const outcome = await paying()
  expect(outcome).toBeInstanceOf(NotPayable)
  expect(outcome).toMatchObject({ reason: { kind: 'unreadable' } })
  expect([taken, ledger.read()]).toEqual([[], []])
  offered = GOOD
  expect(await paying()).toBe('refused')
})
