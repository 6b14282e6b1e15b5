import { describe, expect, test } from 'vitest'
import { ProviderError } from './provider-error.ts'
import { resultsIn } from './results-in.ts'

const calls = [{ method: 'eth_chainId' }, { method: 'eth_getLogs' }]
const results = (body: unknown, status = 200, retryAfterMs?: number) =>
  resultsIn({ status, body: typeof body === 'string' ? body : JSON.stringify(body), retryAfterMs }, calls)
const ok = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
const no = (id: unknown, error: unknown) => ({ jsonrpc: '2.0', id, error })

function faultOf(...answer: Parameters<typeof results>): ProviderError {
  try {
    throw new Error(`there are results: ${JSON.stringify(results(...answer))}`)
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
}

describe('resultsIn', () => {
  test('default: results are in the order of the calls, whatever the order of the answer', () => {
    expect(results([ok(1, []), ok(0, '0x1')])).toEqual(['0x1', []])
  })

  test('behavior: one answer to one call can come without a list', () => {
    const answer = { status: 200, body: JSON.stringify(ok(0, false)), retryAfterMs: undefined }
    expect(resultsIn(answer, calls.slice(0, 1))).toEqual([false])
  })

  test('behavior: null is a result, as of a missing block, and unrelated entries are ignored', () => {
    expect(results([null, 'x', ok(7, 1), ok(0, null), { ...ok(1, 0), error: null }])).toEqual([null, 0])
  })

  test.each<[string, unknown]>([
    ['an id is missing', [ok(0, 1)]],
    ['an id is text', [ok(0, 1), ok('1', 1)]],
    ['a result is missing', [ok(0, 1), { jsonrpc: '2.0', id: 1 }]],
    ['one answer stands for both', ok(0, 1)],
    ['it is no JSON', '<html>'],
    ['it is empty', ''],
    ['it is null', 'null'],
    ['it is a number', '1'],
  ])('error: garbage, where %s', (_where, body) => expect(faultOf(body).fault).toBe('garbage'))

  test('error: garbage names what was asked', () => {
    expect(faultOf([ok(0, 1)]).message).toContain('eth_getLogs')
  })

  test.each([201, 302, 400, 503])('error: http %i, with how long the provider asks us to wait', (status) => {
    expect(faultOf('no', status, 1_500)).toMatchObject({
      fault: 'http',
      message: `HTTP ${status}`,
      retryAfterMs: 1_500,
    })
    expect(faultOf([ok(0, 1), ok(1, 1)], status).fault).toBe('http')
  })

  test('error: rate_limited, for 429 whatever its body, with how long to wait', () => {
    const error = { code: -32000, message: 'header not found' }
    expect(faultOf(no(0, error), 429, 1_500)).toMatchObject({ fault: 'rate_limited', retryAfterMs: 1_500 })
    expect(faultOf([ok(0, 1), ok(1, 1)], 429).message).toBe('HTTP 429')
  })
})

describe('resultsIn: an error of the provider', () => {
  test.each([200, 400])('error: refused with the provider’s message, for the whole answer, under HTTP %i', (status) => {
    const error = { code: -32000, message: 'header not found' }
    expect(faultOf(no(null, error), status)).toMatchObject({ fault: 'refused', message: 'header not found' })
  })

  test('error: refused with the provider’s message, for one call of several', () => {
    const error = { code: -32000, message: 'header not found' }
    expect(faultOf([ok(0, 1), no(1, error)])).toMatchObject({ fault: 'refused', message: 'header not found' })
  })

  test('error: the message is cut after 300 characters', () => {
    expect(faultOf(no(0, { message: 'x'.repeat(301) })).message).toBe('x'.repeat(300))
  })

  test.each([{}, { message: 1 }, []])('error: refused, even without a message: %j', (error) => {
    expect(faultOf(no(0, error))).toMatchObject({ fault: 'refused', message: 'without words' })
  })

  test.each([
    'Rate limit exceeded',
    'too many requests',
    'more than 25 requests per second',
    '1 request per minute',
    'requests per day',
    'out of compute units',
    'your quota is used up',
  ])('error: rate_limited, by its message: %s', (message) => {
    expect(faultOf(no(0, { code: -32005, message })).fault).toBe('rate_limited')
  })

  test('error: rate_limited by its code alone', () => {
    expect(faultOf(no(0, { code: 429, message: 'no' })).fault).toBe('rate_limited')
    expect(faultOf(no(0, { code: '429', message: 'no' })).fault).toBe('refused')
  })

  test('error: a message about requests per block is not a rate limit', () => {
    expect(faultOf(no(0, { message: 'requests per block' })).fault).toBe('refused')
  })
})
