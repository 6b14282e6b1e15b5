import { type InputOf, listings as operations } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, checked, goLive, keyOf, mineOf, openStage, publishAs, type Stage, splitterOf, verify } from './stage.ts'

let stage: Stage
let verified: string

beforeAll(async () => {
  stage = await openStage()
  verified = await goLive(stage, 1, 'Paypal')
  granted(await verify(stage, verified))
})
afterAll(() => stage?.close())

const edit = (index: number, slug: string, more: { name?: string; description?: string }) =>
  stage.services.call(operations.edit, { slug, ...more }, { caller: keyOf(index) })
const verificationOf = async (slug: string) => (await mineOf(stage, 1, slug)).verification

const refusal = {
  refusal: 'name_resembles_verified',
  field: 'name',
  message: 'The name can be taken for “Paypal”, a verified listing of another owner.',
}

async function publishNamed(index: number, name: string, path: string) {
  const { splitterAddress } = await splitterOf(stage, index)
  stage.provider.set(path, { payTo: splitterAddress })
  return publishAs(stage, index, { name, urls: [stage.provider.url(path)] })
}

describe('409 name_resembles_verified', () => {
  // Each has a slug different from the verified one's.
  test.each(['PayPaI', 'P A Y P A L.', 'Раураl', 'Pаypаl'])('at publish: %s', async (name) => {
    expect(await publishNamed(2, name, '/copy')).toMatchObject(refusal)
  })

  test('at edit', async () => {
    const slug = await goLive(stage, 2, 'Other')
    expect(await edit(2, slug, { name: 'PayPa1' })).toMatchObject(refusal)
    expect(await mineOf(stage, 2, slug)).toMatchObject({ name: 'Other' })
  })

  test('at activate, if the other was verified meanwhile, and at its own verification', async () => {
    const { listing } = granted(await publishNamed(2, 'Bank 0ne', '/bank'))
    const live = await goLive(stage, 2, 'Bank-One-Live')
    granted(await edit(2, live, { name: 'BankOne' }))
    const slug = await goLive(stage, 1, 'Bankone')
    granted(await edit(1, slug, { name: 'Bank One' }))
    granted(await verify(stage, slug))
    const message = expect.stringContaining('“Bank One”')
    expect(await act(stage, 2, listing.slug, 'activate')).toMatchObject({ ...refusal, message })
    expect(await verify(stage, live)).toMatchObject({ ...refusal, message })
  })

  test('for one of two listings with the same name that are verified concurrently', async () => {
    const slugs = [await goLive(stage, 1, 'Modern'), await goLive(stage, 2, 'Twin')] as const
    granted(await edit(2, slugs[1], { name: 'Modem' }))
    const both = await Promise.all(slugs.map((slug) => verify(stage, slug)))
    expect(both.filter(isRefusal)).toMatchObject([{ refusal: 'name_resembles_verified' }])
  })

  test('but not for the owner of the verified one, and not for a distinct name', async () => {
    const slug = await goLive(stage, 1, 'Own')
    granted(await edit(1, slug, { name: 'Pay Pal' }))
    const other = await goLive(stage, 2, 'Payments')
    granted(await edit(2, other, { name: 'Payment Pals' }))
  })
})

describe('400 invalid_request: a posting with the name of a verified listing of another owner', () => {
  const posting: Omit<InputOf<typeof operations.publishPosting>, 'title'> = {
    kind: 'service_offer',
    description: 'Work by hand',
    category: 'data',
    amountUsd: '250',
    accepts: [{ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }],
    contactUrl: 'https://pumps.example/contact',
  }
  const offer = (index: number, title: string) =>
    stage.services.call(operations.publishPosting, { ...posting, title }, { caller: keyOf(index) })
  const change = (index: number, id: string, more: { title?: string; amountUsd?: string }) =>
    stage.services.call(operations.editPosting, { id, ...more }, { caller: keyOf(index) })
  const message = 'The title can be taken for “Paypal”, a verified listing of another owner.'
  const refused = { refusal: 'invalid_request', field: 'title', message }

  test('when it is made, and when its title is changed', async () => {
    expect(await offer(2, 'PayPaI')).toMatchObject(refused)
    const { id } = granted(await offer(2, 'Help with Paypal')).posting
    expect(await change(2, id, { title: 'Paypa1' })).toMatchObject(refused)
    expect(granted(await change(2, id, { amountUsd: '200' })).posting).toMatchObject({ title: 'Help with Paypal' })
  })

  test('but not for its owner', async () => {
    expect(granted(await offer(1, 'Paypal')).posting).toMatchObject({ title: 'Paypal' })
  })
})

