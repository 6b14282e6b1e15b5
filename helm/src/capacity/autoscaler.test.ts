import { describe, expect, test } from 'vitest'
import { Autoscaler, wantedBy } from './autoscaler.ts'
import type { Behavior } from './behavior.ts'

const behavior: Behavior = {
  scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 60 }] },
  scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Percent', value: 25, periodSeconds: 60 }] },
}
const average = (value: number) => [{ kind: 'average', value, target: 100 } as const]
const pods = (ready: number, starting = 0) => ({ ready, starting })

describe('wantedBy', () => {
  test('default: twice the target asks for twice as many, as in the Kubernetes documentation', () => {
    expect(wantedBy({ kind: 'utilization', percent: 200, target: 100 }, pods(3))).toBe(6)
    expect(wantedBy({ kind: 'utilization', percent: 50, target: 100 }, pods(4))).toBe(2)
  })

  test('behavior: within a tenth of the target nothing changes', () => {
    expect(wantedBy({ kind: 'value', value: 109, target: 100 }, pods(5))).toBe(5)
    expect(wantedBy({ kind: 'utilization', percent: 77, target: 70 }, pods(2)), 'a tenth exactly').toBe(2)
    expect(wantedBy({ kind: 'value', value: 111, target: 100 }, pods(5))).toBe(6)
    expect(wantedBy({ kind: 'average', value: 455, target: 100 }, pods(5))).toBe(5)
  })

  test('behavior: an average includes starting replicas, a fixed value does not', () => {
    expect(wantedBy({ kind: 'average', value: 800, target: 100 }, pods(4, 4))).toBe(8)
    expect(wantedBy({ kind: 'value', value: 200, target: 100 }, pods(4, 4))).toBe(8)
  })

  test('behavior: starting pods count as idle, so that no replica is requested twice', () => {
    expect(wantedBy({ kind: 'utilization', percent: 140, target: 70 }, pods(4, 4))).toBe(8)
    expect(wantedBy({ kind: 'utilization', percent: 280, target: 70 }, pods(4, 4))).toBe(16)
  })
})

describe('Autoscaler', () => {
  test('default: at most doubles within a minute, and stays within its limits', () => {
    const autoscaler = new Autoscaler({ minReplicas: 2, maxReplicas: 12, behavior })
    expect(autoscaler.decide(0, average(5_000), pods(2))).toBe(4)
    expect(autoscaler.decide(15, average(5_000), pods(2, 2))).toBe(4)
    expect(autoscaler.decide(60, average(5_000), pods(4))).toBe(8)
    expect(autoscaler.decide(120, average(5_000), pods(8))).toBe(12)
    expect(autoscaler.decide(180, average(5_000), pods(12))).toBe(12)
  })

  test('behavior: scales down only by a quarter, and only if the window asked for no more', () => {
    const autoscaler = new Autoscaler({ minReplicas: 2, maxReplicas: 12, behavior })
    expect(autoscaler.decide(0, average(800), pods(8))).toBe(8)
    expect(autoscaler.decide(150, average(100), pods(8))).toBe(8)
    expect(autoscaler.decide(299, average(100), pods(8))).toBe(8)
    expect(autoscaler.decide(300, average(100), pods(8))).toBe(6)
    expect(autoscaler.decide(315, average(100), pods(6))).toBe(6)
    expect(autoscaler.decide(360, average(100), pods(6))).toBe(4)
  })

  test('behavior: the highest demand decides, and a switch from a fixed number starts at that number', () => {
    const autoscaler = new Autoscaler({ minReplicas: 2, maxReplicas: 12, behavior })
    const calm = { kind: 'value', value: 0, target: 1 } as const
    expect(autoscaler.decide(0, [calm, ...average(300)], pods(3))).toBe(3)
  })
})
