import { expect, test } from 'vitest'
import { middleOf } from '../../src/router/rounds.ts'

test('each quantity has its own median over the rounds', () => {
  const load = (perSecond: number, p99: number, gateway: number) => ({
    ...{ perSecond, p50: 1, p99, firstByteP50: 1 },
    cpuMicros: { gateway },
  })
  expect(middleOf([load(10, 3, 200), load(30, 1, 100), load(20, 2, 300)])).toMatchObject({
    ...{ perSecond: 20, p99: 2, cpuMicros: { gateway: 200 } },
  })
})
