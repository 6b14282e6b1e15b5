import { expect, test } from 'vitest'
import { Availability } from './availability.ts'
import type { Deployment } from './release.ts'

const state = (name: string, replicas: number, availableReplicas?: number): Deployment => ({
  metadata: { name, generation: 1, labels: {} },
  spec: { replicas, template: {}, strategy: {} },
  status: availableReplicas === undefined ? {} : { availableReplicas },
})

test('default: the lowest state is kept, however many come after it', () => {
  const seen = new Availability()
  for (const [replicas, available] of [
    [5, 5],
    [2, 4],
    [5, 5],
  ] as const)
    seen.see(state('router', replicas, available))
  expect(seen.least('router')).toEqual({ name: 'router', available: 4, wanted: 2 })
})

test('behavior: a state without availableReplicas counts as zero', () => {
  const seen = new Availability()
  seen.see(state('router', 3))
  expect(seen.least('router').available).toBe(0)
})

test('behavior: below names the Deployments that fell under their floor', () => {
  const seen = new Availability()
  seen.see(state('router', 3, 2))
  seen.see(state('gateway', 3, 3))
  expect(seen.below(() => 3).map(({ name }) => name)).toEqual(['router'])
  expect(seen.below((name) => (name === 'router' ? 2 : 3))).toEqual([])
})

test('error: a Deployment of which no state was seen', () => {
  expect(() => new Availability().least('router')).toThrow('No state of router was seen.')
})
