import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FacilitatorRequest, x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { type Hex, isRefusal } from '@callboard/values'
import { encodeErrorResult, parseAbi, size, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, openExchange, type Signed } from './exchange.ts'
import { openRpcProxy, type RpcProxy } from './rpc-proxy.ts'

const payer = wallet(1)
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
let exchange: Exchange
let proxy: RpcProxy
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { chainId: 84_532 })
  proxy = await openRpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start(exchange.via(proxy.url))
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

const verify = (request: FacilitatorRequest) => services.call(operations.verify, request)

/** The same payment with other bytes for its signature. */
const withSignature = (signed: Signed, rewrite: (signature: Hex) => Hex): Signed => {
  const { payload } = signed.paymentPayload
  return {
    ...signed,
    paymentPayload: { ...signed.paymentPayload, payload: { ...payload, signature: rewrite(payload.signature) } },
  }
}

/** Changes members of the requirement, of the accepted entry, or of both. */
const withTerms = (signed: Signed, required: object, accepted: object = required): FacilitatorRequest => ({
  ...signed,
  paymentRequirements: { ...signed.paymentRequirements, ...required },
  paymentPayload: {
    ...signed.paymentPayload,
    accepted: { ...(signed.paymentRequirements as object), ...accepted },
  },
})

const toV1 = (signed: Signed, changed: object = {}): FacilitatorRequest => {
  const { amount, network: _, ...requirement } = signed.paymentRequirements
  return {
    x402Version: 1,
    paymentPayload: {
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
      payload: signed.paymentPayload.payload,
      ...changed,
    },
    paymentRequirements: {
      ...requirement,
      network: 'base-sepolia',
      maxAmountRequired: amount,
      resource: 'https://a.example/x',
    },
  }
}

const highS = (signature: Hex): Hex => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
}
const now = () => Math.floor(Date.now() / 1000)

/** Code that reverts with this data, whatever it is asked. */
const revertingWith = (data: Hex): Hex => {
  const [length, offset] = [toHex(size(data), { size: 2 }).slice(2), '000d']
  return `0x61${length}61${offset}5f3961${length}5ffd${data.slice(2)}`
}

describe('a payment that would settle', () => {
  test('isValid: a signed authorization of exactly the required terms', async () => {
    expect(await verify(await exchange.pay(payer))).toEqual({ isValid: true, payer: payer.address })
  })

  test('a network that was checked before takes one round trip to the node', async () => {
    const signed = await exchange.pay(payer)
    const before = proxy.seen.length
    expect(await verify(signed)).toMatchObject({ isValid: true })
    expect(proxy.seen.slice(before).filter((methods) => methods.includes('eth_call'))).toHaveLength(1)
  })

  test('isValid: a window that opened in this very second, on a chain whose newest block is older', async () => {
    const signed = await exchange.pay(payer, { validAfter: now() })
    expect(await verify(signed)).toMatchObject({ isValid: true })
  })

  test('isValid: a version 1 payment, its network by name', async () => {
    expect(await verify(toV1(await exchange.pay(payer)))).toEqual({ isValid: true, payer: payer.address })
  })

  test('isValid: a contract wallet whose owner signed, by EIP-1271', async () => {
    const account = await exchange.deployWallet(wallet(2).address)
    await exchange.fund(account, 10_000n)
    const signed = await exchange.pay(wallet(2), {}, { from: account })
    expect(await verify(signed)).toEqual({ isValid: true, payer: account })
  })
})

