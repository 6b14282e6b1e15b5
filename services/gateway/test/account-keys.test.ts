import { router } from '@callboard/router'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ageSessions, type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [router], env: { INTROSPECTION_CACHE_MS: '0' } })
})
afterAll(() => edge.stop())

const heading = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
const problem = (html: string) => /class="problem" role="status">(.*?)<\/p>/s.exec(html)?.[1]
const keyIn = (html: string) => /<pre>(cb_[\w-]+)<\/pre>/.exec(html)?.[1] ?? ''

/** The part of the page in which a key is made. */
const formOf = (html: string, what: string) =>
  html
    .split(/(?=<details)/)
    .find((part) => part.includes(`name="what" value="${what}">Make`))
    ?.trim() ?? ''

async function open(cookie: string): Promise<string> {
  return (await fetch(`${edge.base}/account`, { headers: { cookie } })).text()
}

/** Submits a form of the account page. */
async function send(cookie: string, fields: Record<string, string>) {
  const csrf = /name="csrf" value="([^"]+)"/.exec(await open(cookie))?.[1] ?? ''
  const answer = await fetch(`${edge.base}/account`, {
    method: 'POST',
    body: new URLSearchParams({ csrf, ...fields }),
    headers: { cookie, origin: edge.base },
  })
  return { status: answer.status, html: await answer.text(), answer }
}

const make = (cookie: string, fields: Record<string, string>) => send(cookie, { do: 'make-key', ...fields })

const statusOf = async (path: string, bearer: string): Promise<number> =>
  (await fetch(edge.base + path, { headers: { authorization: `Bearer ${bearer}` } })).status

test('an API key is shown only once, works from then on, and is ended by its button', async () => {
  const cookie = await edge.signIn(1)
  const { status, html, answer } = await make(cookie, { what: 'key', label: 'My <program>' })
  expect({ status, heading: heading(html) }).toEqual({ status: 200, heading: 'Your new API key' })
  expect(html).toContain('“My &lt;program>”')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const key = keyIn(html)
  const page = await open(cookie)
  expect(page).toContain('<h3>My &lt;program></h3>')
  expect(page).not.toContain(key)
  // No listings service runs here: a valid key gets 503.
  expect(await statusOf('/api/call/listings/mine', key)).toBe(503)
  const id = /name="id" value="([^"]+)"\/?>\s*<button[^>]*value="key"/.exec(page)?.[1] ?? ''
  await send(cookie, { do: 'end', what: 'key', id })
  expect(await statusOf('/api/call/listings/mine', key)).toBe(401)
})

test('a Router key has its source and its limit, and comes with the base URLs for both clients', async () => {
  const cookie = await edge.signIn(2)
  const asked = { what: 'router-key', label: 'chat', source: 'balance', daily_limit_usd: '2.50' }
  const { html } = await make(cookie, asked)
  expect(heading(html)).toBe('Your new Router key')
  expect(html).toContain(`<pre>${edge.base}/v1</pre>`)
  expect(html).toContain(`<pre>${edge.base}</pre>`)
  expect(await statusOf('/v1/key', keyIn(html))).toBe(200)
  expect(await open(cookie)).toContain('It spends the balance that you bought, at most 2.5 USD per day.')
  const { html: unlimited } = await make(cookie, { ...asked, source: 'compute', daily_limit_usd: '' })
  expect(await statusOf('/v1/key', keyIn(unlimited))).toBe(200)
  expect(await open(cookie)).toContain('It spends your daily Compute.')
})

