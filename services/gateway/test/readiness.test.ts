import { routes, type TaskReadiness } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

const read = async () => (await (await fetch(`${edge.base}/api/tasks/readiness`)).json()) as TaskReadiness

test('is degraded when services do not answer: their operations are not ready, and each says why', async () => {
  const { status, services, operations, networks } = await read()
  expect(status).toBe('degraded')
  expect(services.filter(({ ready }) => ready).map(({ service }) => service)).toEqual(['oauth'])
  expect(services.find(({ service }) => service === 'catalog')?.reason).toMatch(/unavailable/)
  expect(new Set(operations.filter(({ ready }) => ready).map(({ id }) => id.split('.')[0]))).toEqual(new Set(['oauth']))
  expect(operations).toHaveLength(routes().length)
  expect(networks).toBeNull()
})

test('names no part that does not run: clients of earlier versions read the member', async () => {
  expect((await read()).notRunning).toEqual([])
})

test('many concurrent readers cost one check, and a later one sees a new result', async () => {
  const first = await read()
  const many = await Promise.all(Array.from({ length: 20 }, read))
  expect(new Set(many.map(({ checkedAt }) => checkedAt)).size).toBeLessThanOrEqual(2)
  await until('it was looked at again', async () => (await read()).checkedAt !== first.checkedAt)
})
