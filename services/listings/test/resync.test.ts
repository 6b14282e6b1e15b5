import { livenessProber, listings as operations } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goLive, mineOf, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ SUSPEND_AFTER_DOWN: '3' })
})
afterAll(() => stage?.close())

const resync = async (slug: string) => granted(await stage.services.call(operations.resync, { slug }))

async function targetOf(slug: string) {
  const [target] = granted(await stage.services.call(livenessProber.targets, { slug })).targets
  if (!target) throw new Error(`${slug} is not watched`)
  return target
}

/** A live listing that the schedule has checked once. */
async function watched(name: string): Promise<string> {
  const slug = await goLive(stage, 1, name)
  await until('the first check is published', async () => (await mineOf(stage, 1, slug)).liveness.checks7d === 1)
  return slug
}

test('a resync is a check: it updates the week, the directory and the next check', async () => {
  const slug = await watched('Moving')
  const before = await targetOf(slug)
  stage.clock.advance(MINUTE_MS)
  const { outcome, checkedAt } = await resync(slug)
  expect(outcome).toBe('refreshed')
  const after = await targetOf(slug)
  expect(after).toMatchObject({ lastCheckedAt: checkedAt, state: 'ok_402', liveness: { checks7d: 2 } })
  expect(Date.parse(after.nextDueAt)).not.toBe(Date.parse(before.nextDueAt))
  await until('its owner sees it', async () => (await mineOf(stage, 1, slug)).liveness.checks7d === 2)
  const published = await stage.database.query<{ data: { checkedAt: string } }>(
    `select data from liveness_prober.outbox where key = $1 order by sequence`,
    [slug],
  )
  expect(published.at(-1)?.data.checkedAt).toBe(checkedAt)
})

test('one resync per interval counts: asking often makes an endpoint neither better nor worse', async () => {
  const slug = await watched('Asked')
  stage.provider.set('/asked', (_req, res) => res.writeHead(500).end())
  for (let time = 0; time < 6; time += 1) expect((await resync(slug)).outcome).toBe('failed')
  expect(await targetOf(slug)).toMatchObject({ state: 'server_error', liveness: { checks7d: 2, uptime7d: 0.5 } })
  expect((await mineOf(stage, 1, slug)).status).toBe('live')
})

test('a probe at publish or activate is not a check', async () => {
  const slug = await watched('Quiet')
  expect((await targetOf(slug)).liveness.checks7d).toBe(1)
})
