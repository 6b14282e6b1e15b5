import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, wallet } from '@callboard/testkit'
import { type FacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import type { Network, SchemeNetworkServer, SupportedKind } from '@x402/core/types'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start()
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

/** A seller configured like stock servers, with our facilitator behind it. */
function seller(scheme: SchemeNetworkServer, extra: Record<string, unknown> = {}): x402HTTPResourceServer {
  const unused = () => Promise.reject(new Error('nothing is sold in this test'))
  const facilitator: FacilitatorClient = {
    verify: unused,
    settle: unused,
    getSupported: async () => (await services.call(operations.supported, {})) as never,
  }
  const { usdc } = exchange.devnet
  const network = exchange.network as Network
  const price = { asset: usdc.address, amount: '1000', extra: { name: usdc.name, version: usdc.version } }
  const accepts = { scheme: scheme.scheme, network, payTo: wallet(5).address, price, extra }
  return new x402HTTPResourceServer(new x402ResourceServer(facilitator).register(network, scheme), {
    'GET /paid': { accepts },
  })
}

/** The stock scheme of a seller that uses the stock servers' hook to check the facilitator's `extra` at start. */
class CheckedExactScheme extends ExactEvmScheme {
  readonly #method: string

  constructor(method: string) {
    super()
    this.#method = method
  }

  validateFacilitatorSupport(_network: Network, { extra }: SupportedKind): string | undefined {
    const methods = extra?.assetTransferMethods
    if (Array.isArray(methods) && methods.includes(this.#method)) return undefined
    return `the facilitator does not settle by ${this.#method}`
  }
}

describe('a stock seller that starts with our facilitator', () => {
  test('starts with exact', async () => {
    await expect(seller(new ExactEvmScheme()).initialize()).resolves.toBeUndefined()
  })

  test.each([
    ['upto', () => new UptoEvmScheme()],
    ['batch-settlement', () => new BatchSettlementEvmScheme(wallet(5).address)],
  ])('fails with %s, which we do not list', async (scheme, make) => {
    await expect(seller(make() as SchemeNetworkServer).initialize()).rejects.toThrow(
      new RegExp(`does not support.*${scheme}|${scheme}.*does not support|${scheme}`),
    )
  })

  test('fails with permit2 where its scheme checks what the facilitator accepts, and starts with eip3009', async () => {
    const permit2 = seller(new CheckedExactScheme('permit2'), { assetTransferMethod: 'permit2' })
    await expect(permit2.initialize()).rejects.toThrow('the facilitator does not settle by permit2')
    await expect(seller(new CheckedExactScheme('eip3009')).initialize()).resolves.toBeUndefined()
  })
})
