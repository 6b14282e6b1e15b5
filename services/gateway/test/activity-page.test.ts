import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { catalogStandIn } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

const ADDRESS = `0x${'aa'.repeat(20)}`

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [catalogStandIn().module] })
})
afterAll(() => edge.stop())

async function open(query: string) {
  const answer = await fetch(`${edge.base}/activity${query}`)
  return { status: answer.status, html: await answer.text() }
}

test('payments are shown page by page, newest first', async () => {
  const { status, html } = await open('')
  expect(status).toBe(200)
  expect(html).toContain('<a href="/call/forecast">forecast</a>')
  expect(html).toContain('href="/activity?range=30d&amp;cursor=more"')
  expect((await open('?cursor=more')).html).not.toContain('Show older payments')
})

test('an address shows what it paid and what it received; empty fields of the form ask for nothing', async () => {
  const { status, html } = await open(`?listing=&range=7d&address=${ADDRESS}`)
  expect(status).toBe(200)
  expect(html).toContain('It paid</dt><dd>3 calls for 0.03 USD')
  expect(html).toContain('beside these 1 for 7 USD')
  expect((await open('?listing=&address=&range=24h')).html).toContain('Payments of the last 24 hours')
})

test.each([
  ['an address that is none', '?address=0xgg'],
  ['an address given twice', `?address=${ADDRESS}&address=${ADDRESS}`],
  ['an unknown time', '?range=1y'],
  ['a name longer than any listing’s', `?listing=${'a'.repeat(129)}`],
  ['a cursor that is not ours', '?cursor=foreign'],
  ['an unknown field', '?payer=1'],
])('400: %s', async (_what, query) => {
  const { status, html } = await open(query)
  expect(status).toBe(400)
  expect(html).toContain('There is no such page of payments')
})

test('what was typed wrong comes back to be corrected, and a space that was pasted with it counts for nothing', async () => {
  const { html } = await open(`?range=7d&listing=tides&address=${ADDRESS}0`)
  expect(html).toContain(`name="address" value="${ADDRESS}0"`)
  expect(html).toContain('name="listing" value="tides"')
  expect(html).toMatch(/value="7d" selected/)
  expect((await open(`?address=%20${ADDRESS}%20&listing=%20`)).status).toBe(200)
})

test('without the catalog, the page says that it cannot be shown now', async () => {
  const alone = await startEdge(inject('postgresUrl'))
  try {
    const answer = await fetch(`${alone.base}/activity`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  } finally {
    await alone.stop()
  }
})
