import { afterAll, beforeAll, describe, inject } from 'vitest'
import { type Arena, onReplicas } from './attacks/arena.ts'
import { SMALL_BUDGET } from './attacks/gas-for-nothing.ts'
import { attacks } from './attacks/index.ts'

const isHere = Boolean(inject('natsUrl') && inject('redisUrl'))
let arena: Arena

describe.skipIf(!isHere)('two processes of every service that is attacked', () => {
  beforeAll(async () => {
    arena = await onReplicas(SMALL_BUDGET)
  }, 180_000)
  afterAll(() => arena?.close(), 90_000)

  attacks(() => arena)
})
