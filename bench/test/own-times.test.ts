import { expect, test } from 'vitest'
import type { Span } from '../src/payment-tail/collector.ts'
import { ownTimes } from '../src/payment-tail/own-times.ts'

const span = (name: string, start: number, end: number, parent?: string): Span => ({
  ...{ trace: 't', id: name, parent },
  ...{ name, start, end },
})

test('each moment belongs to the innermost span, and the moments add up to the root’s time', () => {
  const root = span('request', 0, 10)
  const times = ownTimes(root, [
    ...[root, span('call', 1, 9, 'request'), span('sql', 2, 4, 'call'), span('sql', 5, 6, 'call')],
    span('behind', 9, 20, 'request'),
  ])
  expect(Object.fromEntries(times)).toEqual({ request: 1, call: 5, sql: 3, behind: 1 })
  expect([...times.values()].reduce((sum, one) => sum + one)).toBe(10)
})

test('when spans begin together the inner one gets the time, whatever their order', () => {
  const root = span('request', 0, 10)
  const [call, process] = [span('call', 0, 10, 'request'), span('process', 0, 10, 'call')]
  expect(Object.fromEntries(ownTimes(root, [process, call, root]))).toEqual({ process: 10 })
})

test('spans before or after the root do not count', () => {
  const root = span('request', 5, 6)
  expect(Object.fromEntries(ownTimes(root, [root, span('earlier', 0, 5), span('later', 6, 7)]))).toEqual({ request: 1 })
})
