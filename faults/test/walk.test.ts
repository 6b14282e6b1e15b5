import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { faults } from '../src/faults/index.ts'
import { seeded } from '../src/random.ts'
import { walkOne } from '../src/walk.ts'
import { openWorld, type World } from '../src/world.ts'

/** The faults of every test run, none of them on a link; `npm run faults` walks through all. */
const SHORT_WALK = [
  'rolling restart',
  'kill -9 of both facilitators at once',
  'NATS’s store wiped',
  'Postgres kill -9',
  'two leaders',
]
/** Half the load of `npm run faults`: every kind of work is still in progress at each fault. */
const REST = 2
const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))
let folder: string
let world: World

describe.skipIf(!isHere)('every invariant holds after', () => {
  beforeAll(async () => {
    folder = temporaryFolder('callboard-faults-')
    const [main, rebuild] = ['main.mjs', 'rebuild.mjs'].map((name) => join(inject('programs'), name))
    const data = inject('preparedData')
    world = await openWorld(folder, seeded(1), () => {}, { main, rebuild, data, pause: REST, withLines: false })
  }, 180_000)
  afterAll(async () => {
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 90_000)

  test.each(faults.filter(({ name }) => SHORT_WALK.includes(name)))(
    '$name',
    async (fault) => {
      expect((await walkOne(world, fault)).broken).toEqual([])
    },
    300_000,
  )
})
