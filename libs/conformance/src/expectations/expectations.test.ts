import { catalog, listings } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../actors/client.ts'
import { expectFields, expectRefusal, expectShape, refused } from './expectations.ts'

const answer = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': '1',
    'x-content-type-options': 'nosniff',
    ...headers,
  }),
  text: JSON.stringify(body),
  json: () => body,
})

describe('expectShape', () => {
  const Shape = z.object({ items: z.array(z.object({ ref: z.string() })) })

  test('default: returns a value that fits the schema', () => {
    expect(expectShape(Shape, { items: [{ ref: 'a' }] })).toEqual({ items: [{ ref: 'a' }] })
  })

  test('error: a member that the schema lacks, at any depth', () => {
    expect(() => expectShape(Shape, { items: [], more: 1 })).toThrow(/members beyond the schema/)
    expect(() => expectShape(Shape, { items: [{ ref: 'a', more: null }] })).toThrow(/members beyond the schema/)
  })

  test('error: a missing member', () => {
    expect(() => expectShape(Shape, { items: [{}] })).toThrow(/does not fit/)
  })
})

test('expectFields: error: an additional or a missing member', () => {
  expectFields({ b: 1, a: 2 }, ['a', 'b'])
  expect(() => expectFields({ a: 1, b: 2 }, ['a'])).toThrow()
  expect(() => expectFields({ a: 1 }, ['a', 'b'])).toThrow()
})

describe('refused', () => {
  const body = { error: 'mirrored', message: 'No.' }

  test('error: a code that the operation does not declare', () => {
    refused(listings.resync, answer(409, body), 409, 'mirrored')
    expect(() => refused(catalog.entry, answer(409, body), 409, 'mirrored')).toThrow()
  })

  test('error: a stack in the body, a cacheable refusal, a 401 without challenge', () => {
    const leaking = { ...body, message: 'Error: no at work (/app/src/work.ts:1:2)' }
    expect(() => expectRefusal(answer(409, leaking), 409, 'mirrored')).toThrow()
    const cacheable = answer(409, body, { 'cache-control': 'public' })
    expect(() => expectRefusal(cacheable, 409, 'mirrored')).toThrow()
    expect(() => expectRefusal(answer(401, body), 401, 'mirrored')).toThrow()
  })
})
