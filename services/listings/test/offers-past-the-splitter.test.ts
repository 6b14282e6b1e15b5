import { listings as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, goLive, mineOf, openStage, publishAs, type Stage, send, snapshots, splitterOf } from './stage.ts'

let stage: Stage
let splitter: string
const owner = wallet(1).address

beforeAll(async () => {
  stage = await openStage()
  const { splitterAddress, deploy } = await splitterOf(stage, 1)
  await send(stage, 1, deploy)
  splitter = splitterAddress
})
afterAll(() => stage?.close())

const mixed = () => ({ payTo: splitter, beside: [{ payTo: owner, amount: '9000' }] })
const refusal = {
  refusal: 'offer_avoids_splitter',
  field: 'operations.0.url',
  message: expect.stringContaining(`9000 base units`),
  details: { entry: { scheme: 'exact', network: 'eip155:31337', amount: '9000', payTo: owner } },
}

describe('422 offer_avoids_splitter: the owner’s wallet next to the splitter', () => {
  test('at publish', async () => {
    stage.provider.set('/mixed', mixed())
    expect(await publishAs(stage, 1, { name: 'Mixed', urls: [stage.provider.url('/mixed')] })).toMatchObject(refusal)
  })

  test('at publish, in either order, and of several operations the faulty one is named', async () => {
    stage.provider.set('/fine', { payTo: splitter })
    stage.provider.set('/turned', { payTo: owner, amount: '9000', beside: [{ payTo: splitter }] })
    const urls = ['/fine', '/turned'].map(stage.provider.url)
    expect(await publishAs(stage, 1, { name: 'Turned', urls })).toMatchObject({ ...refusal, field: 'operations.1.url' })
  })

  test('at activate, and the listing stays a draft', async () => {
    stage.provider.set('/later', { payTo: splitter })
    const url = stage.provider.url('/later')
    const { listing } = granted(await publishAs(stage, 1, { name: 'Later', urls: [url] }))
    stage.provider.set('/later', mixed())
    expect(await act(stage, 1, listing.slug, 'activate')).toMatchObject(refusal)
    expect(await mineOf(stage, 1, listing.slug)).toMatchObject({ status: 'draft' })
  })
})

test('202 suspended: a re-check that finds it takes the listing offline, and its owner can read why', async () => {
  const slug = await goLive(stage, 1, 'Aside')
  stage.provider.set('/aside', mixed())
  expect(await stage.services.call(operations.resync, { slug })).toMatchObject({ ok: false, outcome: 'suspended' })
  expect(await mineOf(stage, 1, slug)).toMatchObject({
    status: 'suspended',
    suspendedReason: expect.stringContaining(`${stage.provider.url('/aside')}: It offers exact of 9000 base units`),
  })
  expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended' })
})
