import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ledger, pay, SpendingPolicy } from '@callboard/client'
import { fund, newAccount, reader, usdcBalance } from '@callboard/conformance/chain'
import { Client } from '@callboard/conformance/client'
import { splitterOf } from '@callboard/conformance/provider'
import { startExpressSeller } from '@callboard/conformance/sellers'
import { deployTransaction, predictSplitter } from '@callboard/evm/splitter'
import { until } from '@callboard/testkit'
import { rpcProxy } from '@callboard/testkit/servers'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../services/all/test/desk.ts'
import { Instance } from '../../services/all/test/instance.ts'
import { hostileService } from './hostile-service.ts'
import { losingProxy } from './losing-proxy.ts'
import { SellerAt } from './seller-at.ts'

const instance = new Instance()
const wide = { burst: 1_000, perMinute: 60_000 }
beforeAll(() => instance.start(['--no-demo'], { RATE_LIMITS: JSON.stringify({ probe: wide, nonce: wide }) }), 120_000)
afterAll(() => instance.dispose())

/** What names the local chain and its test USDC. */
const onChain = () => {
  const { rpcUrl, network, usdc } = instance.devnet
  return ['--rpc', rpcUrl, '--asset', `${network}/${usdc.address}`]
}

/** A listing as an honest service names it. */
function honestListing(wallet: `0x${string}`) {
  const { splitterFactory, network } = instance.devnet
  return {
    ...{ slug: 'tides', name: 'Tides', status: 'draft', payoutWallet: wallet, operations: [] },
    splitter: {
      ...{ network, address: predictSplitter(splitterFactory, wallet), deployed: false },
      deploy: deployTransaction(splitterFactory, wallet),
    },
  }
}

test('from nothing to a live listing that is paid out, with the command alone', { timeout: 120_000 }, async () => {
  const { baseUrl, devnet } = instance
  const seller = new SellerAt(baseUrl)
  const said = async (...words: string[]) => {
    const run = await seller.sell(words)
    expect(run, run.err).toMatchObject({ code: 0 })
    return run.out
  }
  await said('login')
  const [payTo = ''] = (await said('splitter', '--network', devnet.network, ...onChain())).split(' ')
  const server = await startExpressSeller({ baseUrl, devnet }, [
    { method: 'GET', path: '/tides', amount: '20000', payTo: payTo as `0x${string}`, description: 'Tides' },
  ])
  onTestFinished(() => server.close())
  expect(await said('probe', server.url('/tides'))).toContain('It can be listed.')
  const file = join(seller.folder, 'listing.json')
  const listing = readFileSync(join(ROOT, 'docs/examples/command/listing.json'), 'utf8')
  writeFileSync(file, listing.replace('http://127.0.0.1:8601/tides', server.url('/tides')))
  expect(await said('publish', file)).toContain('next  callboard sell deploy tide-tables')

  const poor = await seller.sell(['deploy', 'tide-tables', ...onChain()])
  expect(poor, poor.err).toMatchObject({ code: 1, err: expect.stringContaining('too little') })
  await fund(devnet, seller.wallet.address, { wei: 10n ** 18n })
  const dry = await seller.sell(['deploy', 'tide-tables', ...onChain(), '--dry-run'])
  expect(dry).toMatchObject({
    code: 0,
    out: 'Nothing was sent.\n',
    err: expect.stringMatching(/value 0: about \d+ gas/),
  })
  expect(await said('deploy', 'tide-tables', ...onChain())).toMatch(/is deployed: 0x[0-9a-f]{64}/)
  expect(await said('deploy', 'tide-tables', ...onChain())).toContain('deployed already')
  expect(await said('activate', 'tide-tables')).toMatch(
    /tide-tables: live\n {2}warning .*\n {2}next {2}callboard sell verify tide-tables/,
  )
  expect(await said('verify', 'tide-tables')).toContain('Wait for the operator')

  expect(await said('distribute', 'tide-tables', ...onChain())).toContain('holds 0 USDC. Nothing was sent.')
  const buyer = newAccount()
  await fund(devnet, buyer.address, { usdc: 1_000_000n })
  const wallet = {
    account: buyer,
    policy: SpendingPolicy.parse({}),
    ledger: new Ledger(join(seller.folder, 'ledger.jsonl')),
    assets: [{ network: devnet.network, asset: devnet.usdc.address }],
  }
  expect((await pay(wallet, server.url('/tides'))).payment?.state).toBe('settled')
  expect(await said('distribute', 'tide-tables', ...onChain())).toMatch(/^0\.02 USDC were distributed: 0x/)
  expect(await usdcBalance(devnet, seller.wallet.address)).toBe(19_000n)
  await until('the sale is counted', async () => (await said('status', 'tide-tables')).includes('calls 1 '), 30_000)
  expect(await said('logout')).toContain('has ended')
})

