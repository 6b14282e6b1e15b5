import { describe, expect, test } from 'vitest'
import { valuesOf } from './chart-values.ts'
import { weeks } from './week.ts'

describe('weeks', () => {
  const all = weeks()
  const of = (target: string) => {
    const found = all.find((week) => week.target === target)
    if (!found) throw new Error(`There is no week of ${target}.`)
    return found
  }
  const [MONDAY_4, TUESDAY_12, TUESDAY_16, THURSDAY_11, FRIDAY_10] = [4, 36, 40, 83, 106]

  test('default: a target falls to its minimum at night and never leaves its limits', () => {
    for (const { target, hours } of all) {
      const { minReplicas, maxReplicas } = valuesOf(target).autoscaling
      expect(hours[MONDAY_4], target).toBe(minReplicas)
      expect(Math.min(...hours), target).toBe(minReplicas)
      expect(Math.max(...hours), target).toBeLessThanOrEqual(maxReplicas)
    }
  })

  test('behavior: a rush scales router, gateway and facilitator up, and they scale down again', () => {
    for (const target of ['router', 'gateway', 'x402-facilitator']) {
      const { hours, overloadedMinutes } = of(target)
      expect(hours[TUESDAY_12], target).toBeGreaterThan(hours[TUESDAY_16] ?? 0)
      expect(overloadedMinutes, target).toBeLessThanOrEqual(5)
    }
  })

  test('behavior: slow sellers cost prober replicas, and no origin is late enough for its alert', () => {
    const { hours, worst } = of('liveness-prober')
    expect(hours[THURSDAY_11]).toBeGreaterThan(2)
    expect(worst.overdueSeconds).toBeLessThan(900)
  })

  test('behavior: reading history adds a second indexer, one for each chain', () => {
    const { hours } = of('chain-indexer')
    expect([hours[MONDAY_4], hours[FRIDAY_10]]).toEqual([1, 2])
  })
})