test.each([
  ['no name', { what: 'key', label: '' }, 'A key needs a name of 1 to 80 characters'],
  ['a name of two lines', { what: 'key', label: 'a\nb' }, 'A key needs a name of 1 to 80 characters'],
  ['no source', { what: 'router-key', label: 'a', source: 'credit' }, 'draws on your Compute or on your balance'],
  [
    'a limit that is no amount',
    { what: 'router-key', label: 'a', source: 'compute', daily_limit_usd: '-1' },
    'A daily limit is an amount of USD',
  ],
])('400: %s, and nothing is made', async (_what, fields, words) => {
  const cookie = await edge.signIn(3)
  const { status, html } = await make(cookie, fields)
  expect({ status, said: problem(html) }).toEqual({ status: 400, said: expect.stringContaining(words) })
  expect(html).toContain('You have no API key.')
  expect(html).toContain('You have not made a Router key.')
  const form = formOf(html, fields.what)
  expect(form).toMatch(/^<details open>/)
  for (const value of [fields.label, ...('daily_limit_usd' in fields ? [fields.daily_limit_usd] : [])]) {
    expect(form, 'what was typed').toContain(value === '' ? ' value/>' : `value="${value}"`)
  }
})

test('the eleventh key of a kind is refused with a sentence', async () => {
  const cookie = await edge.signIn(4)
  for (let made = 0; made < 10; made += 1) await make(cookie, { what: 'router-key', label: 'one', source: 'compute' })
  const { status, html } = await make(cookie, { what: 'router-key', label: 'one', source: 'compute' })
  expect({ status, said: problem(html) }).toEqual({
    status: 400,
    said: expect.stringContaining('the most keys of that kind that you can have'),
  })
})

test('after a quarter of an hour, the wallet must sign again before a key is made', async () => {
  const cookie = await edge.signIn(5)
  await ageSessions(edge, 16)
  for (const what of ['key', 'router-key']) {
    const { status, html, answer } = await make(cookie, {
      what,
      label: 'late',
      source: 'balance',
      daily_limit_usd: '2',
    })
    expect({ status, heading: heading(html) }).toEqual({ status: 403, heading: 'Sign again to allow this' })
    const kept = answer.headers.getSetCookie().map((line) => line.split(';')[0])
    const back = await open([cookie, ...kept].join('; '))
    expect(formOf(back, what), 'filled in as it was left').toMatch(/^<details open>.*value="late"/s)
    if (what === 'router-key') expect(formOf(back, what)).toMatch(/value="balance" selected.*value="2"/s)
    expect(back).toContain(`The form is filled in as you left it. <a href="#new-${what}">`)
    const other = await edge.signIn(8)
    expect(await open([other, ...kept].join('; ')), 'another owner').not.toContain('value="late"')
  }
  expect(await open(cookie)).not.toContain('<h3>late</h3>')
})

test.each(['agent', 'device', 'backup'])(
  '503: a thing is not said to have ended while its service is unavailable: %s',
  async (what) => {
    const cookie = await edge.signIn(7)
    // No agents service runs here.
    const id = what === 'agent' ? `agent_0x${'1'.repeat(40)}` : 'laptop'
    const asked = await fetch(`${edge.base}/account/end?${new URLSearchParams({ what, id })}`, { headers: { cookie } })
    for (const { status, html } of [
      { status: asked.status, html: await asked.text() },
      await send(cookie, { do: 'end', what, id }),
    ]) {
      expect(status).toBe(503)
      expect(problem(html)).toBe(
        'It cannot be looked up right now, and may still act for you. Nothing was changed. Try again in a moment.',
      )
    }
  },
)

test('two keys of one name are told apart before one is revoked', async () => {
  const cookie = await edge.signIn(9)
  await make(cookie, { what: 'key', label: 'deploy' })
  const { html } = await make(cookie, { what: 'key', label: 'deploy' })
  const prefix = keyIn(html).slice(0, 12)
  const page = await open(cookie)
  const [, id = ''] =
    new RegExp(`name="id" value="([^"]+)"[^>]*>\\s*<button[^>]*>Revoke<[^>]*> deploy ${prefix}<`).exec(page) ?? []
  const asked = await fetch(`${edge.base}/account/end?what=key&id=${id}`, { headers: { cookie } })
  expect(await asked.text()).toContain(`<p>This is <code>${prefix}…</code>.</p>`)
})
