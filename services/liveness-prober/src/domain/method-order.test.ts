import { expect, test } from 'vitest'
import { allowedMethods, isBeforeTheGate, nextMethod, saysMore, takesBody } from './method-order.ts'

test.each([
  ['GET', false],
  ['POST', true],
  ['PUT', true],
  ['PATCH', true],
  ['DELETE', false],
] as const)('%s takes a body: %s', (method, takes) => {
  expect(takesBody(method)).toBe(takes)
})

test.each([
  [200, false],
  [302, false],
  [400, true],
  [401, false],
  [402, false],
  [403, false],
  [404, true],
  [405, true],
  [410, false],
  [415, true],
  [422, true],
  [429, false],
  [500, false],
  [501, true],
  [503, false],
])('a %i may come from before the gate: %s', (status, isBefore) => {
  expect(isBeforeTheGate(status)).toBe(isBefore)
})

test.each([404, 405, 501])('any answer but that of a wrong method says more than a %i', (than) => {
  expect([200, 400, 401, 422, 500].map((status) => saysMore(status, than))).toEqual(Array(5).fill(true))
  expect([404, 405, 501].map((status) => saysMore(status, than))).toEqual([false, false, false])
})

test('no answer says more than one to the right method', () => {
  expect([200, 404, 422].flatMap((status) => [400, 415, 422].map((than) => saysMore(status, than)))).toEqual(
    Array(9).fill(false),
  )
})

test.each([
  ['GET, DELETE,PATCH , PUT POST', ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']],
  ['get, post', ['POST', 'GET']],
  [
    ['GET', 'PUT'],
    ['PUT', 'GET'],
  ],
  ['HEAD, OPTIONS, TRACE', []],
  ['POSTED, FORGET', []],
  ['', []],
  [undefined, []],
])('allowedMethods: %j names %j, in the order to try them', (allow, methods) => {
  expect(allowedMethods(allow)).toEqual(methods)
})

test.each([
  [['POST', 'GET'], 'PUT', 'POST'],
  [['GET', 'DELETE'], 'PUT', 'DELETE'],
  [['GET'], 'PUT', 'PUT'],
  [['GET'], undefined, 'POST'],
  [[], 'GET', 'GET'],
  [[], undefined, 'POST'],
] as const)('after a GET, with %j allowed and %s documented, %s comes next', (allowed, documented, next) => {
  expect(nextMethod(allowed, documented)).toBe(next)
})