test('a transaction whose answer is lost is followed by its hash; one that cannot be is exit 7, and names it', {
  timeout: 120_000,
}, async () => {
  const { devnet } = instance
  const seller = new SellerAt(instance.baseUrl)
  const listing = honestListing(seller.wallet.address)
  const service = await hostileService(() => ({
    '/api/call/listings/mine': { nextCursor: null, listings: [listing] },
  }))
  const proxy = await losingProxy(devnet.rpcUrl)
  onTestFinished(() => {
    service.close()
    proxy.close()
  })
  await fund(devnet, seller.wallet.address, { wei: 10n ** 18n })
  const asset = ['--asset', `${devnet.network}/${devnet.usdc.address}`]
  const deploy = () =>
    seller.sell(['deploy', 'tides', ...asset, '--rpc', proxy.url], {
      ...{ CALLBOARD_API_KEY: 'cb_any', CALLBOARD_URL: service.url },
    })
  proxy.lose('/', 'request', { text: 'eth_sendRawTransaction', times: 4 })
  const lost = await deploy()
  expect(lost, lost.err).toMatchObject({ code: 7, err: expect.stringMatching(/0x[0-9a-f]{64} .*may be sent/) })
  expect(await reader(devnet).getTransactionCount({ address: seller.wallet.address })).toBe(0)
  proxy.lose('/', 'answer', { text: 'eth_sendRawTransaction' })
  const run = await deploy()
  expect(run, run.err).toMatchObject({ code: 0, out: expect.stringMatching(/is deployed: 0x[0-9a-f]{64}/) })
  expect(await reader(devnet).getTransactionCount({ address: seller.wallet.address })).toBe(1)
})

describe('a node that lies about the price of gas', () => {
  const HUNDREDTH = 10n ** 16n
  /** 10,000 gwei for each unit of gas. */
  const DEAR = '0x9184e72a000'
  const PRICE = 'eth_maxPriorityFeePerGas'

  /** What `deploy` says and leaves in the wallet, at a node that tells the price so often before it lies. */
  async function deployAt(truths: number, words: readonly string[] = []) {
    const { devnet } = instance
    const seller = new SellerAt(instance.baseUrl)
    const listing = honestListing(seller.wallet.address)
    const service = await hostileService(() => ({
      '/api/call/listings/mine': { nextCursor: null, listings: [listing] },
    }))
    const node = await rpcProxy(devnet.rpcUrl)
    const timesAsked = () => node.asked.filter(({ method }) => method === PRICE).length
    node.lie = { result: ({ method }, told) => (method === PRICE && timesAsked() > truths ? DEAR : told) }
    onTestFinished(async () => {
      service.close()
      await node.close()
    })
    await fund(devnet, seller.wallet.address, { wei: 10n ** 19n })
    const asset = ['--asset', `${devnet.network}/${devnet.usdc.address}`]
    const run = await seller.sell(['deploy', 'tides', ...asset, '--rpc', node.url, ...words], {
      ...{ CALLBOARD_API_KEY: 'cb_any', CALLBOARD_URL: service.url },
    })
    const left = await reader(devnet).getBalance({ address: seller.wallet.address })
    return { ...run, spent: 10n ** 19n - left }
  }

  test('exit 5, nothing is signed, and the message says what to type', { timeout: 60_000 }, async () => {
    const run = await deployAt(0)
    expect(run, run.err).toMatchObject({ code: 5, spent: 0n, err: expect.stringMatching(/--max-fee \d/) })
  })

  test('what was shown is signed: a higher price afterwards is not taken', { timeout: 60_000 }, async () => {
    const run = await deployAt(1)
    expect(run, run.err).toMatchObject({ code: 0 })
    expect(run.spent).toBeLessThan(HUNDREDTH)
  })

  test('with --max-fee, a seller pays more; an amount that is none is exit 2', { timeout: 60_000 }, async () => {
    const run = await deployAt(0, ['--max-fee', '9.5'])
    expect(run, run.err).toMatchObject({ code: 0 })
    expect(run.spent).toBeGreaterThan(HUNDREDTH)
    expect(await deployAt(0, ['--max-fee', '1e3'])).toMatchObject({ code: 2, spent: 0n })
  })
})

test('exit 2 without a node, 4 where it does not answer, and its address is printed nowhere', {
  timeout: 60_000,
}, async () => {
  const seller = new SellerAt(instance.baseUrl)
  await seller.sell(['login'])
  expect(await seller.sell(['deploy', 'tide-tables'])).toMatchObject({ code: 2 })
  const network = ['--network', instance.devnet.network]
  const down = await seller.sell(['splitter', ...network], { CALLBOARD_RPC_URL: 'http://127.0.0.1:9999/secret' })
  expect(down, down.err).toMatchObject({ code: 4 })
  expect(down.out + down.err).not.toContain('secret')
})

