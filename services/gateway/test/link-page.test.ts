import type { LinkRequest } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { agentsStandIn } from './agents-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

const stand = agentsStandIn()
let edge: Edge
let cookie: string

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [stand.module] })
  cookie = await edge.signIn(1)
})
afterAll(() => edge.stop())

const INJECTION = '<img src=x onerror=alert(1)>"&\u202e'
const linkRequest = (more: Partial<LinkRequest> = {}): LinkRequest => ({
  userCode: 'BCDFGHJK',
  proven: { wallet: wallet(3).address },
  claimed: { label: 'an-agent', device: 'a-device' },
  seen: {
    requester: { address: '203.0.113.7', userAgent: INJECTION },
    askedAt: new Date(Date.now() - 60_000).toISOString(),
  },
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  scopes: ['mcp:call', 'router.use'],
  suggestedAllowanceUsd: 2.5,
  asksForTrust: true,
  replaces: null,
  linked: 3,
  ...more,
})
beforeEach(() => {
  stand.requests.clear()
  stand.asked.length = 0
  stand.requests.set('BCDFGHJK', linkRequest())
})

const open = (query = '?user_code=BCDF-GHJK', headers: Record<string, string> = { cookie }) =>
  fetch(`${edge.base}/link${query}`, { headers, redirect: 'manual' })
const shown = async (more?: Partial<LinkRequest>) => {
  if (more) stand.requests.set('BCDFGHJK', linkRequest(more))
  return (await open()).text()
}
const tokenIn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
const heading = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

/** Fills in the form that was shown, and submits it as a browser does. */
async function decide(fields: Record<string, string | string[]>, headers: Record<string, string> = {}) {
  const csrf = tokenIn(await shown())
  return send({ csrf, user_code: 'BCDFGHJK', ...fields }, headers)
}
function send(fields: Record<string, string | string[]>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
  return fetch(`${edge.base}/link`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { cookie, origin: edge.base, ...headers },
  })
}
const APPROVAL = { decision: 'approve', scopes: ['mcp:call', 'router.use'], router_allowance_usd: '2.5' }

