import { Counter, Gauge, Registry } from 'prom-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { Readings } from './readings.ts'

let registry: Registry
let gauge: Gauge<'of'>
let readings: Readings

beforeEach(() => {
  registry = new Registry()
  const registers = [registry]
  gauge = new Gauge({ name: 'level', help: 'level', labelNames: ['of'], registers })
  const failures = new Counter({ name: 'failures_total', help: 'failures', labelNames: ['source'], registers })
  readings = new Readings(failures, 50)
})

const shown = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const level = (of: string, value: number) => ({ gauge, labels: { of }, value })

describe('Readings', () => {
  test('default: every source is read anew each time', async () => {
    let value = 0
    readings.add('a', () => [level('a', ++value)])
    await readings.take()
    await readings.take()
    expect(await shown()).toEqual(['level{of="a"} 2', 'failures_total{source="a"} 0'])
  })

  test('behavior: what a source no longer reports is gone', async () => {
    let all = [level('a', 1), level('b', 1)]
    readings.add('a', () => all)
    await readings.take()
    all = all.slice(1)
    await readings.take()
    expect(await shown()).toEqual(['level{of="b"} 1', 'failures_total{source="a"} 0'])
  })

  test('behavior: two that ask at once get one reading', async () => {
    let read = 0
    readings.add('a', async () => [level('a', ++read)])
    await Promise.all([readings.take(), readings.take()])
    expect(read).toBe(1)
  })

  test('error: a source that fails shows nothing, is counted, and holds up no other', async () => {
    let isUnavailable = false
    readings.add('a', async () => {
      if (isUnavailable) throw new Error('unavailable')
      return [level('a', 1)]
    })
    readings.add('b', () => [level('b', 2)])
    await readings.take()
    isUnavailable = true
    await readings.take()
    expect(await shown()).toEqual(['level{of="b"} 2', 'failures_total{source="a"} 1', 'failures_total{source="b"} 0'])
  })

  test('error: a source that is late shows nothing until it is done, and is not asked a second time meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    readings.add('a', async () => {
      asked++
      await promise
      return [level('a', 1)]
    })
    await readings.take()
    await readings.take()
    expect(asked).toBe(1)
    expect(await shown()).toEqual(['failures_total{source="a"} 2'])
    resolve()
    await readings.take()
    expect(await shown()).toContain('level{of="a"} 1')
  })
})
