import { afterAll, beforeAll } from 'vitest'
import { Instance } from './instance.ts'
import { Doors } from './payments/doors.ts'
import { header } from './payments/header.ts'
import { identifier } from './payments/identifier.ts'
import { once } from './payments/once.ts'
import { refused } from './payments/refused.ts'
import { stock } from './payments/stock.ts'

const instance = new Instance()
let opened: Doors

beforeAll(async () => {
  await instance.start()
  opened = await Doors.of(instance, instance.devnet)
}, 120_000)
afterAll(() => instance.dispose())

for (const register of [refused, once, identifier, header, stock]) register(() => opened)
