import { expect, test } from 'vitest'
import { z } from 'zod'
import { nullsAbsent } from './absent.ts'

const Resource = nullsAbsent(z.looseObject({ url: z.string(), note: z.string().optional() }))

test('default: members that are null count as absent, and others stay as they are', () => {
  const given = { url: '/weather', note: null, price: 0, more: '', kept: undefined, deep: { a: null } }
  expect(Resource.parse(given)).toStrictEqual({
    url: '/weather',
    price: 0,
    more: '',
    kept: undefined,
    deep: { a: null },
  })
})

test('behavior: does not change its input', () => {
  const given = Object.freeze({ url: '/weather', note: null })
  Resource.parse(given)
  expect(given).toStrictEqual({ url: '/weather', note: null })
})

test('error: a required member that is null is missing', () => {
  expect(Resource.safeParse({ url: null }).success).toBe(false)
})

test.each([null, undefined, 'text', 7, [null]])('error: %j stays as it is, and is not an object', (given) => {
  expect(Resource.safeParse(given).success).toBe(false)
  expect(nullsAbsent(z.unknown()).parse(given)).toStrictEqual(given)
})
