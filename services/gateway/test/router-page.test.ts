import { router } from '@callboard/router'
import { wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [router], env: { COMPUTE_DAILY_USD: '0.5' } })
})
afterAll(() => edge.stop())

const text = (html: string) => html.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')

async function open(path: string, cookie = '') {
  const answer = await fetch(edge.base + path, { headers: { cookie } })
  return { answer, html: await answer.text() }
}

/** Settled calls of one key of an owner, each with a different model. */
const used = (owner: string, keyId: string, count: number) =>
  edge.database.query(
    `insert into router.call (call_id, key_id, owner, source, day, amount_nano, model, price_version, surface, created_at,
       expires_at, state, cost_nano, estimated, ending, settled_at)
     select $1::text || $2::text || n, $2, $1, 'balance', (now() at time zone 'utc')::date, 1000000, 'model-' || lpad(n::text, 3, '0'), '1',
       'chat', now(), now(), 'settled', 1000000, false, 'completed', now()
     from generate_series(1, $3::int) n`,
    [owner, keyId, count],
  )

test('a visitor who is not signed in is asked to sign in, and returns here', async () => {
  const { answer, html } = await open('/account/router')
  expect(answer.status).toBe(200)
  expect(html).toContain('href="/signin?return_to=%2Faccount%2Frouter"')
})

test('what is left is shown even while no balance can be bought, and the page is not cached', async () => {
  const { answer, html } = await open('/account/router', await edge.signIn(2))
  expect(text(html)).toContain('Compute left today 0.5 USD of 0.5; 0 spent. Resets')
  expect(text(html)).toContain('Balance left 0 USD. You have not bought any yet.')
  expect(text(html)).toContain('You cannot buy balance right now.')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'")
})

test('what calls in progress hold of a balance is named, so that its parts add up', async () => {
  const cookie = await edge.signIn(4)
  await edge.database.query(
    'insert into router.balance (owner, purchased_nano, spent_nano, held_nano) values ($1, 2000000000, 400000000, 100000000)',
    [wallet(4).address],
  )
  expect(text((await open('/account/router', cookie)).html)).toContain(
    'Balance left 1.5 USD of 2 bought; 0.4 spent, 0.1 held for calls in progress.',
  )
})

test('usage is shown by the names of the owner’s keys; a long list shows the first and how many more there are', async () => {
  const cookie = await edge.signIn(3)
  const made = await fetch(`${edge.base}/api/router/keys`, {
    method: 'POST',
    headers: { cookie, origin: edge.base, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'chat <b>', source: 'balance' }),
  })
  const { id } = (await made.json()) as { id: string }
  const { address: owner } = wallet(3)
  await used(owner, id, 50)
  expect(text((await open('/account/router', cookie)).html)).not.toContain('more rows')
  await used(owner, 'of an agent', 20)
  const { html } = await open('/account/router', cookie)
  expect(text(html)).toMatch(/model-001 chat &lt;b> 1 0\.001 USD from balance/)
  expect(text(html)).toMatch(/model-001 an agent’s key, or ended 1 0\.001 USD from balance/)
  expect(text(html)).toContain('And 20 more rows')
})
