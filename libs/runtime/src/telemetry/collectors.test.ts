import { Counter, Gauge, Registry } from 'prom-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { Collectors } from './collectors.ts'

let registry: Registry
let gauge: Gauge<'of'>
let collectors: Collectors

beforeEach(() => {
  registry = new Registry()
  const registers = [registry]
  gauge = new Gauge({ name: 'level', help: 'level', labelNames: ['of'], registers })
  const failures = new Counter({ name: 'failures_total', help: 'failures', labelNames: ['source'], registers })
  collectors = new Collectors(failures, 50)
})

const shown = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const level = (of: string, value: number) => ({ gauge, labels: { of }, value })

describe('Collectors', () => {
  test('default: every source is read again on each collection', async () => {
    let value = 0
    collectors.add('a', () => [level('a', ++value)])
    await collectors.collect()
    await collectors.collect()
    expect(await shown()).toEqual(['level{of="a"} 2', 'failures_total{source="a"} 0'])
  })

  test('behavior: a series that its source no longer reports disappears', async () => {
    let all = [level('a', 1), level('b', 1)]
    collectors.add('a', () => all)
    await collectors.collect()
    all = all.slice(1)
    await collectors.collect()
    expect(await shown()).toEqual(['level{of="b"} 1', 'failures_total{source="a"} 0'])
  })

  test('behavior: two simultaneous collections share one reading', async () => {
    let read = 0
    collectors.add('a', async () => [level('a', ++read)])
    await Promise.all([collectors.collect(), collectors.collect()])
    expect(read).toBe(1)
  })

  test('error: a failing source shows nothing, is counted, and does not block the others', async () => {
    let isUnavailable = false
    collectors.add('a', async () => {
      if (isUnavailable) throw new Error('unavailable')
      return [level('a', 1)]
    })
    collectors.add('b', () => [level('b', 2)])
    await collectors.collect()
    isUnavailable = true
    await collectors.collect()
    expect(await shown()).toEqual(['level{of="b"} 2', 'failures_total{source="a"} 1', 'failures_total{source="b"} 0'])
  })

  test('error: a slow source shows nothing until it is done, and is not read a second time meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    collectors.add('a', async () => {
      asked++
      await promise
      return [level('a', 1)]
    })
    await collectors.collect()
    await collectors.collect()
    expect(asked).toBe(1)
    expect(await shown()).toEqual(['failures_total{source="a"} 2'])
    resolve()
    await collectors.collect()
    expect(await shown()).toContain('level{of="a"} 1')
  })
})
