import {
  accountOf,
  authorize,
  facilitatorRequest,
  type Hex,
  type LocalAccount,
  newAccount,
  newNonce,
  paymentPayload,
  requirementOf,
  transfersFrom,
  writer,
} from '@callboard/conformance'
import { until } from '@callboard/testkit'
import { type Account, encodeFunctionData, parseAbi, parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Arena } from './arena.ts'

const USDC = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])
/** Blocks after which the node reports one as finalized. */
const FINALIZED_AFTER = 64
/** Code that reverts every call, which EIP-7702 can give a payer. */
const DENIES = '0x60006000fd'

/** What may happen to a payment between its signature and a final block. */
export const unsettled = (arena: () => Arena) => {
  const doors = () => arena().doors
  const asked = () => doors().asked
  const devnet = () => doors().devnet
  const node = () => doors().node()

  async function payment(payer: LocalAccount, nonce: Hex = newNonce()) {
    const signed = await authorize(payer, asked(), { authorization: { nonce } })
    return { payload: paymentPayload(asked(), signed), request: facilitatorRequest(asked(), signed) }
  }
  const inPool = () =>
    until('the settlement is in the pool', async () => {
      const { pending } = await node().getTxpoolStatus()
      return pending > 0
    })

  /** Sends a transaction with a higher fee than ours, so that it precedes ours in the next block. */
  const overtake = (from: Account, data: Hex) =>
    writer(devnet(), from).sendTransaction({
      to: devnet().usdc.address,
      data,
      gas: 200_000n,
      maxFeePerGas: parseGwei('100'),
      maxPriorityFeePerGas: parseGwei('100'),
    })

  async function cancelling(payer: LocalAccount, nonce: Hex): Promise<Hex> {
    const { usdc, chainId } = devnet()
    const signature = await payer.signTypedData({
      domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: payer.address, nonce },
    })
    const args = [payer.address, nonce, signature] as const
    return encodeFunctionData({ abi: USDC, functionName: 'cancelAuthorization', args })
  }

  describe('5: between verification and settlement', () => {
    type Change = (payer: LocalAccount, nonce: Hex) => Promise<unknown>
    const passerBy = () => accountOf(devnet(), 6)
    // While anyone who has read an authorization may still use it, its payment is unknown.
    test.each<[what: string, change: Change, end?: 402]>([
      [
        'moves its money away',
        async (payer) => {
          await node().setBalance({ address: payer.address, value: 10n ** 18n })
          const args = [newAccount().address, 1_000_000n] as const
          return overtake(payer, encodeFunctionData({ abi: USDC, functionName: 'transfer', args }))
        },
      ],
      ['cancels', async (payer, nonce) => overtake(passerBy(), await cancelling(payer, nonce)), 402],
      ['gets code', (payer) => node().setCode({ address: payer.address, bytecode: DENIES })],
    ])('the payer %s: no grant, and 503 for as long as the payment may still be used', async (_what, change, end) => {
      const payer = await doors().walletWith(1_000_000n)
      const nonce = newNonce()
      const { payload } = await payment(payer, nonce)
      await node().setAutomine(false)
      try {
        const buying = doors().decode(payload)
        await inPool()
        await change(payer, nonce)
        await node().mine({ blocks: 1 })
        expect((await buying).status).toBe(503)
      } finally {
        await node().setAutomine(true)
      }
      if (end) {
        await node().mine({ blocks: FINALIZED_AFTER })
        const over = await until('its end is final', async () => {
          const answer = await doors().decode(payload)
          return answer.status === end && answer
        })
        expect(over.evidence).toMatchObject({ success: false, payer: payer.address })
      }
      const moved = await transfersFrom(devnet(), payer.address)
      expect(moved.filter(({ to }) => to === asked().payTo)).toEqual([])
    })
  })

  describe('3: after a successful settlement', () => {
    test('a repeated payment gets the stored answer, even from processes that were killed meanwhile', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const { payload, request } = await payment(payer)
      const first = await doors().decode(payload)
      expect(first).toMatchObject({ status: 200, evidence: { success: true } })
      await arena().killSettlers()
      const repeated = await Promise.all(Array.from({ length: 8 }, () => doors().decode(payload)))
      for (const answer of repeated) expect(answer).toEqual(first)
      expect((await doors().settle(request)).body).toMatchObject({ transaction: first.evidence?.transaction })
      expect(await transfersFrom(devnet(), payer.address)).toHaveLength(1)
    })
  })

  describe('7: a node that goes silent once it has the transaction', () => {
    test('503 and not 402; the same payment is later granted, having been signed and settled once', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const { payload } = await payment(payer)
      let has = false
      arena().chain.lie = {
        async http(calls, res) {
          if (!has && !calls.some(({ method }) => method.startsWith('eth_sendRawTransaction'))) return false
          if (!has) for (const { method, params } of calls) await node().request({ method, params } as never)
          has = true
          res.destroy()
          return true
        },
      }
      try {
        const answer = await doors().decode(payload)
        expect(answer.status).toBe(503)
      } finally {
        arena().chain.lie = {}
      }
      const granted = await until('it is granted', async () => {
        const answer = await doors().decode(payload)
        expect(answer.status).not.toBe(402)
        return answer.status === 200 && answer
      })
      const moved = await transfersFrom(devnet(), payer.address)
      expect(moved).toMatchObject([{ to: asked().payTo, transaction: granted.evidence?.transaction }])
    }, 60_000)
  })

  describe('8: a reorganization drops the settlement', () => {
    test('it is sent again: one transfer, and the answer already given holds', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const { payload } = await payment(payer)
      const first = await doors().decode(payload)
      expect(first.status).toBe(200)
      await node().request({ method: 'anvil_reorg', params: [1, []] } as never)
      await until('the money moved again', async () => (await transfersFrom(devnet(), payer.address)).length === 1)
      expect(await doors().decode(payload)).toEqual(first)
      expect(await transfersFrom(devnet(), payer.address)).toHaveLength(1)
    })
  })

  describe('16: a wallet that we are asked to deploy (ERC-6492)', () => {
    test('eip6492_factory_not_allowed at every entry point, and the factory is not called', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const { authorization, signature } = await authorize(payer, asked())
      const factory = newAccount().address.slice(2).padStart(64, '0')
      const offsets = [96n, 128n].map((offset) => offset.toString(16).padStart(64, '0'))
      const inner = `${'41'.padStart(64, '0')}${signature.slice(2).padEnd(192, '0')}`
      const wrapped = `0x${factory}${offsets.join('')}${'0'.padStart(64, '0')}${inner}${'6492'.repeat(16)}` as const
      const signed = { authorization, signature: wrapped }
      const request = facilitatorRequest(asked(), signed)
      const refused = 'eip6492_factory_not_allowed'
      expect((await doors().verify(request)).body).toMatchObject({ isValid: false, invalidReason: refused })
      expect((await doors().settle(request)).body).toMatchObject({ success: false, errorReason: refused })
      expect(await doors().decode(paymentPayload(asked(), signed))).toMatchObject({ status: 402 })
      expect(await transfersFrom(devnet(), payer.address)).toEqual([])
    })
  })

  describe('11: a shared cache', () => {
    test('stores neither the challenge nor the paid answer', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const { payload } = await payment(payer)
      const ask = (headers: Record<string, string>) =>
        fetch(`${doors().baseUrl}/x402/decode`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(doors().work),
        })
      const header = Buffer.from(JSON.stringify(payload)).toString('base64')
      for (const [status, answer] of [
        [402, await ask({})],
        [200, await ask({ 'payment-signature': header })],
      ] as const) {
        expect(answer.status).toBe(status)
        expect(answer.headers.get('cache-control')).toMatch(/no-store/)
        const vary = (answer.headers.get('vary') ?? '').toLowerCase()
        for (const name of ['payment-signature', 'x-payment']) expect(vary).toContain(name)
      }
    })
  })

  describe('10: a look-alike token', () => {
    test('is not settled, whatever its name, symbol and code', async () => {
      const payer = await doors().walletWith(1_000_000n)
      const copy = newAccount().address
      const code = await node().request({ method: 'eth_getCode', params: [devnet().usdc.address, 'latest'] } as never)
      await node().setCode({ address: copy, bytecode: code as Hex })
      const terms = { ...requirementOf(devnet(), asked().payTo, asked().amount), asset: copy }
      const request = facilitatorRequest(terms, await authorize(payer, terms))
      expect((await doors().settle(request)).body).toMatchObject({ errorReason: 'invalid_payment_requirements' })
      expect(await transfersFrom(devnet(), payer.address)).toEqual([])
    })
  })
}
