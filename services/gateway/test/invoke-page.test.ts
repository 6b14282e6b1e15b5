import { catalog } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { CALL, catalogStandIn, HOSTILE, SIGNED } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [catalogStandIn().module] })
})
afterAll(() => edge.stop())

async function open(path: string, init: RequestInit = {}) {
  const answer = await fetch(edge.base + path, init)
  return { answer, html: await answer.text() }
}
const signed = (sig: string) => SIGNED.replace('sig=good', `sig=${sig}`)

/** What a reader of a text of HTML gets. */
const read = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

describe('the page of a signed link', () => {
  test('shows the call, what our probe saw, what to send, and how to call and pay', async () => {
    const { answer, html } = await open(SIGNED)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('link')).toContain('rel="api-catalog"')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const shown = read(html)
    expect(shown).toContain(`<code>POST ${CALL.request.url}</code>`)
    expect(shown).toContain('Callboard is not in between')
    expect(shown).toContain(
      'It can be paid with x402, as its offer was last read. At our last check, it gave no answer in time.',
    )
    expect(shown).toMatch(/0\.01 USD, read <time/)
    expect(shown).toContain('it gave no answer in time')
    expect(shown).toContain('Last up</dt>')
    expect(shown).toContain('99 % (2016 checks), of the whole listing')
    expect(shown).toContain('differed from the listing')
    expect(shown).toContain('<td>1 or 7, required</td>')
    expect(shown).toContain(`<pre>{\n  "city": ${JSON.stringify(HOSTILE)}\n}</pre>`)
    for (const text of Object.values(CALL.request.howToPay ?? {})) {
      expect(shown).toContain(`<pre class="whole">${text}</pre>`)
    }
    expect(html).toContain('href="/call/forecast"')
    expect(html).toContain('not reviewed')
    expect(html).toContain('provider’s own words')
  })

  test('has what sellers wrote as text, loads nothing, and runs no script', async () => {
    const { answer, html } = await open(SIGNED)
    expect(read(html)).toContain(HOSTILE)
    expect(html).not.toMatch(/<(img|script|form|iframe|object)|<[^>]*\s(style|on\w+)=/)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'none'; connect-src 'none'")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    // A URL of the seller is a text: no click and no prefetch of this page reaches it.
    expect(html).not.toMatch(/(href|src|action)="https?:/)
  })

  test('says why it cannot be paid, and does not say how then', async () => {
    const { answer, html } = await open(signed('unpayable'))
    expect(answer.status).toBe(200)
    expect(html).toContain('It cannot be paid now.')
    expect(read(html)).toContain(`It answers ${HOSTILE} without asking for payment.`)
    expect(html).not.toContain('npx callboard pay')
    expect(html).not.toContain('How to call it and pay')
  })

  test('is the same for HEAD, without a body', async () => {
    const { answer, html } = await open(SIGNED, { method: 'HEAD' })
    expect([answer.status, html]).toEqual([200, ''])
    expect((await open(signed('bad'), { method: 'HEAD' })).answer.status).toBe(400)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '405: %s, since nothing is sent to a seller from here',
    async (method) => {
      const { answer } = await open(SIGNED, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    },
  )
})

describe('a link that opens no call', () => {
  const UNREADABLE = 'x'.repeat(3_000)
  test.each([
    ['is signed for another call', signed('bad')],
    ['has no signature', SIGNED.replace(/&sig=.*/, '')],
    ['has nothing', '/call/invoke?'],
    ['has a member twice', `${SIGNED}&url=https%3A%2F%2Fb.example`],
    ['is longer than any of ours', `${SIGNED.replace('a.example', UNREADABLE)}`],
    ['is not well encoded', `${signed('bad')}&url=%zz`],
  ])('400: one that %s, without a word of what it says', async (_what, path) => {
    const { answer, html } = await open(`${path}&more=https%3A%2F%2Fphish.example`)
    expect(answer.status).toBe(400)
    expect(html).toContain('This link opens no call')
    expect(html).toContain('<a href="/">Search the directory</a>')
    expect(html).not.toMatch(/a\.example|b\.example|phish|%zz|xxxx/)
  })

  test('links to the listing that it names, if that is a name of one', async () => {
    expect((await open(signed('bad'))).html).toContain('<a href="/call/forecast">')
    for (const schema of [
      '/api/calls/..%2Faccount',
      '/api/calls/',
      'https://phish.example',
      '/api/calls/a b',
      '%22%3E',
    ]) {
      const { html } = await open(SIGNED.replace('%2Fapi%2Fcalls%2Fforecast', schema).replace('=good', '=bad'))
      expect(html, schema).not.toContain('that it names')
    }
  })

  test('404: its listing is gone, or no longer sells the call, which links to what it sells now', async () => {
    const gone = await open(signed('gone'))
    expect(gone.answer.status).toBe(404)
    expect(gone.html).toContain('The listing is not there any more')
    const moved = await open(signed('moved'))
    expect(moved.answer.status).toBe(404)
    expect(moved.html).toContain('The listing no longer has this call')
    expect(moved.html).toContain('<a href="/call/forecast">')
    for (const { html } of [gone, moved]) expect(html).toContain('<a href="/">Search the directory</a>')
  })
})

test('a listing’s page links to the page of each of its calls', async () => {
  const { html } = await open('/call/forecast')
  expect(read(html)).toContain(`href="${SIGNED}"`)
})

test('429: it is limited like every public read', async () => {
  const env = { RATE_LIMITS: JSON.stringify({ read: { burst: 1, perMinute: 1 } }) }
  const limited = await startEdge(inject('postgresUrl'), { modules: [catalogStandIn().module], env })
  try {
    const statuses = [await fetch(limited.base + SIGNED), await fetch(limited.base + SIGNED)].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([200, 429])
  } finally {
    await limited.stop()
  }
})

test('503: a catalog of the version before does not know the links, and the page says that a part is away', async () => {
  const { stats } = catalog
  const before = service({
    ...{ name: 'catalog', config: z.object({}), operations: { stats } },
    serves: { stats: async () => refuse('temporarily_unavailable') as never },
  })
  const older = await startEdge(inject('postgresUrl'), { modules: [before] })
  try {
    const answer = await fetch(older.base + SIGNED)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(await answer.text()).toContain('A part of this service is unavailable')
  } finally {
    await older.stop()
  }
})
