import { artifacts, receiptOf } from '@callboard/evm'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import { type Hex, ZERO_ADDRESS } from '@callboard/values'
import { concat, pad, parseEventLogs, parseSignature, slice, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, deployRail, mined, openChain, type TestChain } from './chain.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FAR = 10n ** 11n

const payer = account(1)
const payee = account(2).address
const submitter = account(3).address
let anvil: Anvil
let chain: TestChain
let usdc: Awaited<ReturnType<typeof deployRail>>['usdc']
let nonce: Hex
let nonces = 0

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  usdc = (await deployRail(chain)).usdc
  await mined(chain, usdc.write.mint([payer.address, 1_000_000n]))
})
afterAll(() => anvil.stop())
beforeEach(() => {
  nonce = pad(toHex(++nonces), { size: 32 })
})

const domain = () => ({ name: 'USDC', version: '2', chainId: 31337, verifyingContract: usdc.address })
const authorization = (changes: { from?: Hex; value?: bigint; validAfter?: bigint; validBefore?: bigint } = {}) => ({
  ...{ from: payer.address, to: payee, value: 10_000n, validAfter: 0n, validBefore: FAR, nonce },
  ...changes,
})
type Authorization = ReturnType<typeof authorization>

const argsOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce] as const
const signTransfer = (message: Authorization, signer = payer) =>
  signer.signTypedData({ domain: domain(), types: EIP3009_TYPES, primaryType: 'TransferWithAuthorization', message })
const signReceive = (message: Authorization) =>
  payer.signTypedData({ domain: domain(), types: EIP3009_TYPES, primaryType: 'ReceiveWithAuthorization', message })
const signCancel = () =>
  payer.signTypedData({
    domain: domain(),
    types: EIP3009_TYPES,
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })

const vrs = (signature: Hex) => {
  const { r, s, yParity } = parseSignature(signature)
  return [27 + yParity, r, s] as const
}

const settle = (message: Authorization, signature: Hex) =>
  mined(chain, usdc.write.transferWithAuthorization([...argsOf(message), signature], { account: submitter }))
const trySettle = (message: Authorization, signature: Hex) =>
  usdc.simulate.transferWithAuthorization([...argsOf(message), signature], { account: submitter })

