import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Lifecycle } from './lifecycle.ts'
import { createLogger } from './telemetry/log.ts'

test('a stop: all steps share the grace time', async () => {
  const life = new Lifecycle({ SHUTDOWN_DELAY_MS: 0, SHUTDOWN_GRACE_MS: 400 }, createLogger('silent'))
  const given: number[] = []
  for (const _step of [1, 2, 3]) {
    life.onStopWithin(async (deadlineMs) => {
      given.push(deadlineMs)
      await wait(Math.min(deadlineMs, 250))
    })
  }
  await life.stop()
  expect(given[0]).toBeGreaterThan(300)
  expect(given[1]).toBeLessThan(200)
  expect(given[2]).toBeLessThan(20)
})

test('a stop: a step that never ends is left once the grace time is over, and the others are undone', async () => {
  const life = new Lifecycle({ SHUTDOWN_DELAY_MS: 0, SHUTDOWN_GRACE_MS: 0 }, createLogger('silent'))
  const undone: string[] = []
  life.onStop(async () => void undone.push('first'))
  for (const name of ['second', 'third']) {
    life.onStop(() => {
      undone.push(name)
      return new Promise(() => {})
    })
  }
  life.onStop(() => Promise.reject(new Error('gone')))
  await life.stop()
  expect(undone).toEqual(['third', 'second', 'first'])
})