describe('invalidReason, in the order of the checks', () => {
  const cases: [
    reason: string,
    what: string,
    spoil: (signed: Signed) => FacilitatorRequest | Promise<FacilitatorRequest>,
  ][] = [
    [
      'invalid_x402_version',
      'the payment is of another version than the request',
      (signed) => ({ ...signed, x402Version: 1 }),
    ],
    [
      'invalid_payload',
      'the payload is not one',
      (signed) =>
        ({
          ...signed,
          paymentPayload: { ...signed.paymentPayload, payload: { signature: '0x12' } },
        }) as FacilitatorRequest,
    ],
    [
      'invalid_payload',
      'the payment has no accepted entry',
      (signed) => ({ ...signed, paymentPayload: { x402Version: 2 } }),
    ],
    [
      'invalid_payment_requirements',
      'the requirement is not one',
      (signed) => ({ ...signed, paymentRequirements: {} }),
    ],
    [
      'unsupported_payload_type',
      'the payload is a Permit2 transfer',
      (signed) =>
        ({
          ...signed,
          paymentPayload: { ...signed.paymentPayload, payload: { permit2Authorization: {}, signature: '0x' } },
        }) as FacilitatorRequest,
    ],
    ['unsupported_scheme', 'the scheme is another', (signed) => withTerms(signed, { scheme: 'upto' })],
    ['invalid_exact_evm_scheme', 'another scheme was accepted', (signed) => withTerms(signed, {}, { scheme: 'upto' })],
    [
      'invalid_exact_evm_missing_eip712_domain',
      'the requirement names no token domain',
      (signed) => withTerms(signed, { extra: {} }),
    ],
    [
      'invalid_exact_evm_network_mismatch',
      'another network was accepted',
      (signed) => withTerms(signed, {}, { network: 'eip155:8453' }),
    ],
    ['invalid_network', 'the network is not served', (signed) => withTerms(signed, { network: 'eip155:8453' })],
    [
      'invalid_payment_requirements',
      'the token is not the chain’s USDC',
      (signed) => withTerms(signed, { asset: wallet(3).address }),
    ],
    [
      'invalid_exact_evm_token_name_mismatch',
      'the token’s name is another',
      (signed) => withTerms(signed, { extra: { name: 'USD Coin', version: '2' } }),
    ],
    [
      'invalid_exact_evm_token_version_mismatch',
      'the token’s version is another',
      (signed) => withTerms(signed, { extra: { name: 'USDC', version: '1' } }),
    ],
    [
      'invalid_exact_evm_recipient_mismatch',
      'another payee is to be paid',
      (signed) => withTerms(signed, { payTo: wallet(3).address }),
    ],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'one base unit less is required',
      (signed) => withTerms(signed, { amount: '9999' }),
    ],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'one base unit more is required',
      (signed) => withTerms(signed, { amount: '10001' }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      'the window is over',
      () => exchange.pay(payer, { validBefore: now() - 1 }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      'the window ends before a block is sure',
      () => exchange.pay(payer, { validBefore: now() + 4 }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_after',
      'the window is not open',
      () => exchange.pay(payer, { validAfter: now() + 60 }),
    ],
    [
      'eip6492_factory_not_allowed',
      'the wallet would have to be deployed',
      (signed) => withSignature(signed, (signature) => `${signature}${'6492'.repeat(16)}`),
    ],
    ['invalid_exact_evm_signature', 'another key signed', () => exchange.pay(wallet(2), {}, { from: payer.address })],
    ['invalid_exact_evm_signature', 'it is malleated to high s', (signed) => withSignature(signed, highS)],
    [
      'invalid_exact_evm_signature',
      'v is 0 or 1',
      (signed) => withSignature(signed, (text) => `${text.slice(0, 130)}${text.endsWith('1b') ? '00' : '01'}` as Hex),
    ],
    [
      'invalid_exact_evm_signature',
      'there are 64 bytes',
      (signed) => withSignature(signed, (text) => text.slice(0, 130) as Hex),
    ],
    ['invalid_exact_evm_signature', 'there are 66 bytes', (signed) => withSignature(signed, (text) => `${text}00`)],
    [
      'invalid_exact_evm_insufficient_balance',
      'the payer has one base unit too few',
      async () => exchange.pay(await exchange.funded(9_999n)),
    ],
  ]
  test.each(cases)('%s: %s', async (reason, _what, spoil) => {
    const signed = await exchange.pay(payer)
    expect(await verify(await spoil(signed))).toMatchObject({ isValid: false, invalidReason: reason })
  })

  test('invalid_exact_evm_nonce_already_used: the chain has seen the authorization', async () => {
    const signed = await exchange.pay(payer)
    await exchange.submit(signed)
    expect(await verify(signed)).toEqual({
      isValid: false,
      invalidReason: 'invalid_exact_evm_nonce_already_used',
      payer: payer.address,
    })
  })

  test('invalid_exact_evm_transaction_simulation_failed: the token itself would refuse', async () => {
    const blocked = await exchange.funded(10_000n)
    await exchange.blacklist(blocked.address)
    expect(await verify(await exchange.pay(blocked))).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_transaction_simulation_failed',
    })
  })

  test('invalid_exact_evm_signature: a contract wallet whose owner did not sign', async () => {
    const account = await exchange.deployWallet(wallet(2).address)
    await exchange.fund(account, 10_000n)
    expect(await verify(await exchange.pay(wallet(3), {}, { from: account }))).toMatchObject({
      invalidReason: 'invalid_exact_evm_signature',
    })
  })

  test.each([
    ['answers nothing', '0x00'],
    ['reverts', '0x5f5ffd'],
    ['is no code', '0xfe'],
    ['burns all gas', '0x5b5f56'],
  ] as const)(
    'invalid_exact_evm_signature: a payer whose code %s, even where its key did sign',
    async (_what, bytecode) => {
      const account = await exchange.funded(10_000n)
      const signed = await exchange.pay(account)
      expect(await verify(signed)).toMatchObject({ isValid: true })
      await exchange.node.setCode({ address: account.address, bytecode })
      expect(await verify(signed)).toMatchObject({ isValid: false, invalidReason: 'invalid_exact_evm_signature' })
    },
  )

  test('invalid_exact_evm_signature, and nothing is fetched: a payer whose code answers with a URL to be read', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((req, res) => {
      asked.push(req.url)
      res.end(`0x1626ba7e${'0'.repeat(56)}`)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const account = await exchange.funded(10_000n)
    const signed = await exchange.pay(account)
    const lookup = encodeErrorResult({
      abi: parseAbi([
        'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
      ]),
      args: [
        account.address,
        [`http://127.0.0.1:${(server.address() as AddressInfo).port}/inside`],
        '0x',
        '0x1626ba7e',
        '0x',
      ],
    })
    await exchange.node.setCode({ address: account.address, bytecode: revertingWith(lookup) })
    const answer = await verify(signed)
    server.close()
    expect([answer, asked]).toMatchObject([{ isValid: false, invalidReason: 'invalid_exact_evm_signature' }, []])
  })
})

