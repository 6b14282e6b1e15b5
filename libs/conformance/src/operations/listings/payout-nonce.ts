import { listings } from '@callboard/contract'
import { parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/listings/payout-nonce'

export const payoutNonce: Register = (target) => {
  staged(target, 'returns only the nonce without a wallet', async ({ visitor }) => {
    const { nonce, message, expiresAt } = accepted(listings.payoutNonce, await visitor.api.get(PATH))
    expect(nonce).toMatch(/^[A-Za-z0-9]{8,}$/)
    expect(message).toBeNull()
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  })

  staged(
    target,
    'returns the whole EIP-4361 message with a wallet, bound to this host',
    async ({ visitor, devnet }) => {
      const { address } = visitor.account
      const { host, origin } = new URL(target().baseUrl)
      const answer = await visitor.api.get(`${PATH}?wallet=${address.toLowerCase()}`)
      const { nonce, message, expiresAt } = accepted(listings.payoutNonce, answer)
      const said = parseSiweMessage(message ?? '')
      expect(said).toMatchObject({ domain: host, uri: origin, address, nonce, version: '1', chainId: devnet.chainId })
      expect(said.expirationTime?.toISOString()).toBe(expiresAt)
    },
  )

  staged(target, 'every nonce is new', async ({ visitor }) => {
    const ask = async () => accepted(listings.payoutNonce, await visitor.api.get(PATH)).nonce
    expect(await ask()).not.toBe(await ask())
  })

  staged(target, '400 names the field', async ({ visitor }) => {
    refused(listings.payoutNonce, await visitor.api.get(`${PATH}?wallet=0x12`), 400, 'invalid_request', 'wallet')
    refused(listings.payoutNonce, await visitor.api.get(`${PATH}?purpose=link`), 400, 'invalid_request', 'purpose')
  })

  test('401 unauthorized: without a credential', async () => {
    refused(listings.payoutNonce, await new Client(target().baseUrl).get(PATH), 401, 'unauthorized')
  })
}