describe('a hostile service', () => {
  const thirdParty = newAccount().address
  const transfer = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    args: [thirdParty, 1_000_000n],
  })

  /** What the service answers as the listing, from what it should be. */
  const lies = {
    'another transaction': ({ deploy, ...rest }: Honest) => ({ ...rest, deploy: { ...deploy, data: transfer } }),
    'a transfer of the token': ({ deploy, ...rest }: Honest) => ({
      ...rest,
      deploy: { ...deploy, to: instance.devnet.usdc.address, data: transfer },
    }),
    'the deployment with money': ({ deploy, ...rest }: Honest) => ({ ...rest, deploy: { ...deploy, value: '1' } }),
    'another splitter': (honest: Honest) => ({ ...honest, address: thirdParty }),
    'a factory that is not ours': (honest: Honest, wallet: `0x${string}`) => ({
      ...honest,
      address: predictSplitter(thirdParty, wallet),
      deploy: deployTransaction(thirdParty, wallet),
    }),
    'a token as the factory': (honest: Honest, wallet: `0x${string}`) => ({
      ...honest,
      address: predictSplitter(instance.devnet.usdc.address, wallet),
      deploy: deployTransaction(instance.devnet.usdc.address, wallet),
    }),
    'another chain': (honest: Honest) => ({ ...honest, network: 'eip155:8453' }),
    'no address': (honest: Honest) => ({ ...honest, address: '0x' }),
  }
  interface Honest {
    readonly network: string
    readonly address: string
    readonly deploy: object
  }

  test.each(Object.entries(lies))('gets no transaction for %s', { timeout: 60_000 }, async (what, lie) => {
    const { devnet } = instance
    const [seller, listing] = sellerAndListing()
    const service = await hostileService(() => ({
      '/api/call/listings/mine': { nextCursor: null, listings: [listing(lie)] },
    }))
    onTestFinished(() => service.close())
    await fund(devnet, seller.wallet.address, { wei: 10n ** 18n, usdc: 1_000_000n })
    const env = { CALLBOARD_API_KEY: 'cb_any', CALLBOARD_URL: service.url }
    for (const verb of ['deploy', 'distribute']) {
      const run = await seller.sell([verb, 'tides', ...onChain()], env)
      expect(run.code, run.err).toBe(what === 'another chain' ? 4 : 5)
    }
    expect(await reader(devnet).getTransactionCount({ address: seller.wallet.address })).toBe(0)
    expect(await usdcBalance(devnet, seller.wallet.address)).toBe(1_000_000n)
  })

  /** A seller, and the listing of theirs that a lie makes. */
  function sellerAndListing() {
    const seller = new SellerAt(instance.baseUrl)
    const { address } = seller.wallet
    const { splitter, ...rest } = honestListing(address)
    const listing = (lie: (honest: Honest, wallet: `0x${string}`) => object) => ({
      ...rest,
      splitter: lie(splitter, address),
    })
    return [seller, listing] as const
  }

  test('gets no transaction for the listing of another wallet, or a token that is not known to be USDC', async () => {
    const seller = new SellerAt(instance.baseUrl)
    await seller.sell(['login'])
    const api = new Client(instance.baseUrl, { authorization: `Bearer ${seller.stored().key}` })
    expect((await splitterOf(api, instance.devnet, seller.wallet.address)).deployed).toBe(false)
    const unknown = await seller.sell([
      'splitter',
      '--network',
      instance.devnet.network,
      '--rpc',
      instance.devnet.rpcUrl,
    ])
    expect(unknown).toMatchObject({ code: 5, err: expect.stringContaining('If you trust that it is: --asset') })
    const { splitterFactory, network } = instance.devnet
    const service = await hostileService(() => ({
      '/api/call/listings/mine': {
        nextCursor: null,
        listings: [
          {
            ...{ slug: 'tides', status: 'draft', payoutWallet: thirdParty, operations: [] },
            splitter: {
              ...{ network, address: predictSplitter(splitterFactory, thirdParty) },
              deploy: deployTransaction(splitterFactory, thirdParty),
            },
          },
        ],
      },
    }))
    onTestFinished(() => service.close())
    const env = { CALLBOARD_API_KEY: 'cb_any', CALLBOARD_URL: service.url }
    const run = await seller.sell(['deploy', 'tides', ...onChain()], env)
    expect(run).toMatchObject({ code: 5, err: expect.stringContaining('is paid to') })
  })
})
