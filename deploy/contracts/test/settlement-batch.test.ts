import { artifacts, receiptOf, settlementBatchAbi } from '@callboard/evm'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import type { Address, Hex } from '@callboard/values'
import { concat, encodeAbiParameters, encodeDeployData, encodeFunctionData, pad, parseSignature, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, deployRail, mined, openChain, type TestChain } from './chain.ts'

const LEG = [
  ...EIP3009_TYPES.TransferWithAuthorization,
  { type: 'uint8' },
  { type: 'bytes32' },
  { type: 'bytes32' },
] as const
const LEG_GAS = 100_000n
const payee = account(2).address
const payers = [account(1), account(4), account(5)] as const

/** Deploys a wallet that burns all gas it is given: JUMPDEST PUSH0 JUMP, for any call. */
const GREEDY_WALLET = '0x625b5f565f526003601df3'

let anvil: Anvil
let chain: TestChain
let usdc: Awaited<ReturnType<typeof deployRail>>['usdc']
let batch: Address
let nonces = 0

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  usdc = (await deployRail(chain)).usdc
  batch = await deploy(chain, artifacts.settlementBatch)
  for (const { address } of payers) await mined(chain, usdc.write.mint([address, 1_000_000n]))
})
afterAll(() => anvil.stop())

/** The arguments of one signed transfer; `from` differs from the signer's account where it is a contract. */
async function leg(signer = payers[0] as (typeof payers)[number], { value = 100n, from = signer.address } = {}) {
  const nonce = pad(toHex(++nonces), { size: 32 })
  const message = { from, to: payee, value, validAfter: 0n, validBefore: 10n ** 11n, nonce }
  const signature = await signer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId: 31337, verifyingContract: usdc.address },
    types: EIP3009_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const { r, s, yParity } = parseSignature(signature)
  const { to, validAfter, validBefore } = message
  return encodeAbiParameters(LEG, [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s])
}

const settleData = (legs: readonly Hex[], legGas = LEG_GAS) =>
  encodeFunctionData({
    abi: settlementBatchAbi,
    functionName: 'settle',
    args: [usdc.address, legGas, concat([...legs])],
  })
const send = async (data: Hex, gas: bigint) => receiptOf(chain, await chain.sendTransaction({ to: batch, data, gas }))
const paid = async (settling: () => Promise<unknown>) => {
  const before = await usdc.read.balanceOf([payee])
  await settling()
  return (await usdc.read.balanceOf([payee])) - before
}

describe('SettlementBatch', () => {
  test('every leg moves its own money, even with a suffix after the arguments', async () => {
    const legs = await Promise.all(payers.map((payer) => leg(payer)))
    expect(
      await paid(() => mined(chain, chain.sendTransaction({ to: batch, data: concat([settleData(legs), '0x8021']) }))),
    ).toBe(300n)
    expect(await usdc.read.balanceOf([batch])).toBe(0n)
  })

  test('a failing leg does not affect the others: a repeat, an uncovered amount, foreign bytes', async () => {
    const good = await leg()
    const legs = [
      good,
      good,
      await leg(payers[1], { value: 10n ** 12n }),
      pad('0x01', { size: 288 }),
      await leg(payers[2]),
    ]
    expect(await paid(() => mined(chain, chain.sendTransaction({ to: batch, data: settleData(legs) })))).toBe(200n)
  })

  test('a wallet that burns its gas burns only its own leg’s', async () => {
    const from = await deploy(chain, { abi: [], bytecode: GREEDY_WALLET })
    await mined(chain, usdc.write.mint([from, 1_000n]))
    const legs = [await leg(payers[0], { from }), await leg(payers[1])]
    let gasUsed = 0n
    const moved = await paid(async () => {
      gasUsed = (await send(settleData(legs), 1_000_000n)).gasUsed
    })
    expect(moved).toBe(100n)
    expect(gasUsed).toBeGreaterThan(LEG_GAS)
    expect(gasUsed).toBeLessThan(2n * LEG_GAS + 60_000n)
  })

  test('GasTooLow: reverts everything if a leg would get less gas than promised', async () => {
    const legs = [await leg(payers[0]), await leg(payers[1])]
    const moved = await paid(async () => {
      expect((await send(settleData(legs), 160_000n)).status).toBe('reverted')
    })
    expect(moved).toBe(0n)
  })

  test('LegCutShort: the bytes are not a whole number of legs', async () => {
    const data = settleData([(await leg()).slice(0, -2) as Hex])
    expect((await send(data, 1_000_000n)).status).toBe('reverted')
  })
})

describe('PaymentLens', () => {
  test('reports for each payment whether the token accepts it, the payer’s balance, and whether it has code', async () => {
    const wallet = await deploy(chain, artifacts.testWallet1271, [payers[1].address])
    await mined(chain, usdc.write.mint([wallet, 500n]))
    const legs = [
      await leg(payers[0]),
      await leg(payers[0], { value: 10n ** 12n }),
      await leg(payers[1], { from: wallet }),
    ]
    const balance = await usdc.read.balanceOf([payers[0].address])
    const args = [usdc.address, LEG_GAS, concat(legs)] as const
    const { data = '0x' } = await chain.call({ data: encodeDeployData({ ...artifacts.paymentLens, args }) })
    const [taken, hasCode] = [1n << 255n, 1n << 254n]
    const words = [0, 1, 2].map((at) => BigInt(`0x${data.slice(2 + at * 64, 66 + at * 64)}`))
    expect(words).toEqual([taken | balance, balance, taken | hasCode | 500n])
    expect(data).toHaveLength(2 + 3 * 64)
  })
})
