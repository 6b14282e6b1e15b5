import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { expectHead } from '../../expectations/aliases.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/router/receipt-keys'

export const receiptKeys: Register = (target) => {
  const client = () => new Client(target().baseUrl)

  test('shows anyone public Ed25519 keys, each with its own name, and nothing that can sign', async () => {
    const { keys } = accepted(router.receiptKeys, await client().get(PATH))
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
    for (const { x } of keys) expect(Buffer.from(x, 'base64url')).toHaveLength(32)
  })

  test('HEAD answers as GET does', () => expectHead(client(), PATH))

  test('400 names the field: it takes no parameters', async () => {
    refused(router.receiptKeys, await client().get(`${PATH}?a=1`), 400, 'invalid_request', 'a')
  })
}
