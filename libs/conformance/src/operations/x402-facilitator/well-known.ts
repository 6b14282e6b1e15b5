import { x402Facilitator } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/.well-known/x402'

export const wellKnown: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)

  test('lists our public resources by absolute URLs, and each of them asks for payment', async () => {
    const { version, resources } = accepted(x402Facilitator.wellKnown, await get())
    expect(version).toBe(1)
    expect(resources).toContain(new URL('/x402/decode', target().baseUrl).href)
    for (const url of resources) expect((await fetch(url, { method: 'POST' })).status).toBe(402)
  })

  test('400 names the field: it takes no parameters', async () => {
    refused(x402Facilitator.wellKnown, await get('?a=1'), 400, 'invalid_request', 'a')
  })
}
