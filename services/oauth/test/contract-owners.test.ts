import { oauth as operations } from '@callboard/contract'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { artifacts, eip1271Abi } from '@callboard/evm'
import {
  type FakeClock,
  fakeClock,
  granted,
  signedMessage,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  wallet,
} from '@callboard/testkit'
import { rpcProxy } from '@callboard/testkit/servers'
import { type Address, type Hex, isRefusal, ZERO_ADDRESS } from '@callboard/values'
import { createTestClient, encodeDeployData, http, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { oauth } from '../src/index.ts'
import { BASE_URL, requester } from './stage.ts'

const [HOME, OTHER] = [31_337, 84_532]
const [ALICE, MALLORY] = [4, 5]
/** The code of a contract that accepts any signature: it returns the selector of `isValidSignature`. */
const TAKES_ANYTHING: Hex = '0x631626ba7e60e01b60005260206000f3'

let devnets: Record<number, Devnet>
let database: TestDatabase
let services: TestServices
let env: Record<string, string>
const clock: FakeClock = fakeClock()

beforeAll(async () => {
  devnets = { [HOME]: await openDevnet({ chainId: HOME }), [OTHER]: await openDevnet({ chainId: OTHER }) }
  database = await testDatabase(inject('postgresUrl'))
  const { rpcUrl, usdc, splitterFactory } = devnetOf(HOME)
  env = {
    BASE_URL,
    DEVNET: JSON.stringify({ rpcUrl, chainId: HOME, usdc: usdc.address, usdcName: usdc.name, splitterFactory }),
    RPC_URLS: JSON.stringify({ [`eip155:${OTHER}`]: [devnetOf(OTHER).rpcUrl] }),
  }
  services = await startTestServices([oauth], { databaseUrl: database.url, clock, env })
}, 60_000)
afterAll(async () => {
  await services?.stop()
  await database?.drop()
  for (const devnet of Object.values(devnets ?? {})) await devnet.stop()
})

function devnetOf(chainId: number): Devnet {
  const devnet = devnets[chainId]
  if (!devnet) throw new Error(`no chain ${chainId}`)
  return devnet
}
const chainOf = (chainId: number) =>
  createTestClient({ mode: 'anvil', transport: http(devnetOf(chainId).rpcUrl) }).extend(publicActions)

let made = 0
/** An address that no other test uses. */
const newAddress = (): Address => {
  made += 1
  return wallet(500 + made).address
}

/** Puts a contract wallet with a signer at an address, as the same deployment on another chain would. */
async function placeWallet(chainId: number, address: Address, signer: number): Promise<void> {
  const chain = chainOf(chainId)
  const { data } = await chain.call({
    data: encodeDeployData({ ...artifacts.testWallet1271, args: [wallet(signer).address] }),
  })
  await chain.setCode({ address, bytecode: data ?? '0x' })
}

/** Signs in as an address with a message for a chain, and a signature by a key, or none. */
async function signIn(address: Address, chainId: number, by: number | Hex, at = services) {
  const asked = granted(await at.call(operations.siweNonce, { purpose: 'login' }))
  const about = { purpose: 'login' as const, nonce: asked.nonce, baseUrl: BASE_URL, now: clock.now() }
  const signed = await signedMessage(wallet(typeof by === 'number' ? by : ALICE), about, { address, chainId })
  const signature = typeof by === 'number' ? signed.signature : by
  return at.call(operations.createSession, { message: signed.message, signature, requester })
}

const refusedWith = (why: string) => ({ refusal: 'invalid_signature', message: expect.stringContaining(why) })

describe('an owner with a contract account', () => {
  test('belongs to the chain that it signed in from: another contract at its address on another chain is refused', async () => {
    const address = newAddress()
    await placeWallet(HOME, address, ALICE)
    await placeWallet(OTHER, address, MALLORY)
    expect(await signIn(address, HOME, ALICE)).toMatchObject({ owner: address })
    expect(await signIn(address, OTHER, MALLORY)).toMatchObject(refusedWith(`the contract on chain ${HOME}`))
    // Nor may its own signer from there: nothing shows that both contracts have one owner.
    await placeWallet(OTHER, address, ALICE)
    expect(await signIn(address, OTHER, ALICE)).toMatchObject(refusedWith(`the contract on chain ${HOME}`))
    expect(await signIn(address, HOME, MALLORY)).toMatchObject(refusedWith('bad_signature'))
    expect(await signIn(address, HOME, ALICE)).toMatchObject({ owner: address })
  })

  test('signs in with whatever bytes its contract accepts: none, few, and up to the maximum length', async () => {
    const address = newAddress()
    await chainOf(HOME).setCode({ address, bytecode: TAKES_ANYTHING })
    for (const bytes of [0, 1, 31, 32, 64, 65, 8_192]) {
      expect(await signIn(address, HOME, `0x${'ab'.repeat(bytes)}`)).toMatchObject({ owner: address })
    }
    expect(await signIn(address, HOME, `0x${'ab'.repeat(8_193)}`)).toMatchObject(refusedWith('bad_signature'))
    expect(await signIn(newAddress(), HOME, '0x')).toMatchObject(refusedWith('bad_signature'))
  })

  test('cannot be the zero address, which is what recovery gives for a signature of no key', async () => {
    for (const signature of [`0x${'00'.repeat(64)}1b`, `0x${'ff'.repeat(64)}1c`] as const) {
      expect(await signIn(ZERO_ADDRESS, HOME, signature)).toMatchObject(refusedWith('bad_signature'))
    }
  })

  test('cannot be a precompile, which echoes its input, or a contract that fails', async () => {
    for (let n = 1; n <= 10; n += 1) {
      const address = `0x${n.toString(16).padStart(40, '0')}` as Address
      expect(await signIn(address, HOME, '0x')).toMatchObject(refusedWith('bad_signature'))
    }
    const address = newAddress()
    for (const bytecode of ['0xfe', '0x60006000fd', '0x5b600056'] as const) {
      await chainOf(HOME).setCode({ address, bytecode })
      expect(await signIn(address, HOME, '0x')).toMatchObject(refusedWith('bad_signature'))
    }
  })
})

test('503 temporarily_unavailable while its chain’s node is out of order, in whatever way', async () => {
  const node = await rpcProxy(devnetOf(OTHER).rpcUrl)
  const RPC_URLS = JSON.stringify({ [`eip155:${OTHER}`]: [node.url] })
  const late = await startTestServices([oauth], { databaseUrl: database.url, clock, env: { ...env, RPC_URLS } })
  const address = newAddress()
  await placeWallet(OTHER, address, ALICE)
  node.lie = { http: (_asked, res) => Boolean(res.writeHead(502).end()) }
  const refused = { refusal: 'temporarily_unavailable', message: 'The chain of the message cannot be reached now.' }
  expect(await signIn(address, OTHER, ALICE, late)).toMatchObject(refused)
  node.lie = {}
  expect(await signIn(address, OTHER, ALICE, late)).toMatchObject({ owner: address })
  await late.stop()
  await node.close()
})

describe('an owner known by a key', () => {
  test('signs in from every chain, and code that appears at the address cannot sign in for it', async () => {
    const { address } = wallet(ALICE)
    for (const chainId of [HOME, OTHER]) expect(await signIn(address, chainId, ALICE)).toMatchObject({ owner: address })
    // EIP-7702 puts code there; on another chain, anyone may control what that code trusts.
    await chainOf(OTHER).setCode({ address, bytecode: TAKES_ANYTHING })
    expect(await signIn(address, OTHER, '0x')).toMatchObject(refusedWith('the key of this address'))
    expect(await signIn(address, OTHER, ALICE)).toMatchObject({ owner: address })
  })
})

describe('an account of the previous release', () => {
  /** Opened without a record of what proved it. */
  async function openedBefore(): Promise<Address> {
    const address = newAddress()
    await database.query('insert into oauth.account (owner, created_at) values ($1, now())', [address])
    return address
  }

  test('becomes one of the chain that alone has its contract', async () => {
    const address = await openedBefore()
    await placeWallet(OTHER, address, ALICE)
    expect(await signIn(address, OTHER, ALICE)).toMatchObject({ owner: address })
    await placeWallet(HOME, address, MALLORY)
    expect(await signIn(address, HOME, MALLORY)).toMatchObject(refusedWith(`the contract on chain ${OTHER}`))
  })

  test('cannot be taken when several chains have contracts at its address', async () => {
    const address = await openedBefore()
    await placeWallet(HOME, address, ALICE)
    await placeWallet(OTHER, address, MALLORY)
    for (const [chainId, signer] of [
      [HOME, ALICE],
      [OTHER, MALLORY],
    ] as const) {
      expect(await signIn(address, chainId, signer)).toMatchObject(refusedWith('code on several chains'))
    }
  })
})

test('of parallel first sign-ins from two chains, one opens the account', async () => {
  const address = newAddress()
  await placeWallet(HOME, address, ALICE)
  await placeWallet(OTHER, address, MALLORY)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0 ? signIn(address, HOME, ALICE) : signIn(address, OTHER, MALLORY),
    ),
  )
  expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(5)
  const rows = await database.query('select proved_by, chain_id from oauth.account where owner = $1', [address])
  expect(rows).toMatchObject([{ proved_by: 'contract' }])
})

test('the test’s contract accepts what it says it accepts', async () => {
  const address = newAddress()
  await placeWallet(HOME, address, ALICE)
  const hash = `0x${'12'.repeat(32)}` as const
  const signature = await wallet(ALICE).sign({ hash })
  const read = { address, abi: eip1271Abi, functionName: 'isValidSignature', args: [hash, signature] } as const
  expect(await chainOf(HOME).readContract(read)).toBe('0x1626ba7e')
})
