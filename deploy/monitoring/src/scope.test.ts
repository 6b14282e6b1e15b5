import { describe, expect, test } from 'vitest'
import { scoped } from './scope.ts'

describe('scoped', () => {
  test.each([
    ['sum(rate(a[5m]))', 'sum by (cluster, namespace, release) (rate(a[5m]))'],
    ['max by (x) (a)', 'max by (cluster, namespace, release, x) (a)'],
    ['a unless on () b', 'a unless on (cluster, namespace, release) b'],
    ['absent(a)', 'absent(a)'],
  ])('default: %s separates instances', (expr, expected) => {
    expect(scoped(expr)).toBe(expected)
  })

  test.each([
    ['a', 'a{namespace="m"}'],
    ['a{} > %{n}', 'a{namespace="m"} > %{n}'],
    ['a{b="c"}', 'a{namespace="m", b="c"}'],
    ['rate(a[%{window}])', 'rate(a{namespace="m"}[%{window}])'],
    ['rate(a{b="c"}[$__rate_interval])', 'rate(a{namespace="m", b="c"}[$__rate_interval])'],
    ['vector(1)', 'vector(1)'],
  ])('behavior: %s is limited to one instance', (expr, expected) => {
    expect(scoped(expr, 'namespace="m"')).toBe(expected)
  })

  test('error: an expression that is not PromQL', () => {
    expect(() => scoped('sum by (a rate(b))')).toThrow('not PromQL')
  })
})
