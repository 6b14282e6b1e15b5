import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { fund, newAccount, reader } from '../../actors/chain.ts'
import { Client } from '../../actors/client.ts'
import { deploySplitter, splitterOf } from '../../actors/provider.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/call/listings/splitters'

export const splitters: Register = (target) => {
  staged(target, 'returns the fee and a state for every network, exactly as specified', async ({ visitor, devnet }) => {
    const answer = await visitor.api.get(`${PATH}?wallet=${newAccount().address}`)
    const body = accepted(listings.splitters, answer)
    expectFields(body, FIELDS.splitters)
    expect(body.feeBp).toBe(500)
    for (const state of body.networkStates) expectFields(state, FIELDS.networkState)
    expect(body.networkStates).toContainEqual(
      expect.objectContaining({
        network: devnet.network,
        chainId: devnet.chainId,
        usdcAddress: devnet.usdc.address,
        deployed: false,
        balanceWei: '0',
        balanceUsdc: '0',
      }),
    )
  })

  staged(target, 'the given transaction deploys the splitter at the predicted address', async ({ visitor, devnet }) => {
    const wallet = newAccount()
    await fund(devnet, wallet.address, { wei: 10n ** 17n })
    const before = await splitterOf(visitor.api, devnet, wallet.address)
    expect(before.deploy.to).toBe(before.factoryAddress)
    const code = () => reader(devnet).getCode({ address: before.splitterAddress })
    expect(await code()).toBeUndefined()
    await deploySplitter(devnet, wallet, before)
    expect(await code()).toMatch(/^0x.{2,}/)
    const after = await splitterOf(visitor.api, devnet, wallet.address)
    expect(after).toEqual({ ...before, deployed: true })
  })

  staged(target, 'money sent before and after deployment counts in its balance', async ({ visitor, devnet }) => {
    const { address } = newAccount()
    const { splitterAddress } = await splitterOf(visitor.api, devnet, address)
    await fund(devnet, splitterAddress, { usdc: 1_234_567n })
    const { balanceWei, balanceUsdc } = await splitterOf(visitor.api, devnet, address)
    expect([balanceWei, balanceUsdc]).toEqual(['1234567', '1.234567'])
  })

  staged(target, 'a wallet is the same in any letter case', async ({ visitor, devnet, provider, splitter }) => {
    const { address } = provider.account
    const lower = await splitterOf(visitor.api, devnet, address.toLowerCase() as `0x${string}`)
    expect(lower.splitterAddress).toBe(splitter.splitterAddress)
  })

  staged(target, '400 names the field', async ({ visitor }) => {
    for (const query of ['', '?wallet=0x1234', '?wallet=']) {
      refused(listings.splitters, await visitor.api.get(`${PATH}${query}`), 400, 'invalid_request', 'wallet')
    }
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).get(`${PATH}?wallet=${newAccount().address}`)
    refused(listings.splitters, answer, 401, 'unauthorized')
  })
}
