import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { serverFolder } from '@callboard/testkit/folder'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type MoneyOutcome, walkMoney } from '../src/money/walk.ts'

const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))
const CALLS = 400
const KILLS = 6
let folder: string
let outcome: MoneyOutcome

/** A small version of `npm run faults -- router-money`. */
describe.skipIf(!isHere)('400 calls over two Routers and a gateway, with six kills on the way', () => {
  beforeAll(async () => {
    folder = serverFolder('callboard-money-')
    await copyPrepared(inject('preparedData'), folder)
    outcome = await walkMoney({
      ...{ folder, seed: 11, calls: CALLS, atOnce: 32, main: join(inject('programs'), 'main.mjs') },
      ...{ gateways: 1, routers: 2, many: { buyers: 0, credited: 6, linked: 3, wallets: 2 } },
      ...{
        kills: { least: KILLS, most: KILLS },
        everyMs: [150, 500],
        serverFaults: 0,
        patienceMs: 3_000,
        log: () => {},
      },
    })
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('at every moment spent + held ≤ purchased; at the end nothing is held, charged twice or credited twice', () => {
    expect(outcome.faults).toEqual([])
  })

  test('the walk was thorough: calls ended in every way, processes died, and the books were read throughout', () => {
    const { evidence, kills, watcher } = outcome
    const names = new Set(evidence.attempts.map(({ call }) => call.name))
    expect(names.size).toBeGreaterThanOrEqual(CALLS)
    expect(kills.processes).toBe(KILLS)
    expect(watcher.looks).toBeGreaterThan(KILLS)
    const endings = new Set(evidence.calls.map(({ ending }) => ending))
    for (const ending of ['completed', 'broken', 'failed_before_output']) expect(endings).toContain(ending)
    expect(evidence.attempts.some(({ seen }) => seen === 'whole')).toBe(true)
    expect(evidence.payments.handedIn.some(({ outcome: of }) => of === 'settled')).toBe(true)
  })
})