/** A page apart from the code that was typed. */
const withoutCode = (html: string) => html.replace(/(<input id="code"[^>]*?) value(="[^"]*")?/, '$1')

/** Checks what every answer of this page has, whatever its status. */
function expectPage(answer: Response, html: string, status: number) {
  expect(answer.status, html).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const part of ["default-src 'none'", "script-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
    expect(policy).toContain(part)
  }
  expect(policy).not.toContain('unsafe')
  expect(html).toMatch(/^<!doctype html><html lang="en">/)
  expect(html.match(/<h1>/g)).toHaveLength(1)
  expect(html).not.toMatch(/<script|<img|<[^>]*\s(on\w+|style)=/)
}

describe('GET /link', () => {
  test('asks a visitor who is not signed in to sign in, and returns to the same code', async () => {
    for (const headers of [{}, { cookie: 'callboard=nonsense' }]) {
      const answer = await open('?user_code=BCDF-GHJK', headers as Record<string, string>)
      const html = await answer.text()
      expectPage(answer, html, 200)
      expect(html).toContain('href="/signin?return_to=%2Flink%3Fuser_code%3DBCDF-GHJK"')
      expect(html).not.toContain('an-agent')
    }
    expect(stand.asked).toEqual([])
  })

  test('asks for the code when it has none', async () => {
    const answer = await open('')
    const html = await answer.text()
    expectPage(answer, html, 200)
    expect(html).toContain('<form method="get" action="/link">')
    expect(html).toContain('<label for="code">')
    expect(stand.asked).toEqual([])
  })

  test('shows the owner who asks, and sets apart what is proven, seen and claimed', async () => {
    const answer = await open()
    const html = await answer.text()
    expectPage(answer, html, 200)
    // Under `no-referrer` browsers would send the form with `Origin: null`.
    expect(answer.headers.get('referrer-policy')).toBe('same-origin')
    expect(stand.asked).toMatchObject([
      { caller: { kind: 'session', owner: wallet(1).address }, input: { requester: { address: '127.0.0.1' } } },
    ])
    const lines = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd><dd class="origin">(.*?)<\/dd>/g)]
    const text = lines.map(([, name, value, origin]) => [name, value?.replace(/<[^>]*>/g, '').trim(), origin])
    expect(text).toMatchObject([
      ['Code', 'BCDF-GHJK', 'Does your agent show the same code?'],
      ['Agent wallet', expect.stringMatching(/^0x( [0-9a-fA-F]{4}){10}$/), 'Proven by signature'],
      ['Agent', 'an-agent on a-device', 'Claimed by the requester'],
      ['Asked from', '203.0.113.7, 60 seconds ago', 'Seen by this service'],
      ['Program', expect.stringContaining('img src=x'), 'Claimed by the requester: its User-Agent'],
      ['Expires', 'in 10 minutes', 'Seen by this service'],
    ])
    expect(html).toContain(`<code>${wallet(1).address}</code>`)
    expect(html).toContain('3 of 20 agents linked')
    expect(html).not.toContain('will be revoked')
  })

  test('shows what the requester wrote only as text', async () => {
    expect(await shown()).toContain('&lt;img src=x onerror=alert(1)>&quot;&amp;')
  })

  test('offers what was requested; what spends, publishes or admits others starts unticked', async () => {
    const html = await shown({ scopes: ['mcp:call', 'router.use', 'call.publish'] })
    expect(html.match(/<input[^>]*name="scopes"[^>]*>/g)).toEqual([
      expect.stringMatching(/value="mcp:call"[^>]* checked/),
      expect.not.stringContaining('checked'),
      expect.not.stringContaining('checked'),
    ])
    expect(html).toMatch(/<input[^>]*name="router_allowance_usd"[^>]*min="0"[^>]*max="1000"[^>]*value="0"/)
    expect(html).toContain('The requester suggests 2.5. A bought balance has none.')
    expect(html).toContain('<label for="allowance">')
    expect(/<input[^>]*name="trust_device"[^>]*>/.exec(html)?.[0]).not.toContain('checked')
  })

  test('offers neither a limit without the Router nor trust that was not requested', async () => {
    const html = await shown({ scopes: ['mcp:call'], asksForTrust: false, suggestedAllowanceUsd: null })
    expect(html).not.toContain('router_allowance_usd')
    expect(html).not.toContain('trust_device')
  })

  test('has deny before approve, with another word and sign, and denying needs no field', async () => {
    const html = await shown()
    const [deny, approve, more] = html.match(/<button.*?<\/button>/g) ?? []
    expect(more).toBeUndefined()
    expect(deny).toMatch(/value="deny"[^>]* formnovalidate.*<svg.*Deny this agent/i)
    expect(approve).toMatch(/value="approve".*<svg.*Approve this agent/)
    expect(deny?.match(/<path.*?>/)?.[0]).not.toBe(approve?.match(/<path.*?>/)?.[0])
    expect(`${deny}${approve}`).not.toMatch(/style=|disabled/)
  })

  test('says what an approval ends, and when there is no place left', async () => {
    const replaces = { label: 'older', linkedAt: new Date(Date.now() - 7_200_000).toISOString() }
    expect(await shown({ replaces })).toMatch(/as older, <time[^>]*>2 hours ago<\/time>[\s\S]*will be revoked/)
    const full = await shown({ linked: 20 })
    expect(full).toContain('20 of 20 agents linked')
    expect(full).toMatch(/<button[^>]*value="approve"[^>]* disabled/)
    expect(full).not.toMatch(/<button[^>]*value="deny"[^>]* disabled/)
  })

  test('says what an agent that names a trusted device may do whatever its owner grants it', async () => {
    const asked = { claimed: { label: 'an-agent', device: 'laptop' }, trusted: { allowanceUsd: '20' } }
    const html = (await shown(asked)).replaceAll(/\s+/g, ' ')
    expect(html).toContain('You trust the device laptop, and this agent says that it runs there.')
    expect(html).toContain('Together they may spend up to 20 USD per day, whatever limit you set here.')
    const powerless = await shown({ ...asked, scopes: ['mcp:call'] })
    expect(powerless).toContain('You trust the device laptop')
    expect(powerless).not.toContain('20 USD')
    for (const trusted of [null, undefined]) expect(await shown({ trusted })).not.toContain('You trust the device')
  })

  test('a page of another site cannot use up the owner’s attempts: a code that it sends is tried when the owner goes on', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await open(`?user_code=${encodeURIComponent(INJECTION)}`, { cookie, 'sec-fetch-site': site })
      const html = await answer.text()
      expectPage(answer, html, 200)
      expect(html).not.toContain('onerror')
      expect(html).toContain('Another page sent you here.')
      const sent = await open('?user_code=BCDF-GHJK', { cookie, 'sec-fetch-site': site })
      expect(await sent.text()).toMatch(/<input[^>]*name="user_code"[^>]*value="BCDF-GHJK"/)
    }
    expect(stand.asked).toEqual([])
    for (const site of ['same-origin', 'none']) {
      const answer = await open('?user_code=BCDF-GHJK', { cookie, 'sec-fetch-site': site })
      expect(await answer.text()).toContain('Approve this agent')
    }
  })

  test('404: all unknown codes look alike', async () => {
    const bodies = new Set<string>()
    for (const code of ['XXXX-XXXX', 'a', '%00', INJECTION, 'a'.repeat(65), 'a'.repeat(5_000)]) {
      const answer = await open(`?user_code=${encodeURIComponent(code)}`)
      const html = await answer.text()
      expectPage(answer, html, 404)
      bodies.add(withoutCode(html))
    }
    const twice = await open('?user_code=a&user_code=b')
    bodies.add(withoutCode(await twice.text()))
    expect(bodies.size).toBe(1)
  })

  test('404: a code that was mistyped comes back to be corrected; what can be none does not', async () => {
    expect(await (await open('?user_code=bcdf-ghjx')).text()).toContain('value="bcdf-ghjx"')
    expect(await (await open(`?user_code=${encodeURIComponent(INJECTION)}`)).text()).not.toContain('onerror')
  })

  test('429: a client that guesses is told when to come back', async () => {
    stand.requests.set('BCDFGHJK', 'rate_limited')
    const answer = await open()
    const html = await answer.text()
    expectPage(answer, html, 429)
    expect(answer.headers.get('retry-after')).toBe('77')
  })
})