describe('a payment whose check is costly', () => {
  /** Verifies many such payments together with one of another payer. */
  const together = async (costly: readonly Signed[]) => {
    const honest = await exchange.pay(payer)
    const [answer, ...others] = await Promise.all([honest, ...costly].map(verify))
    return { answer, others }
  }
  const REFUSED = { isValid: false, invalidReason: 'invalid_exact_evm_signature' }

  test.each([
    ['another key signed', ['eth_call'], () => exchange.pay(wallet(2), {}, { from: payer.address })],
    [
      'there are 64 bytes',
      ['eth_getCode'],
      async () => withSignature(await exchange.pay(payer), (text) => text.slice(0, 130) as Hex),
    ],
  ] as const)('invalid_exact_evm_signature after one read of the chain: %s', async (_what, reads, sign) => {
    const signed = await sign()
    expect(await verify(await exchange.pay(payer))).toMatchObject({ isValid: true })
    const before = proxy.seen.length
    expect(await verify(signed)).toEqual({ ...REFUSED, payer: payer.address })
    const seen = proxy.seen.slice(before).flat()
    expect(seen.filter((method) => method === 'eth_call' || method === 'eth_getCode')).toEqual(reads)
  })

  test('invalid_exact_evm_insufficient_balance after three reads of the chain: a wallet without money costs nothing', async () => {
    const signed = await exchange.pay(await exchange.funded(1n))
    expect(await verify(await exchange.pay(payer))).toMatchObject({ isValid: true })
    const before = proxy.seen.length
    expect(await verify(signed)).toMatchObject({ invalidReason: 'invalid_exact_evm_insufficient_balance' })
    const reads = ['eth_call', 'eth_getCode', 'eth_getBlockByNumber']
    const seen = proxy.seen.slice(before).filter((methods) => methods.some((method) => method === 'eth_call'))
    expect(seen.flat().filter((method) => reads.includes(method))).toEqual(Array(3).fill('eth_call'))
  })

  test('invalid_exact_evm_signature: its signature is too long for the gas of a transfer; no other payment is affected', async () => {
    const long = withSignature(await exchange.pay(payer), () => `0x${'ab'.repeat(20_000)}`)
    const { answer, others } = await together([long])
    expect([answer, ...others]).toMatchObject([{ isValid: true }, REFUSED])
  })

  test('invalid_exact_evm_signature: its payer’s code answers with 256 KiB; no other payment is affected', async () => {
    const account = await exchange.funded(10_000n)
    await exchange.node.setCode({ address: account.address, bytecode: '0x620400005ff3' })
    const costly = await Promise.all(Array.from({ length: 40 }, () => exchange.pay(account)))
    const { answer, others } = await together(costly)
    expect(answer).toMatchObject({ isValid: true })
    expect(others).toMatchObject(costly.map(() => REFUSED))
  })
})

