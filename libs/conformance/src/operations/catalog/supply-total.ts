import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/supply/total'

export const supplyTotal: Register = (target) => {
  test('GET answers with a plain decimal number, HEAD with the same headers and no body', async () => {
    const url = `${target().baseUrl}${PATH}`
    const supply = accepted(catalog.supplyTotal, await new Client(target().baseUrl).get(PATH))
    expect(supply).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      ...[200, 'text/plain; charset=utf-8', ''],
    ])
  })

  test('400 names the field: an unknown parameter', async () => {
    const answer = await new Client(target().baseUrl).get(`${PATH}?network=a`)
    refused(catalog.supplyTotal, answer, 400, 'invalid_request', 'network')
  })
}