describe('POST /link', () => {
  test('approves what was ticked, and says what was granted and how to end it', async () => {
    const answer = await decide({ ...APPROVAL, trust_device: 'true' })
    const html = await answer.text()
    expectPage(answer, html, 200)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(heading(html)).toBe('The agent is linked')
    expect(html).toContain('2.5 USD')
    expect(html).toContain('Trust in the device a-device')
    expect(html).toContain('no Router key yet')
    expect(html).toMatch(/POST \/api\/agents\/self\/router-key/)
    expect(html).toContain('<a href="/account">Your account page</a>')
    expect(html).not.toContain('DELETE')
    expect(stand.asked.at(-1)).toMatchObject({
      caller: { kind: 'session', owner: wallet(1).address },
      input: {
        userCode: 'BCDFGHJK',
        requester: { address: '127.0.0.1' },
        decision: {
          verdict: 'approve',
          scopes: ['mcp:call', 'router.use'],
          routerAllowanceUsd: 2.5,
          trustDevice: true,
        },
      },
    })
  })

  test('denies the request', async () => {
    const answer = await decide({ decision: 'deny' })
    const html = await answer.text()
    expectPage(answer, html, 200)
    expect(heading(html)).toBe('The agent was denied')
    expect(stand.asked.at(-1)).toMatchObject({ input: { decision: { verdict: 'deny' } } })
  })

  const nothingDecided = () => expect(stand.asked.filter(({ input }) => 'decision' in (input as object))).toEqual([])

  test('400: invalid fields are reported, and what was filled in is kept', async () => {
    const answer = await decide({ ...APPROVAL, scopes: ['router.use'], router_allowance_usd: '5000' })
    const html = await answer.text()
    expectPage(answer, html, 400)
    expect(html).toMatch(/role="alert"[\s\S]*from 0 to 1000/)
    expect(html).toMatch(/<input[^>]*aria-invalid="true"[^>]*value="5000"/)
    expect(html).toMatch(/value="router.use"[^>]* checked/)
    expect(html).not.toMatch(/value="mcp:call"[^>]* checked/)
    nothingDecided()
  })

  test('400: a form that decides nothing', async () => {
    const answer = await decide({ decision: 'perhaps' })
    expectPage(answer, await answer.text(), 400)
    nothingDecided()
  })

  test('403: a form from another site, or without an origin', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: edge.base, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      const answer = await decide(APPROVAL, headers)
      expectPage(answer, await answer.text(), 403)
    }
    nothingDecided()
  })

  test('403: a form shown to another session, for another code, or to no session', async () => {
    const csrf = tokenIn(await shown())
    const other = await edge.signIn(2)
    for (const [fields, headers] of [
      [{ ...APPROVAL, csrf, user_code: 'BCDFGHJK' }, { cookie: other }],
      [{ ...APPROVAL, csrf, user_code: 'ZZZZZZZZ' }, {}],
      [{ ...APPROVAL, user_code: 'BCDFGHJK' }, {}],
    ] as const) {
      const answer = await send(fields as unknown as Record<string, string | string[]>, headers)
      expectPage(answer, await answer.text(), 403)
    }
    nothingDecided()
  })

  test('403: an owner signed out meanwhile is asked to sign in, and nothing is decided', async () => {
    const answer = await decide(APPROVAL, { cookie: 'callboard=gone' })
    const html = await answer.text()
    expectPage(answer, html, 403)
    expect(html).toContain('/signin?return_to=')
    nothingDecided()
  })

  test('404, 409: a second press is told that the first one counts, not that nothing was changed', async () => {
    const csrf = tokenIn(await shown())
    for (const [state, status] of [
      [undefined, 404],
      ['already_decided', 409],
    ] as const) {
      if (state) stand.requests.set('BCDFGHJK', state)
      else stand.requests.clear()
      const answer = await send({ ...APPROVAL, csrf, user_code: 'BCDFGHJK' })
      const html = await answer.text()
      expectPage(answer, html, status)
      expect(heading(html)).toBe('This request is no longer open')
      expect(html).toContain('the first press counts')
      expect(html).toContain('href="/account"')
    }
  })

  test('409: no place for another agent', async () => {
    const csrf = tokenIn(await shown())
    stand.requests.set('BCDFGHJK', 'link_limit')
    const answer = await send({ ...APPROVAL, csrf, user_code: 'BCDFGHJK' })
    const html = await answer.text()
    expectPage(answer, html, 409)
    expect(html).toContain('20 of 20')
  })

  test('429: a code after too many guesses', async () => {
    const csrf = tokenIn(await shown())
    stand.requests.set('BCDFGHJK', 'rate_limited')
    const answer = await send({ ...APPROVAL, csrf, user_code: 'BCDFGHJK' })
    expectPage(answer, await answer.text(), 429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('413, 415: a form of 1 MB, and a body that is not a form', async () => {
    const large = await send({ user_code: 'a'.repeat(1_000_000) })
    expectPage(large, await large.text(), 413)
    const json = await fetch(`${edge.base}/link`, {
      method: 'POST',
      body: '{}',
      headers: { cookie, origin: edge.base, 'content-type': 'application/json' },
    })
    expectPage(json, await json.text(), 415)
  })
})

describe('an approval that needs a fresh signature', () => {
  const path = '/link?user_code=BCDFGHJK'
  const chosen = { decision: 'approve', scopes: ['router.use'], router_allowance_usd: '25', trust_device: 'true' }
  const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0] ?? ''
  const shownWith = async (kept: string, at = path, session = cookie) =>
    (await fetch(edge.base + at, { headers: { cookie: `${session}; ${kept.split(';')[0]}` } })).text()

  beforeEach(() => stand.stale.add(wallet(1).address))
  afterEach(() => stand.stale.clear())

  test('403: says why, leads to a new signature and back, and decides nothing', async () => {
    const answer = await decide(chosen)
    const html = await answer.text()
    expectPage(answer, html, 403)
    expect(heading(html)).toBe('Sign again to allow this')
    expect(html).toMatch(/role="alert"[\s\S]*Nothing has been decided[\s\S]*15 minutes[\s\S]*20 USD/)
    expect(html).toContain(`href="/signin?return_to=${encodeURIComponent(path)}&amp;again=true"`)
    const signing = await (
      await fetch(`${edge.base}/signin?return_to=%2Flink&again=true`, { headers: { cookie } })
    ).text()
    expect(signing).toContain('Sign once more with this wallet to continue.')
    expect(signing).not.toContain('Continue</a>')
  })

  test('restores the form as it was left, in another session of the same owner, until it is decided', async () => {
    const kept = cookieOf(await decide(chosen))
    expect(kept).toMatch(/^callboard-form=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    const again = await edge.signIn(1)
    const html = await shownWith(kept, path, again)
    expect(html).toContain('The form is filled in as you left it.')
    expect(html).toMatch(/value="router.use"[^>]* checked/)
    expect(html).not.toMatch(/value="mcp:call"[^>]* checked/)
    expect(html).toMatch(/<input[^>]*name="router_allowance_usd"[^>]*value="25"/)
    expect(html).toMatch(/<input[^>]*name="trust_device"[^>]* checked/)
    stand.stale.clear()
    const both = `${again}; ${kept.split(';')[0]}`
    const answer = await send({ ...chosen, csrf: tokenIn(html), user_code: 'BCDFGHJK' }, { cookie: both })
    expect(heading(await answer.text())).toBe('The agent is linked')
    expect(cookieOf(answer)).toMatch(/^callboard-form=; Max-Age=0;/)
  })

  test('fills in nothing for another owner or another code, nor from the address', async () => {
    const kept = cookieOf(await decide(chosen))
    const plain = await shown()
    const others = [
      await shownWith(kept, path, await edge.signIn(2)),
      await shownWith(kept, '/link?user_code=BCDF-GHJK'),
      await shownWith('callboard-form=nonsense'),
      await (await open(`?user_code=BCDFGHJK&${new URLSearchParams({ ...chosen, scopes: 'router.use' })}`)).text(),
    ]
    expect(plain).not.toMatch(/name="trust_device"[^>]* checked/)
    for (const html of others) {
      expect(html).toMatch(/value="mcp:call"[^>]* checked/)
      expect(html).toMatch(/<input[^>]*name="router_allowance_usd"[^>]*value="0"/)
      expect(html).not.toMatch(/name="trust_device"[^>]* checked|as you left it/)
    }
  })

  test('is not needed for a denial', async () => {
    const answer = await decide({ decision: 'deny' })
    expect(heading(await answer.text())).toBe('The agent was denied')
  })
})

test('503: without its service, the page says so as a page', async () => {
  const alone = await startEdge(inject('postgresUrl'))
  try {
    const session = await alone.signIn(1)
    const answer = await fetch(`${alone.base}/link?user_code=BCDF-GHJK`, { headers: { cookie: session } })
    expectPage(answer, await answer.text(), 503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  } finally {
    await alone.stop()
  }
})

test('no other site may call the page', async () => {
  const preflight = await fetch(`${edge.base}/link`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  const read = await open('', { cookie, origin: 'https://app.example' })
  expect(read.headers.get('access-control-allow-origin')).toBeNull()
})
