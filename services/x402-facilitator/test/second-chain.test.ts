import { rmSync } from 'node:fs'
import { x402Facilitator as operations, router } from '@callboard/contract'
import { type Devnet, openDevnet, type Postgres, startPostgres } from '@callboard/embedded'
import { artifacts } from '@callboard/evm'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import { serverFolder } from '@callboard/testkit/folder'
import { isRefusal } from '@callboard/values'
import { type ExactRequirements, isObject } from '@callboard/x402'
import { createTestClient, http, pad, publicActions, walletActions } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Exchange, FINALIZED_AFTER, newNonce, openExchange } from './exchange.ts'

const SEPOLIA = 'eip155:84532'
const SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const payer = wallet(1)
const minter = wallet(0).address

let folder: string
let postgres: Postgres
let sepolia: Devnet
let exchange: Exchange
let services: TestServices

const nodeOf = ({ rpcUrl }: Devnet) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)

beforeAll(async () => {
  // Beside a public chain, the service starts only with a Postgres that keeps payments over a power cut.
  folder = serverFolder('callboard-second-chain-')
  postgres = await startPostgres({ dataDir: folder, fsync: true })
  exchange = await openExchange(postgres.url())
  sepolia = await openDevnet({ chainId: 84_532 })
  const node = nodeOf(sepolia)
  const bytecode = await node.getCode({ address: sepolia.usdc.address })
  if (!bytecode) throw new Error('The token has no code')
  await node.setCode({ address: SEPOLIA_USDC, bytecode })
  await node.setStorageAt({ address: SEPOLIA_USDC, index: 0, value: pad(minter) })
  const { abi } = artifacts.testUSDC
  const mint = { abi, address: SEPOLIA_USDC, functionName: 'mint', args: [payer.address, 10_000_000n] } as const
  await node.impersonateAccount({ address: minter })
  await node.writeContract({ ...mint, account: minter, chain: null })
  services = await exchange.start({
    RPC_URLS: JSON.stringify({ [SEPOLIA]: [sepolia.rpcUrl] }),
    CONFIRMATIONS: JSON.stringify({ [SEPOLIA]: { default: 'finalized' } }),
    SETTLE_WAIT_MS: '1000',
  })
}, 60_000)
afterAll(async () => {
  await services?.stop()
  await exchange?.close()
  await Promise.all([sepolia?.stop(), postgres?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

async function signed(by: HDAccount, { network, asset, amount, payTo, extra }: ExactRequirements) {
  const authorization = {
    from: by.address,
    to: payTo,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1_000) + 300),
    nonce: newNonce(),
  }
  const { name, version } = extra
  const signature = await by.signTypedData({
    domain: { name, version, chainId: Number(network.split(':')[1]), verifyingContract: asset },
    types: EIP3009_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(amount),
      validAfter: 0n,
      validBefore: BigInt(authorization.validBefore),
    },
  })
  return { signature, authorization }
}

const resourceUrl = 'https://callboard.example/api/router/top-up'

/** Presents a new payment on a network for the same request, always under the same identifier. */
async function presentedOn(network: string) {
  const asked = { operation: router.topUp.id, resourceUrl, priceUsd: '1' }
  const { accepts } = granted(await services.call(operations.offer, asked)).paymentRequired
  const accepted = accepts.find((one) => one.network === network) as ExactRequirements
  const payload = {
    x402Version: 2,
    accepted,
    payload: await signed(payer, accepted),
    extensions: { 'payment-identifier': { info: { required: false, id: 'one-request-two-chains' } } },
  }
  const answer = await services.call(
    operations.purchase,
    { operation: router.topUp.id, owner: payer.address, description: 'Balance', priceUsd: '1' },
    { payment: { payload, x402Version: 2, resourceUrl, requestFingerprint: `0x${'5e'.repeat(32)}` } },
  )
  const { settlement } = isRefusal(answer) ? (answer.details ?? {}) : answer
  return { refusal: isRefusal(answer) ? answer.refusal : undefined, settlement: isObject(settlement) ? settlement : {} }
}

test('settlement_pending: a second payment on a chain where less counts does not make the first one count', async () => {
  const pending = { refusal: 'settlement_pending', settlement: { success: false, network: SEPOLIA } }
  const first = await presentedOn(SEPOLIA)
  expect(first).toMatchObject(pending)
  expect(await presentedOn(exchange.network)).toEqual(first)
  await nodeOf(sepolia).mine({ blocks: FINALIZED_AFTER })
  const settled = await until('its block is final', async () => {
    const again = await presentedOn(exchange.network)
    return again.refusal === undefined && again.settlement
  })
  const { transaction } = first.settlement
  expect(settled).toMatchObject({ success: true, network: SEPOLIA, transaction })
  expect(await exchange.database.query('select network from x402_facilitator.payment')).toEqual([{ network: SEPOLIA }])
}, 60_000)