describe('only what the operator looked at is verified', () => {
  test('409 invalid_state: the listing was renamed between the look and the verdict', async () => {
    const slug = await goLive(stage, 1, 'Looked')
    const { seen, facts } = granted(await stage.services.call(operations.review, { slug, verdict: 'look' }))
    expect(facts).toMatchObject({ name: 'Looked', operations: [{ method: 'GET', url: stage.provider.url('/looked') }] })
    granted(await edit(1, slug, { name: 'Somebody Else' }))
    const judge = () => stage.services.call(operations.review, { slug, verdict: 'verify', seen, checked })
    expect(await judge()).toMatchObject({ refusal: 'invalid_state' })
    expect(await verificationOf(slug)).toBe('none')
    granted(await edit(1, slug, { name: 'Looked' }))
    expect(granted(await judge()).verification).toBe('verified')
  })

  test('200: another name drops it to requested, even by one letter', async () => {
    const slug = await goLive(stage, 1, 'Named')
    granted(await verify(stage, slug))
    granted(await edit(1, slug, { name: 'named' }))
    expect(await verificationOf(slug)).toBe('requested')
    granted(await edit(1, slug, { name: 'Named again' }))
    expect(await verificationOf(slug)).toBe('requested')
    granted(await verify(stage, slug))
    expect(await verificationOf(slug)).toBe('verified')
  })

  test('200: another description drops it, one correction does not, and many corrections do', async () => {
    const slug = await goLive(stage, 1, 'Described')
    granted(await edit(1, slug, { description: 'Quotes for traders, every minute.' }))
    granted(await verify(stage, slug))
    granted(await edit(1, slug, { description: 'Quotes  for traders,\nevery minute.' }))
    granted(await edit(1, slug, { description: 'Qoutes for traders, every minute.' }))
    expect(await verificationOf(slug)).toBe('verified')
    granted(await edit(1, slug, { description: 'Qoutes for tradres, every minute.' }))
    expect(await verificationOf(slug)).toBe('verified')
    granted(await edit(1, slug, { description: 'Qoutes for tradres, evrey minute.' }))
    expect(await verificationOf(slug)).toBe('requested')
  })

  test('200: a price that a check reads does not change its verification', async () => {
    const slug = await goLive(stage, 1, 'Priced')
    granted(await verify(stage, slug))
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/priced', { payTo: splitterAddress, amount: '20000' })
    granted(await stage.services.call(operations.resync, { slug }))
    expect(await mineOf(stage, 1, slug)).toMatchObject({ verification: 'verified', operations: [{ price: '0.02' }] })
  })
})

test('400 at the edge: a name or description that has characters which do not show', () => {
  const { name, description, operations: published } = operations.publish.input.shape
  for (const text of ['Evil\u202etxt', 'Iso\u2066late', 'Zero\u200bwidth', 'Mark\u200e', 'Private\ue000']) {
    expect([name, description].map((schema) => schema.safeParse(text).error?.issues[0]?.message)).toEqual([
      expect.stringMatching(/^holds U\+/),
      expect.stringMatching(/^holds U\+/),
    ])
    const operation = { method: 'GET', url: 'https://a.example/', name: text }
    expect(published.safeParse([operation]).error?.issues[0]?.path).toEqual([0, 'name'])
    expect(operations.edit.input.safeParse({ slug: 'a', name: text }).error?.issues[0]?.path).toEqual(['name'])
  }
  expect(name.safeParse('Two\nlines').success).toBe(false)
})

test('400 at the edge: a name that passes for this service or for its operator, at publish and at edit', () => {
  const { name } = operations.publish.input.shape
  for (const text of ['Callboard', 'Cаllbоard Router', 'The CALLB0ARD decoder', 'Official Support', 'Verified']) {
    expect(name.safeParse(text).error?.issues[0]?.message).toMatch(/name of this service|speaks for this service/)
    expect(operations.edit.input.safeParse({ slug: 'a', name: text }).error?.issues[0]?.path).toEqual(['name'])
  }
  expect(name.safeParse('Official weather').success).toBe(true)
})