describe('transferWithAuthorization', () => {
  test('moves the money whoever submits it; AuthorizationUsed comes directly before Transfer', async () => {
    const message = authorization()
    const before = await usdc.read.balanceOf([payee])
    const { logs } = await settle(message, await signTransfer(message))
    expect((await usdc.read.balanceOf([payee])) - before).toBe(10_000n)
    expect(await usdc.read.authorizationState([payer.address, nonce])).toBe(true)
    expect(parseEventLogs({ abi: usdc.abi, logs }).map(({ eventName, args }) => ({ eventName, args }))).toEqual([
      { eventName: 'AuthorizationUsed', args: { authorizer: payer.address, nonce } },
      { eventName: 'Transfer', args: { from: payer.address, to: payee, value: 10_000n } },
    ])
  })

  test('also accepts v, r, s', async () => {
    const message = authorization()
    const args = [...argsOf(message), ...vrs(await signTransfer(message))] as const
    await mined(chain, usdc.write.transferWithAuthorization(args, { account: submitter }))
    expect(await usdc.read.authorizationState([payer.address, nonce])).toBe(true)
  })

  test('authorization is used or canceled: the second time', async () => {
    const message = authorization()
    const signature = await signTransfer(message)
    await settle(message, signature)
    await expect(trySettle(message, signature)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
  })

  test('authorization is expired: after its window', async () => {
    const message = authorization({ validBefore: 1n })
    await expect(trySettle(message, await signTransfer(message))).rejects.toThrow(
      'FiatTokenV2: authorization is expired',
    )
  })

  test('authorization is not yet valid: before its window', async () => {
    const message = authorization({ validAfter: FAR - 1n })
    await expect(trySettle(message, await signTransfer(message))).rejects.toThrow(
      'FiatTokenV2: authorization is not yet valid',
    )
  })

  test('is valid strictly between the ends of the window', async () => {
    const { timestamp } = await chain.getBlock()
    const t = timestamp + 100n
    const statusAt = async (window: { validAfter: bigint; validBefore: bigint }, at: bigint) => {
      nonce = pad(toHex(++nonces), { size: 32 })
      const message = authorization(window)
      const signature = await signTransfer(message)
      await chain.setNextBlockTimestamp({ timestamp: at })
      const args = [...argsOf(message), signature] as const
      const hash = await usdc.write.transferWithAuthorization(args, { account: submitter, gas: 200_000n })
      return (await receiptOf(chain, hash)).status
    }
    expect(await statusAt({ validAfter: t, validBefore: FAR }, t)).toBe('reverted')
    expect(await statusAt({ validAfter: t, validBefore: FAR }, t + 1n)).toBe('success')
    expect(await statusAt({ validAfter: 0n, validBefore: t + 3n }, t + 2n)).toBe('success')
    expect(await statusAt({ validAfter: 0n, validBefore: t + 3n }, t + 3n)).toBe('reverted')
  })

  test('transfer amount exceeds balance: and the nonce stays unused', async () => {
    const message = authorization({ value: 10n ** 15n })
    await expect(trySettle(message, await signTransfer(message))).rejects.toThrow(
      'ERC20: transfer amount exceeds balance',
    )
    expect(await usdc.read.authorizationState([payer.address, nonce])).toBe(false)
  })

  test('invalid signature: signed by another account, or for other terms', async () => {
    const message = authorization()
    const foreign = await signTransfer(message, account(4))
    await expect(trySettle(message, foreign)).rejects.toThrow('FiatTokenV2: invalid signature')
    const own = await signTransfer(message)
    await expect(trySettle({ ...message, value: 10_001n }, own)).rejects.toThrow('FiatTokenV2: invalid signature')
    await expect(trySettle({ ...message, from: ZERO_ADDRESS }, own)).rejects.toThrow('FiatTokenV2: invalid signature')
  })
})

describe('one authorization has one valid signature', () => {
  test("invalid signature 's' value: a signature malleated to high s", async () => {
    const message = authorization()
    const { r, s, yParity } = parseSignature(await signTransfer(message))
    const malleated = concat([r, pad(toHex(ORDER - BigInt(s)), { size: 32 }), toHex(28 - yParity)])
    await expect(trySettle(message, malleated)).rejects.toThrow("ECRecover: invalid signature 's' value")
  })

  test("invalid signature 'v' value: v as 0 or 1", async () => {
    const message = authorization()
    const signature = await signTransfer(message)
    const { yParity } = parseSignature(signature)
    const bare = concat([slice(signature, 0, 64), toHex(yParity, { size: 1 })])
    await expect(trySettle(message, bare)).rejects.toThrow("ECRecover: invalid signature 'v' value")
  })

  test('invalid signature length: 64 and 66 bytes', async () => {
    const message = authorization()
    const signature = await signTransfer(message)
    for (const bytes of [slice(signature, 0, 64), concat([signature, '0x00'])]) {
      await expect(trySettle(message, bytes)).rejects.toThrow('ECRecover: invalid signature length')
    }
  })
})

describe('cancelAuthorization', () => {
  test('spends the nonce without moving money', async () => {
    const { logs } = await mined(chain, usdc.write.cancelAuthorization([payer.address, nonce, await signCancel()]))
    expect(parseEventLogs({ abi: usdc.abi, logs }).map(({ eventName }) => eventName)).toEqual(['AuthorizationCanceled'])
    const message = authorization()
    await expect(trySettle(message, await signTransfer(message))).rejects.toThrow('authorization is used or canceled')
  })

  test('also accepts v, r, s, and only once', async () => {
    const signature = await signCancel()
    await mined(chain, usdc.write.cancelAuthorization([payer.address, nonce, ...vrs(signature)]))
    await expect(usdc.simulate.cancelAuthorization([payer.address, nonce, signature])).rejects.toThrow(
      'FiatTokenV2: authorization is used or canceled',
    )
  })
})

describe('receiveWithAuthorization', () => {
  test('caller must be the payee: no third party can front-run', async () => {
    const message = authorization()
    const args = [...argsOf(message), await signReceive(message)] as const
    await expect(usdc.simulate.receiveWithAuthorization(args, { account: submitter })).rejects.toThrow(
      'FiatTokenV2: caller must be the payee',
    )
    await mined(chain, usdc.write.receiveWithAuthorization(args, { account: payee }))
  })

  test('also accepts v, r, s', async () => {
    const message = authorization()
    const args = [...argsOf(message), ...vrs(await signReceive(message))] as const
    await mined(chain, usdc.write.receiveWithAuthorization(args, { account: payee }))
  })

  test('invalid signature: a transfer authorization cannot be received', async () => {
    const message = authorization()
    const args = [...argsOf(message), await signTransfer(message)] as const
    await expect(usdc.simulate.receiveWithAuthorization(args, { account: payee })).rejects.toThrow('invalid signature')
  })
})

describe('a payer with code is validated by EIP-1271 only', () => {
  test('its owner signs for it', async () => {
    const from = await deploy(chain, artifacts.testWallet1271, [payer.address])
    await mined(chain, usdc.write.mint([from, 10_000n]))
    const message = authorization({ from })
    await settle(message, await signTransfer(message))
    expect(await usdc.read.balanceOf([from])).toBe(0n)
  })

  test('invalid signature: signed by a third party, or not a signature', async () => {
    const from = await deploy(chain, artifacts.testWallet1271, [payer.address])
    const message = authorization({ from })
    for (const signature of [await signTransfer(message, account(4)), '0x1234'] as const) {
      await expect(trySettle(message, signature)).rejects.toThrow('FiatTokenV2: invalid signature')
    }
  })

  test('invalid signature: its own key no longer counts once the account has code', async () => {
    const account5 = account(5)
    const message = authorization({ from: account5.address, value: 0n })
    const own = await signTransfer(message, account5)
    await expect(trySettle(message, own)).resolves.toBeDefined()
    const wallet = await deploy(chain, artifacts.testWallet1271, [account(6).address])
    const code = (await chain.getCode({ address: wallet })) ?? '0x'
    await chain.setCode({ address: account5.address, bytecode: code })
    await expect(trySettle(message, own)).rejects.toThrow('FiatTokenV2: invalid signature')
    await expect(trySettle(message, await signTransfer(message, account(6)))).resolves.toBeDefined()
  })
})
