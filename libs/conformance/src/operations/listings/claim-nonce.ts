import { listings } from '@callboard/contract'
import { parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const ORIGIN = 'https://api.example'
const path = (origin: string, wallet: string) =>
  `/api/call/listings/claim-nonce?origin=${encodeURIComponent(origin)}&wallet=${wallet}`

export const claimNonce: Register = (target) => {
  staged(target, 'returns the EIP-4361 message of a claim, with the origin and the account', async ({ visitor }) => {
    const { address } = visitor.account
    const { host, origin } = new URL(target().baseUrl)
    const answer = accepted(listings.claimNonce, await visitor.api.get(path(ORIGIN, address.toLowerCase())))
    expectFields(answer, ['message'])
    const said = parseSiweMessage(answer.message)
    expect(said).toMatchObject({ domain: host, uri: origin, address, version: '1' })
    expect(said.resources?.[0]).toBe(ORIGIN)
    expect(said.resources?.[1]).toContain(visitor.account.address)
  })

  staged(target, 'every message is new', async ({ visitor }) => {
    const ask = async () =>
      accepted(listings.claimNonce, await visitor.api.get(path(ORIGIN, visitor.account.address))).message
    expect(await ask()).not.toBe(await ask())
  })

  staged(target, '400 names the field: an origin must be bare and https', async ({ visitor }) => {
    const { address } = visitor.account
    for (const origin of [
      'api.example',
      'https://api.example/',
      'https://api.example/v1',
      'https://api.example?a=1',
      'https://user@api.example',
      'https://API.example',
      'https://api.example:443',
      'ftp://api.example',
      'http://api.example',
    ]) {
      refused(listings.claimNonce, await visitor.api.get(path(origin, address)), 400, 'invalid_request', 'origin')
    }
    refused(listings.claimNonce, await visitor.api.get(path(ORIGIN, '0x12')), 400, 'invalid_request', 'wallet')
  })

  test('401 unauthorized: without a credential', async () => {
    const client = new Client(target().baseUrl)
    refused(listings.claimNonce, await client.get(path(ORIGIN, `0x${'11'.repeat(20)}`)), 401, 'unauthorized')
  })
}
