import {
  authorize,
  fromHeader,
  type Hex,
  paymentPayload,
  type Requirement,
  type Signed,
  toHeader,
  transfersFrom,
  unixNow,
} from '@callboard/conformance'
import { DEVNET_MNEMONIC, type Devnet, openDevnet } from '@callboard/embedded'
import { bytesToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Instance } from './instance.ts'
import { Doors } from './payments/doors.ts'

/** Version 1 identifies networks by name, and no public list names a devnet. */
const V1_NAME = 'callboard-devnet'

const instance = new Instance()
let chain: Devnet
let doors: Doors
let asked: Requirement

beforeAll(async () => {
  chain = await openDevnet()
  const { rpcUrl, chainId, usdc, splitterFactory, treasury } = chain
  const key = mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex: 8 }).getHdKey().privateKey
  if (!key) throw new Error('The mnemonic gave no key for the facilitator')
  await instance.start(['--no-demo'], {
    DEVNET: JSON.stringify({
      rpcUrl,
      chainId,
      usdc: usdc.address,
      usdcName: usdc.name,
      splitterFactory,
      v1Name: V1_NAME,
    }),
    FACILITATOR_KEYS: bytesToHex(key),
    DECODE_PAY_TO: treasury,
    DECODE_V1: 'true',
    X402_V1: 'true',
  })
  doors = await Doors.of(instance, devnetOf(chain))
  asked = doors.asked
}, 120_000)
afterAll(async () => {
  await instance.dispose()
  await chain.stop()
})

const devnetOf = ({ chainId, network, ...facts }: Devnet) => ({
  ...facts,
  chainId,
  network: network as `eip155:${number}`,
})

describe('version 1, enabled on a chain that has a version 1 name', () => {
  interface V1Entry {
    readonly scheme: string
    readonly network: string
    readonly maxAmountRequired: string
    readonly payTo: Hex
    readonly asset: Hex
    readonly maxTimeoutSeconds: number
    readonly extra: { readonly name: string; readonly version: string }
  }

  /** What a version 1 client does: it reads the body of the 402 and ignores the header. */
  async function offer(): Promise<V1Entry> {
    const { status, body } = await doors.post('/x402/decode', {})
    expect(status).toBe(402)
    expect(body).toMatchObject({ x402Version: 1, error: expect.any(String) })
    const [entry] = body.accepts as V1Entry[]
    if (!entry) throw new Error('The offer is empty')
    return entry
  }

  const pay = (entry: V1Entry, payload: Signed) => {
    const { scheme, network } = entry
    return doors.post('/x402/decode', doors.work, {
      'x-payment': toHeader({ x402Version: 1, scheme, network, payload }),
    })
  }

  test('the body is the version 1 offer, the header the version 2 one', async () => {
    expect(await offer()).toMatchObject({
      scheme: 'exact',
      network: V1_NAME,
      maxAmountRequired: asked.amount,
      payTo: asked.payTo,
      asset: asked.asset,
      extra: { name: asked.extra.name, version: asked.extra.version },
    })
    const answer = await fetch(`${instance.baseUrl}/x402/decode`, { method: 'POST' })
    expect(fromHeader(answer.headers.get('payment-required'))).toMatchObject({ x402Version: 2, accepts: [asked] })
  })

  test('X-PAYMENT pays; the evidence names the network as version 1 does', async () => {
    const payer = await doors.walletWith(1_000_000n)
    const entry = await offer()
    const signed = await authorize(payer, asked, { authorization: { validAfter: String(unixNow() - 600) } })
    const first = await pay(entry, signed)
    expect(first).toMatchObject({ status: 200, evidence: { success: true, network: V1_NAME, payer: payer.address } })
    expect(await pay(entry, signed)).toEqual(first)
    const [moved, ...others] = await transfersFrom(doors.devnet, payer.address)
    expect(others).toEqual([])
    expect(moved?.transaction).toBe(first.evidence?.transaction)
  })

  test('overpayment is refused with version 1’s error code', async () => {
    const payer = await doors.walletWith(1_000_000n)
    const value = String(BigInt(asked.amount) + 1n)
    const answer = await pay(await offer(), await authorize(payer, asked, { authorization: { value } }))
    expect(answer).toMatchObject({
      status: 402,
      body: { x402Version: 1, error: 'invalid_exact_evm_payload_authorization_value' },
    })
    expect(await transfersFrom(doors.devnet, payer.address)).toEqual([])
  })

  test('the facilitator accepts version 1 requests and announces them', async () => {
    const payer = await doors.walletWith(1_000_000n)
    const entry = await offer()
    const { scheme, network } = entry
    const payload = { x402Version: 1, scheme, network, payload: await authorize(payer, asked) }
    const request = { x402Version: 1, paymentPayload: payload, paymentRequirements: entry }
    expect((await doors.verify(request)).body).toEqual({ isValid: true, payer: payer.address })
    expect((await doors.settle(request)).body).toMatchObject({ success: true, network: V1_NAME })
    const { kinds } = (await (await fetch(`${instance.baseUrl}/x402/supported`)).json()) as { kinds: unknown[] }
    expect(kinds).toContainEqual(expect.objectContaining({ x402Version: 1, scheme: 'exact', network: V1_NAME }))
  })

  test('a buyer of version 2 pays as before', async () => {
    const payer = await doors.walletWith(1_000_000n)
    const answer = await doors.decode(paymentPayload(asked, await authorize(payer, asked)))
    expect(answer).toMatchObject({ status: 200, evidence: { success: true, network: doors.devnet.network } })
  })
})
