import { listings as operations } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, keyOf, openStage, publishAs, type Stage, send, snapshots, splitterOf, verify } from './stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a listing goes draft → live → requested → verified → suspended → draft, and its versions rise', async () => {
  const { provider, services } = stage
  const splitter = await splitterOf(stage, 1)
  expect(splitter).toMatchObject({ network: 'eip155:31337', deployed: false, balanceWei: '0' })
  provider.set('/quote', { payTo: splitter.splitterAddress })

  const { listing } = granted(await publishAs(stage, 1, { name: 'Álpha Quotes', urls: [provider.url('/quote')] }))
  expect(listing).toMatchObject({
    slug: 'alpha-quotes',
    status: 'draft',
    verification: 'none',
    group: 'added',
    provenance: 'self_listed',
    fee: { bps: 500, label: '5% network fee' },
    splitter: { address: splitter.splitterAddress, deployed: false, deploy: splitter.deploy },
    operations: [{ price: '0.01', payment: { payTo: splitter.splitterAddress, amount: '10000' } }],
    listedAt: null,
  })
  expect(await act(stage, 1, 'alpha-quotes', 'activate')).toMatchObject({ refusal: 'splitter_not_deployed' })

  await send(stage, 1, splitter.deploy)
  expect(granted(await act(stage, 1, 'alpha-quotes', 'activate'))).toMatchObject({
    ok: true,
    status: 'live',
    verification: 'none',
    listing: { splitter: { deployed: true }, listedAt: expect.any(String) },
  })
  expect(granted(await act(stage, 1, 'alpha-quotes', 'request_verification'))).toMatchObject({
    status: 'live',
    verification: 'requested',
  })
  expect(granted(await verify(stage, 'alpha-quotes'))).toMatchObject({
    slug: 'alpha-quotes',
    status: 'live',
    verification: 'verified',
  })
  expect(granted(await act(stage, 1, 'alpha-quotes', 'suspend'))).toMatchObject({ status: 'suspended' })
  expect(granted(await act(stage, 1, 'alpha-quotes', 'revise'))).toMatchObject({ status: 'draft' })

  const published = await snapshots(stage, 'alpha-quotes')
  expect(published.map(({ status, verification }) => `${status} ${verification}`)).toEqual([
    'live none',
    'live requested',
    'live verified',
    'suspended none',
    'draft none',
  ])
  expect(published.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6])
  const mine = granted(await services.call(operations.mine, { limit: 50 }, { caller: keyOf(1) }))
  expect(mine.listings.map(({ slug }) => slug)).toEqual(['alpha-quotes'])
})
