import { x402Facilitator } from '@callboard/contract'
import { CONFIRMATIONS, type ConfirmationPolicy } from '@callboard/x402'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { expect, test } from 'vitest'
import { reader } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/x402/supported'

export const supported: Register = (target) => {
  const get = (query = '') => new Client(target().baseUrl).get(`${PATH}${query}`)

  test('lists exact payments only, with the accounts that settle them', async () => {
    const body = accepted(x402Facilitator.supported, await get())
    expectFields(body, ['kinds', 'extensions', 'signers'])
    expect(body.kinds.length).toBeGreaterThan(0)
    expect(new Set(body.kinds.map(({ scheme }) => scheme))).toEqual(new Set(['exact']))
    expect(body.extensions).toEqual(expect.arrayContaining(['builder-code', 'payment-identifier']))
    expect(body.signers['eip155:*']?.length).toBeGreaterThan(0)
  })

  staged(target, 'lists the devnet in version 2', async ({ devnet }) => {
    const { kinds } = accepted(x402Facilitator.supported, await get())
    expect(kinds).toContainEqual(
      expect.objectContaining({
        ...{ x402Version: 2, scheme: 'exact', network: devnet.network },
        extra: expect.objectContaining({
          assetTransferMethods: ['eip3009'],
          genesisHash: (await reader(devnet).getBlock({ blockNumber: 0n })).hash,
        }),
      }),
    )
  })

  test('says for each network when a payment counts, and which confirmations an offer may request', async () => {
    const { kinds } = accepted(x402Facilitator.supported, await get())
    for (const { extra } of kinds) {
      const { confirmation } = extra as { confirmation: ConfirmationPolicy }
      expect(CONFIRMATIONS).toEqual(expect.arrayContaining([...confirmation.allowed]))
      expect(confirmation.allowed).toContain(confirmation.default)
    }
  })

  test('is readable by the stock facilitator client', async () => {
    const stock = await new HTTPFacilitatorClient({ url: `${target().baseUrl}/x402` }).getSupported()
    expect(stock).toEqual((await get()).json())
  })

  test('400 names the field: it takes no parameters', async () => {
    refused(x402Facilitator.supported, await get('?network=a'), 400, 'invalid_request', 'network')
  })
}
