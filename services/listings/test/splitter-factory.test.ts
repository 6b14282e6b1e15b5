import { listings as operations } from '@callboard/contract'
import { predictSplitter, splitterImplementation } from '@callboard/evm'
import { granted, startTestServices, type TestServices, wallet } from '@callboard/testkit'
import { type Hex, isRefusal } from '@callboard/values'
import { createTestClient, http, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listings } from '../src/index.ts'
import { act, devnetSetting, keyOf, openStage, publishAs, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const NETWORK = 'eip155:31337'

/** The listings service alone, with different settings of the same chain. */
async function listingsWith(devnet: Record<string, unknown>): Promise<TestServices> {
  const setting = { ...JSON.parse(devnetSetting(stage.devnet)), ...devnet }
  return startTestServices([listings], { databaseUrl: stage.database.url, env: { DEVNET: JSON.stringify(setting) } })
}
const splittersOf = (services: TestServices) =>
  services.call(operations.splitters, { wallet: wallet(1).address }, { caller: keyOf(1) })
const readyz = async ({ adminPort }: TestServices) => {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`)
  return { status: answer.status, text: await answer.text() }
}
const publishedBy = (services: TestServices) =>
  publishAs({ ...stage, services }, 1, {
    name: 'Refused',
    urls: ['http://127.0.0.1:1/x'],
    proof: { message: 'x', signature: '0x00' },
  })

describe('a splitter factory that is not ours', () => {
  test.each<[string, () => Record<string, unknown>, RegExp]>([
    ['an account without code', () => ({ splitterFactory: wallet(3).address }), /there is no contract at 0x/],
    [
      'another contract',
      () => ({ splitterFactory: stage.devnet.stake }),
      /the code at 0x\w+ is not our splitter factory/,
    ],
    [
      'another treasury than the settings say',
      () => ({ splitterTreasury: wallet(4).address }),
      /treasury\(\) of factory .* is 0x\w+, and the settings say 0x/,
    ],
    ['another USDC than the chain has', () => ({ usdc: stage.devnet.stakeToken }), /usdc\(\) of factory/],
  ])('%s: no address is given, and the answers, /readyz and the gauge say so', async (_what, devnet, fault) => {
    const services = await listingsWith(devnet())
    const { networkStates, refusedNetworks } = granted(await splittersOf(services))
    expect(networkStates).toEqual([])
    expect(refusedNetworks).toMatchObject([
      { network: NETWORK, reason: expect.stringContaining('gives no splitter address') },
    ])
    const published = await publishedBy(services)
    expect(isRefusal(published) && published.refusal).toBe('unsupported_network')
    const { status, text } = await readyz(services)
    expect(status).toBe(200)
    expect(text).toMatch(/^ok\nnote: eip155:31337 takes no listings: /)
    expect(text).toMatch(fault)
    const gauge = await services.metrics.registry.getSingleMetric('callboard_splitter_factory_refused')?.get()
    expect(gauge?.values).toMatchObject([{ value: 1, labels: { network: NETWORK } }])
    await services.stop()
  })

  test('a factory with a foreign implementation is recognized by its code, whatever its views answer', async () => {
    const node = createTestClient({ mode: 'anvil', transport: http(stage.devnet.rpcUrl) }).extend(publicActions)
    const implementation = splitterImplementation(stage.devnet.splitterFactory)
    const ours = (await node.getCode({ address: implementation })) as Hex
    await node.setCode({ address: implementation, bytecode: `${ours.slice(0, -2)}fe` as Hex })
    const services = await listingsWith({})
    expect(granted(await splittersOf(services)).networkStates).toEqual([])
    await services.stop()
    await node.setCode({ address: implementation, bytecode: ours })
  })

  test('a draft that uses it cannot be activated either', async () => {
    const path = '/draft'
    stage.provider.set(path, { payTo: predictSplitter(stage.devnet.splitterFactory, wallet(2).address) })
    const { listing } = granted(await publishAs(stage, 2, { name: 'Draft', urls: [stage.provider.url(path)] }))
    const services = await listingsWith({ splitterTreasury: wallet(4).address })
    const answer = await act({ ...stage, services }, 2, listing.slug, 'activate')
    expect(isRefusal(answer) && answer.refusal).toBe('unsupported_network')
    await services.stop()
  })
})

test('a chain that cannot be read: 503, neither trusted nor refused', async () => {
  const services = await listingsWith({ rpcUrl: 'http://127.0.0.1:9' })
  const answer = await splittersOf(services)
  expect(isRefusal(answer) && answer.refusal).toBe('temporarily_unavailable')
  const published = await publishedBy(services)
  expect(isRefusal(published) && published.refusal).toBe('temporarily_unavailable')
  expect((await readyz(services)).text).toContain('eip155:31337 takes no listings yet')
  await services.stop()
})

test('our own factory: addresses are given, and /readyz reports nothing', async () => {
  const { networkStates, refusedNetworks } = granted(await splittersOf(stage.services))
  expect(networkStates).toHaveLength(1)
  expect(refusedNetworks).toBeUndefined()
  expect(await readyz(stage.services)).toEqual({ status: 200, text: 'ok\n' })
})
