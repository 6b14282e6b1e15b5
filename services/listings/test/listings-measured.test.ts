import { listings as operations } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checked, goLive, keyOf, openStage, publishAs, type Stage, splitterOf } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function counted(): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${stage.services.adminPort}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^callboard_listings\{status="(\w+)"\} (\d+)$/gm)].map(([, status = '', count]) => [
      status,
      Number(count),
    ]),
  )
}

test('listings are counted by status, and a withdrawn one is no longer counted', async () => {
  expect(await counted()).toEqual({ draft: 0, live: 0, rejected: 0, suspended: 0 })
  const live = await goLive(stage, 1, 'Live')
  const rejected = await goLive(stage, 1, 'Rejected')
  const { splitterAddress } = await splitterOf(stage, 1)
  stage.provider.set('/draft', { payTo: splitterAddress })
  granted(await publishAs(stage, 1, { name: 'Draft', urls: [stage.provider.url('/draft')] }))
  granted(
    await stage.services.call(operations.review, {
      slug: rejected,
      verdict: 'reject',
      reason: 'It sells nothing.',
      checked,
    }),
  )
  expect(await counted()).toEqual({ draft: 1, live: 1, rejected: 1, suspended: 0 })
  granted(await stage.services.call(operations.withdraw, { slug: live }, { caller: keyOf(1) }))
  expect(await counted()).toEqual({ draft: 1, live: 0, rejected: 1, suspended: 0 })
})
