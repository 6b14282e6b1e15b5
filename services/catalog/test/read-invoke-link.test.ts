import {
  type InvokedCall,
  listingChanged,
  listingRemoved,
  catalog as operations,
  probeCompleted,
} from '@callboard/contract'
import { HOUR_MS, isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invokeHref } from '../src/domain/invoke-link.ts'
import { LINK_SIGNING_KEY, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { ARC, BASE, operation, probe, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

/** The members of a link, as the gateway sends them. */
const membersOf = (href: string) =>
  Object.fromEntries(new URLSearchParams(href.split('?')[1])) as Record<
    'url' | 'method' | 'schema' | 'network' | 'sig',
    string
  >
/** What discovery gives for a listing. */
const linkTo = async (slug: string) => {
  const { items } = await catalog.ask(operations.discovery, { limit: '50' })
  return items.find(({ ref }) => ref === slug)?.action.href ?? ''
}
const open = (href: string) => catalog.ask(operations.readInvokeLink, membersOf(href))
const refusedFor = async (link: ReturnType<typeof membersOf>) => {
  const answer = await catalog.askAnyway(operations.readInvokeLink, link)
  return isRefusal(answer) ? [answer.refusal, answer.field] : answer
}

describe('a signed link', () => {
  test('opens the call as the entry has it, with its own check', async () => {
    const second = operation('a', { url: 'https://a.example/second', method: 'POST', price: '0.02' })
    await catalog.deliver(listingChanged, snapshot('a', { operations: [operation('a'), second] }))
    await catalog.deliver(probeCompleted, probe('a'))
    await catalog.deliver(
      probeCompleted,
      probe('a', { url: second.url, method: 'POST', state: 'timeout', verdict: 'down' }),
    )
    const entry = await catalog.ask(operations.entry, { serviceId: 'a' })
    expect(entry.requests[0]?.action?.href).toBe(await linkTo('a'))
    for (const [at, state, okAt] of [
      [0, 'ok_402', isoTime(NOW - HOUR_MS)],
      [1, 'timeout', null],
    ] as const) {
      const request = entry.requests[at]
      const found: InvokedCall = await open(request?.action?.href ?? '')
      expect(found).toMatchObject({ request, listing: { id: 'a', name: 'a', verified: true }, payable: true })
      expect(found.check).toEqual({ state, checkedAt: isoTime(NOW - HOUR_MS), okAt })
    }
  })

  test('opens whatever the order and coding of its members', async () => {
    const url = 'https://a.example/ask?q=a%20b+c&x=%27'
    await catalog.deliver(listingChanged, snapshot('a', { operations: [operation('a', { url })] }))
    const members = membersOf(await linkTo('a'))
    expect(members.url).toBe(url)
    const reversed = Object.fromEntries(Object.entries(members).reverse()) as typeof members
    expect((await catalog.ask(operations.readInvokeLink, reversed)).request.url).toBe(url)
  })

  test('400 invalid_request, field sig: one member was changed, whether or not it names a call of a listing', async () => {
    const others = [operation('a'), operation('a', { method: 'POST' }), operation('a', { url: 'https://a.example/b' })]
    await catalog.deliver(listingChanged, snapshot('a', { operations: others }))
    await catalog.deliver(listingChanged, snapshot('b', { operations: others }))
    const members = membersOf(await linkTo('a'))
    for (const changed of [
      { method: 'POST' },
      { method: 'get' },
      { url: 'https://a.example/b' },
      { url: 'https://a.example/ask?' },
      { schema: '/api/calls/b' },
      { schema: '/api/calls/none' },
      { schema: '' },
      { network: ARC },
      { sig: `${members.sig.slice(1)}A` },
      { sig: '' },
    ]) {
      expect(await refusedFor({ ...members, ...changed }), JSON.stringify(changed)).toEqual(['invalid_request', 'sig'])
    }
    expect(await refusedFor(membersOf(invokeHref('a key that nobody has here, of a good length', members)))).toEqual([
      ...['invalid_request', 'sig'],
    ])
  })
})

describe('404 not_found', () => {
  const call = { url: 'https://a.example/ask', method: 'GET', schema: '/api/calls/a', network: BASE }
  const link = membersOf(invokeHref(LINK_SIGNING_KEY, call))

  test('field schema: the listing was never there, is offline, or was withdrawn', async () => {
    expect(await refusedFor(link)).toEqual(['not_found', 'schema'])
    await catalog.deliver(listingChanged, snapshot('a', { status: 'suspended' }))
    expect(await refusedFor(link)).toEqual(['not_found', 'schema'])
    await catalog.deliver(listingChanged, snapshot('a', { version: 2 }))
    expect((await catalog.ask(operations.readInvokeLink, link)).listing.id).toBe('a')
    await catalog.deliver(listingRemoved, { slug: 'a', version: 2 })
    expect(await refusedFor(link)).toEqual(['not_found', 'schema'])
  })

  test.each([
    ['url', 'sells another URL', { url: 'https://a.example/moved' }],
    ['url', 'sells another method', { method: 'POST' }],
    ['network', 'is paid on another network', { payment: { ...operation('a').payment, network: ARC } }],
  ] as const)('field %s: the listing %s now', async (field, _what, more) => {
    const changed = operation('a', more as Parameters<typeof operation>[1])
    await catalog.deliver(listingChanged, snapshot('a', { operations: [changed] }))
    expect(await refusedFor(link)).toEqual(['not_found', field])
  })
})

describe('what cannot be paid', () => {
  const link = membersOf(
    invokeHref(LINK_SIGNING_KEY, {
      ...{ url: 'https://a.example/ask', method: 'GET', schema: '/api/calls/a', network: BASE },
    }),
  )

  test('is opened all the same: an endpoint that stopped charging says why', async () => {
    const free = operation('a', { price: null, payment: null, problem: 'It answers without asking for payment.' })
    const other = operation('a', { url: 'https://a.example/other' })
    await catalog.deliver(listingChanged, snapshot('a', { operations: [free, other] }))
    expect(await catalog.ask(operations.readInvokeLink, link)).toMatchObject({
      ...{ payable: false, problem: 'It answers without asking for payment.' },
      request: { howToPay: null, action: null, offers: { stored: null } },
    })
  })

  test('is opened all the same: an endpoint that offers MPP only, as discovery says too', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(probeCompleted, probe('a', { state: 'mpp' }))
    const { payable, check } = await catalog.ask(operations.readInvokeLink, link)
    const { items } = await catalog.ask(operations.discovery, {})
    expect([payable, check?.state, items[0]?.execution.payable]).toEqual([false, 'mpp', false])
  })
})
