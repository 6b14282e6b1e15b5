import { wallet } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { catalogStandIn } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

const directory = catalogStandIn()
let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [directory.module] })
})
afterAll(() => edge.stop())
beforeEach(() => {
  directory.asked.length = 0
})

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(edge.base + path, { headers })
  return { answer, html: await answer.text() }
}

describe('the front page', () => {
  test('lists the directory, offers search and sign-in, and links to the API catalog', async () => {
    const { answer, html } = await open('/')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('link')).toContain('</.well-known/api-catalog>; rel="api-catalog"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(html).toContain('<form method="get" action="/" role="search">')
    expect(html).toContain('Weather forecast')
    expect(html).toContain('or of the source in which a mirrored listing was found')
    expect(html).toContain('href="/signin"')
    expect(html).toContain('href="/docs"')
    expect(html).not.toMatch(/<script|<table|\sstyle=/)
  })

  test('says who is signed in, and links to the account', async () => {
    const { html } = await open('/', { cookie: await edge.signIn(1) })
    expect(html).toContain(`You are signed in as <code>${wallet(1).address}</code>`)
    expect(html).not.toContain('href="/signin"')
  })

  test.each(['/activity', '/call/forecast', '/call/there-is-none', '/activity?range=1y'])(
    'an owner who is signed in is not asked to sign in by what is the same for every visitor: %s',
    async (path) => {
      const { html } = await open(path, { cookie: await edge.signIn(1) })
      expect(html).toContain('<a href="/account">Account</a>')
      expect(html).not.toContain('href="/signin"')
      expect((await open(path)).html).toContain('href="/signin"')
    },
  )

  test('a session that has ended is not one', async () => {
    expect((await open('/', { cookie: 'callboard=ended' })).html).toContain('href="/signin">Sign in</a>')
  })

  test('asks the directory like any other client, for what the address says', async () => {
    await open('/?q=%20weather%20&unverified=true')
    expect(directory.asked).toEqual([{ q: 'weather', includeUnverified: true, limit: 10, facets: false }])
  })

  test('continues a search by its cursor, and keeps the query', async () => {
    const { html } = await open('/?unverified=true')
    const next = /href="(\/\?[^"]*cursor=more[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(next).toBe('/?unverified=true&cursor=more')
    await open(next)
    expect(directory.asked.at(-1)).toMatchObject({ cursor: 'more', includeUnverified: true })
  })

  test('shows what visitors and providers wrote only as text', async () => {
    const { html } = await open(`/?q=${encodeURIComponent('<img src=x onerror=alert(1)>"&')}`)
    expect(html).not.toContain('<img')
    expect(
      html.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&amp;|&lt;img src=x onerror=alert\(1\)>/g)?.length,
    ).toBeGreaterThan(2)
  })

  test('shows what the chain shows of a month, less what was invented; results come without it', async () => {
    const { html } = await open('/')
    expect(html).toContain('40 calls for 0.4 USD; without dust and signs of invented volume, 10 for 0.1 USD')
    expect(html).toMatch(/3 wallets paid, and the busiest one made 88 % of\s+the calls/)
    expect((await open('/?q=weather')).html).not.toContain('Observed on chain')
  })

  test('shows what someone wants to buy with its poster’s address, and not as a call', async () => {
    const { html } = await open('/?q=wanted')
    expect(html).toContain(
      'href="https://poster.example/wanted?a=b&amp;c=&quot;" rel="nofollow ugc noopener noreferrer"',
    )
    expect(html).toContain('href="/api/call/postings/posting_')
    expect(html).not.toContain('<img')
    expect(html).not.toContain('How to call it')
    expect(html).not.toContain('GET https://poster.example')
  })

  test('with only unreviewed matches: says how many, and offers them', async () => {
    const { html } = await open('/?q=unreviewed')
    expect(html).toContain('Nothing reviewed matches “unreviewed”.')
    expect(html).toContain('Not shown: 1 listing that')
    expect(html).toContain('href="/?q=unreviewed&amp;unverified=true"')
  })

  test('with no matches: says so, and offers nothing', async () => {
    const { answer, html } = await open('/?q=nothing-like-it')
    expect(answer.status).toBe(200)
    expect(html).toContain('Nothing in the directory matches “nothing-like-it”.')
    expect(html).not.toContain('Include unreviewed listings</a>')
    expect((await open('/?q=unreviewed&unverified=true')).html).toContain('Nothing in the directory matches')
  })

  test.each([
    ['a search of more than 200 characters', `/?q=${'a'.repeat(201)}`, 'at most 200 characters'],
    ['a cursor that is not ours', '/?cursor=foreign', 'Search again'],
    ['a cursor longer than any of ours', `/?cursor=${'a'.repeat(513)}`, 'Search again'],
  ])('400: %s is reported on the page', async (_what, path, sentence) => {
    const { answer, html } = await open(path)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toMatch(new RegExp(`role="alert">[^<]*${sentence}`))
  })
})

test('without the directory, the page is served and says so; a search is 503', async () => {
  const alone = await startEdge(inject('postgresUrl'))
  try {
    const front = await fetch(alone.base)
    expect(front.status).toBe(200)
    const shown = await front.text()
    expect(shown).toContain('The directory is not available right now.')
    expect(shown).not.toContain('Observed on chain')
    expect((await fetch(`${alone.base}/?q=weather`)).status).toBe(503)
  } finally {
    await alone.stop()
  }
})

test('a listing’s page shows what we observed of it, and a provider’s markup as text', async () => {
  const { answer, html } = await open('/call/forecast')
  expect(answer.status).toBe(200)
  expect(html).toContain('3 calls for 0.03 USD; without dust and signs of invented volume, 1 for 0.01 USD')
  expect(html).toContain('set aside: the seller paid itself')
  expect(html).toContain('differed from the listing')
  expect(html).toContain('Other listings with its payee</dt><dd>1<')
  expect(html).not.toContain('<img')
})

test('the page of what the service sells itself does not call it unreviewed', async () => {
  expect((await open('/call/forecast')).html).toContain('verified by the operator')
  const { html } = await open('/call/ours')
  expect(html).toContain('sold by this service itself')
  expect(html).not.toContain('not reviewed')
})

test('the logo is served as an inert picture', async () => {
  const answer = await fetch(`${edge.base}/favicon.svg`)
  expect(answer.headers.get('content-type')).toBe('image/svg+xml')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await answer.text()).toMatch(/^<svg /)
})
