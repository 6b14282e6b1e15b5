import { fund, newAccount } from '@callboard/conformance'
import { Client } from '@callboard/conformance/client'
import { newOwner, type Owner } from '@callboard/conformance/owner'
import { act, deploySplitter, publish, splitterOf } from '@callboard/conformance/provider'
import { catalog } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findJavascript, findPythonOf } from '../../liveness-prober/test/fleet/hosts.ts'
import { type Sellers, startSellers } from '../../liveness-prober/test/fleet/start.ts'
import { Instance } from './instance.ts'

/** Sellers of the prober's fleet that can be paid on a devnet, and the path that each sells. */
const SOLD = {
  javascript: {
    'x402-express': ['GET', '/forecast'],
    'x402-core': ['GET', '/tides'],
    'x402-fastify': ['POST', '/translation'],
  },
  python: { x402_fastapi: ['POST', '/forecast'], x402_flask: ['GET', '/tides'] },
} as const

const runners = { javascript: await findJavascript(), python: await findPythonOf(2) }
const instance = new Instance()
let owner: Owner
let env: NodeJS.ProcessEnv
const running: Sellers[] = []

beforeAll(async () => {
  await instance.start()
  const { baseUrl, devnet } = instance
  const wallet = newAccount()
  await fund(devnet, wallet.address, { wei: 10n ** 18n })
  owner = await newOwner({ baseUrl, devnet }, wallet)
  const state = await splitterOf(owner.api, devnet, wallet.address)
  await deploySplitter(devnet, wallet, state)
  const { address, name, version } = devnet.usdc
  env = {
    FACILITATOR: devnet.facilitatorUrl,
    NETWORK: devnet.network,
    PAY_TO: state.splitterAddress,
    PRICE: JSON.stringify({ amount: '10000', asset: address, extra: { name, version } }),
  }
}, 120_000)
afterAll(async () => {
  await Promise.all(running.map((sellers) => sellers.close()))
  await instance.dispose()
})

/** What a search finds at a URL, unverified listings included. */
async function found(name: string, url: string) {
  const answer = await new Client(instance.baseUrl).get(`/api/call/discovery?q=${name}&includeUnverified=true`)
  return catalog.discovery.output.parse(answer.json()).items.filter(({ execution }) => execution.url === url)
}

describe.each(['javascript', 'python'] as const)('a seller on an unchanged server in %s', (language) => {
  const runner = runners[language]
  const why = 'closed' in runner ? ` (${runner.closed})` : ''
  test.skipIf(why)(`is published, activated and found over HTTP${why}`, { timeout: 120_000 }, async () => {
    if ('closed' in runner) return
    const sellers = await startSellers(runner, Object.keys(SOLD[language]), env)
    running.push(sellers)
    for (const [name, [method, path]] of Object.entries(SOLD[language])) {
      const word = name.replace(/\W|_/g, '')
      const url = `${sellers.origins[name]}${path}`
      const { slug } = await publish(owner.api, instance.devnet, owner.account, { name: word, urls: [url], method })
      expect((await act(owner.api, slug, 'activate')).json()).toMatchObject({ status: 'live' })
      await until(`${word} is found`, async () => (await found(word, url)).length === 1)
      expect(await found(word, url)).toMatchObject([
        { kind: 'api', execution: { method, network: instance.devnet.network, payable: true } },
      ])
    }
  })
})
