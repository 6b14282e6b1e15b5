import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/openapi.json'

export const openapi: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)

  test('describes the decoder with its price, its input and its 402, in the form that crawlers read', async () => {
    const document = accepted(x402Facilitator.openapi, await get())
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      paths: {
        '/x402/decode': {
          post: {
            'x-payment-info': {
              price: { mode: 'fixed', currency: 'USD', amount: expect.any(String) },
              protocols: [{ x402: {} }],
            },
            requestBody: { content: { 'application/json': { schema: expect.any(Object) } } },
            responses: { 200: expect.any(Object), 402: expect.any(Object) },
          },
        },
      },
    })
    expect(Object.keys(document.paths as object)).toEqual(['/x402/decode'])
  })

  test('400 names the field: it takes no parameters', async () => {
    refused(x402Facilitator.openapi, await get('?a=1'), 400, 'invalid_request', 'a')
  })
}
