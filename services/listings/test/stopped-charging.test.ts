import type { IncomingMessage, ServerResponse } from 'node:http'
import { listings as operations } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { encodeHeader, PAYMENT_REQUIRED_HEADER } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, goLive, mineOf, openStage, publishAs, type Stage, send, snapshots, splitterOf } from './stage.ts'

let stage: Stage
let payTo: string

beforeAll(async () => {
  stage = await openStage()
  const { splitterAddress, deploy } = await splitterOf(stage, 1)
  payTo = splitterAddress
  await send(stage, 1, deploy)
})
afterAll(() => stage?.close())

const offer = (more: object) => {
  const { address: asset, name, version } = stage.devnet.usdc
  const entry = { scheme: 'exact', network: 'eip155:31337', asset, amount: '10000', payTo, maxTimeoutSeconds: 60 }
  const resource = { url: 'http://provider/quote' }
  return { x402Version: 2, resource, accepts: [{ ...entry, extra: { name, version } }], ...more }
}
type Answer = (req: IncomingMessage, res: ServerResponse) => void
const inHeader =
  (more: object): Answer =>
  (_req, res) =>
    res.writeHead(402, { [PAYMENT_REQUIRED_HEADER]: encodeHeader(offer(more)) }).end('{}')
const answered =
  (status: number, headers: Record<string, string>, body: string): Answer =>
  (_req, res) =>
    res.writeHead(status, headers).end(body)

/** Live answers that no longer charge, or that no stock client could pay, each with its finding. */
const ROWS: readonly (readonly [string, string, string, () => Answer])[] = [
  ['a free answer', 'open', 'free', () => answered(200, {}, '{"price":1}')],
  ['a parked page', 'open', 'free_page', () => answered(200, { 'content-type': 'text/html' }, '<h1>For sale</h1>')],
  ['a redirect', 'redirect', 'redirect', () => answered(302, { location: 'https://parking.example/' }, '')],
  ['a 402 without an offer', 'ok_402_no_accepts', 'offer_missing', () => answered(402, {}, 'Pay up')],
  ['version 3', 'wrong_version', 'version_unsupported', () => inHeader({ x402Version: 3 })],
  ['no version', 'ok_402_no_accepts', 'version_missing', () => inHeader({ x402Version: undefined })],
  [
    'version 2 in the body alone',
    'ok_402_no_accepts',
    'offer_only_in_body',
    () => answered(402, {}, JSON.stringify(offer({}))),
  ],
]

describe.each(ROWS)('%s is down and not payable', (what, state, finding, answer) => {
  const name = what.replace(/[^a-z0-9]/gi, '')
  const path = `/${name.toLowerCase()}`
  const refused = { refusal: 'no_usable_challenge', field: 'operations.0.url', details: { state, finding } }
  let slug: string

  beforeAll(async () => {
    slug = await goLive(stage, 1, name)
    await until('the first check shows', async () => (await mineOf(stage, 1, slug)).liveness.checks7d === 1)
    stage.provider.set(path, answer())
  })

  test('the schedule removes its price, counts it as down, and restores the price with the offer', async () => {
    stage.clock.advance(11 * MINUTE_MS)
    const listing = await until('the price is gone', async () => {
      const seen = await mineOf(stage, 1, slug)
      return seen.operations[0]?.price === null && seen.liveness.checks7d === 2 && seen
    })
    expect(listing).toMatchObject({ status: 'live', liveness: { uptime7d: 0.5 } })
    expect(listing.operations).toMatchObject([{ payment: null, problem: expect.stringMatching(/^The endpoint/) }])
    expect((await snapshots(stage, slug)).at(-1)?.operations).toMatchObject([{ price: null, payment: null }])
    stage.provider.set(path, { payTo })
    stage.clock.advance(11 * MINUTE_MS)
    await until('the price is back', async () => (await mineOf(stage, 1, slug)).operations[0]?.price === '0.01')
    stage.provider.set(path, answer())
  })

  test('resync finds the same', async () => {
    const { ok, outcome } = granted(await stage.services.call(operations.resync, { slug }))
    expect({ ok, outcome }).toEqual({ ok: false, outcome: 'failed' })
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject([{ price: null, payment: null }])
  })

  test('publish and activate refuse it with its reason', async () => {
    expect(await publishAs(stage, 1, { name: `${name} again`, urls: [stage.provider.url(path)] })).toMatchObject(
      refused,
    )
    granted(await act(stage, 1, slug, 'suspend'))
    granted(await act(stage, 1, slug, 'revise'))
    expect(await act(stage, 1, slug, 'activate')).toMatchObject(refused)
  })
})

test('an outage does not change the price', async () => {
  const slug = await goLive(stage, 1, 'Outage')
  for (const status of [500, 503, 429, 401]) {
    stage.provider.set('/outage', answered(status, {}, ''))
    expect(granted(await stage.services.call(operations.resync, { slug }))).toMatchObject({ outcome: 'failed' })
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject([{ price: '0.01' }])
  }
})
