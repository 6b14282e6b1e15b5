import { afterAll, beforeAll } from 'vitest'
import { stock } from '../../services/all/test/payments/stock.ts'
import { type Arena, oneProcess } from './attacks/arena.ts'
import { SMALL_BUDGET } from './attacks/gas-for-nothing.ts'
import { attacks } from './attacks/index.ts'

let arena: Arena

beforeAll(async () => {
  arena = await oneProcess(SMALL_BUDGET)
}, 120_000)
afterAll(() => arena?.close(), 60_000)

stock(() => arena.doors)
attacks(() => arena)
