import { describe, expect, test } from 'vitest'
import { picks, samplesOf } from './exposition.ts'
import { askedBy } from './selectors.ts'

describe('askedBy', () => {
  test('default: returns every metric with its matchers, and the grouping labels', () => {
    expect(askedBy('sum by (le, job) (rate(a_bucket{le="0.25", op=~"x.+"}[5m])) / on (job) b')).toEqual({
      selectors: [
        {
          metric: 'a_bucket',
          matchers: [
            { label: 'le', op: '=', value: '0.25' },
            { label: 'op', op: '=~', value: 'x.+' },
          ],
        },
        { metric: 'b', matchers: [] },
      ],
      grouping: ['le', 'job', 'job'],
    })
  })
  test('error: an expression that is not PromQL', () => {
    expect(() => askedBy('sum by (a rate(b))')).toThrow('not PromQL')
  })
  test('error: a selector that names no metric', () => {
    expect(() => askedBy('{job="a"}')).toThrow('without a metric')
  })
})

describe('picks', () => {
  const [sample] = samplesOf('# HELP a a\na{state="busy",service="it\\"s"} 3\n')
  if (!sample) throw new Error('no sample was read')
  test.each([
    ['a', true],
    ['b', false],
    ['a{state="busy"}', true],
    ['a{state="idle"}', false],
    ['a{state!="idle"}', true],
    ['a{state=~"idle|bus"}', false],
    ['a{state=~"idle|busy"}', true],
    ['a{state!~"bu.*"}', false],
    ['a{other=""}', true],
  ])('behavior: %s: %s', (expr, expected) => {
    const [selector] = askedBy(expr).selectors
    expect(selector && picks(selector, sample)).toBe(expected)
  })
})
