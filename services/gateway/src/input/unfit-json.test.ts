import { expect, test } from 'vitest'
import { unfitJson } from './unfit-json.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

test.each<[unknown, string | undefined]>([
  [{ name: 'good', tags: ['a', 'b'], more: { n: 1, nothing: null, is: true } }, undefined],
  [{ name: 'a\0b' }, 'name'],
  [{ name: 'half \ud800' }, 'name'],
  [{ name: 'whole \ud83d\ude00' }, undefined],
  [{ list: ['good', { deep: '\0' }] }, 'list.1.deep'],
  [{ 'a\0': 1 }, ''],
  [{ payload: { '\udfff': 1 } }, 'payload'],
  [undefined, undefined],
])('%j: %s', (value, field) => {
  expect(unfitJson(value)?.field).toBe(field)
})

test('64 levels are accepted; more are not, however many', () => {
  expect(unfitJson({ a: nested(64) })).toBeUndefined()
  for (const levels of [65, 100_000]) expect(unfitJson({ a: nested(levels) })?.reason).toContain('deeper than 64')
})
