import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/supply/circulating'

export const supplyCirculating: Register = (target) => {
  test('GET answers with a plain decimal number, HEAD with its head alone', async () => {
    const url = `${target().baseUrl}${PATH}`
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await answer.text()).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      ...[200, 'text/plain; charset=utf-8', ''],
    ])
  })

  test('400 names the field: an unknown parameter', async () => {
    const answer = await new Client(target().baseUrl).get(`${PATH}?network=a`)
    refused(catalog.supplyCirculating, answer, 400, 'invalid_request', 'network')
  })
}