describe('version 1 reasons', () => {
  test.each([
    ['invalid_network', (signed: Signed) => toV1(signed, { network: 'nowhere' })],
    ['unsupported_scheme', (signed: Signed) => toV1(signed, { scheme: 'upto' })],
    ['invalid_exact_evm_payload_signature', (signed: Signed) => toV1(withSignature(signed, highS))],
    [
      'invalid_exact_evm_payload_recipient_mismatch',
      (signed: Signed) => {
        const request = toV1(signed)
        return { ...request, paymentRequirements: { ...request.paymentRequirements, payTo: wallet(3).address } }
      },
    ],
    [
      'invalid_exact_evm_payload_authorization_value',
      (signed: Signed) => {
        const request = toV1(signed)
        return { ...request, paymentRequirements: { ...request.paymentRequirements, maxAmountRequired: '1' } }
      },
    ],
  ])('%s', async (reason, spoil) => {
    expect(await verify(spoil(await exchange.pay(payer)))).toMatchObject({ isValid: false, invalidReason: reason })
  })

  test('insufficient_funds', async () => {
    const poor = await exchange.funded(1n)
    expect(await verify(toV1(await exchange.pay(poor)))).toMatchObject({ invalidReason: 'insufficient_funds' })
  })
})

describe('a chain that is unavailable', () => {
  test('503 temporarily_unavailable, never isValid: false', async () => {
    const signed = await exchange.pay(payer)
    proxy.cut()
    try {
      expect(await verify(signed)).toMatchObject({ refusal: 'temporarily_unavailable', retryAfterSeconds: 2 })
    } finally {
      proxy.restore()
    }
    expect(await verify(signed)).toMatchObject({ isValid: true })
  })

  test('invalid_network: a network whose token has another domain is refused, and no longer offered', async () => {
    const other = await openRpcProxy(exchange.devnet.rpcUrl)
    other.lie('eth_call', `0x${'ab'.repeat(32)}`)
    const refusing = await exchange.start(exchange.via(other.url))
    const signed = await exchange.pay(payer)
    expect(await refusing.call(operations.verify, signed)).toMatchObject({ invalidReason: 'invalid_network' })
    expect(await refusing.call(operations.settle, signed)).toMatchObject({ errorReason: 'invalid_network' })
    expect(await refusing.call(operations.supported, {})).toMatchObject({ kinds: [] })
    await refusing.stop()
    await other.close()
  })

  test('a node of another chain is not used: 503 that says so, until it proves to be on the right chain', async () => {
    const other = await openRpcProxy(exchange.devnet.rpcUrl)
    other.lie('eth_chainId', '0x1')
    const own = await exchange.start(exchange.via(other.url))
    const signed = await exchange.pay(payer)
    for (const operation of [operations.verify, operations.settle]) {
      expect(await own.call(operation, signed)).toMatchObject({
        refusal: 'temporarily_unavailable',
        message: expect.stringContaining('No node of this facilitator answers for eip155:'),
      })
    }
    expect(new Set(other.seen.flat())).toEqual(new Set(['eth_chainId']))
    other.restore()
    await until('it is asked again', async () => !isRefusal(await own.call(operations.verify, signed)), 20_000)
    await own.stop()
    await other.close()
  })
})
