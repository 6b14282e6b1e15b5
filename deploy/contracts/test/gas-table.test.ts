import { readFileSync } from 'node:fs'
import { artifacts } from '@callboard/evm'
import type { Address } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { deploy, openChain, type TestChain, treasury } from './chain.ts'

let anvil: Anvil
let chain: TestChain
beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
})
afterAll(() => anvil.stop())

/** In thousands, as in the README's table. */
const ROW = /^\| \d \| `(\w+)`[^|]*\|[^|]*\| ([\d,]+)k \|$/gm
const table = () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  return Object.fromEntries([...readme.matchAll(ROW)].map(([, name, gas]) => [name, Number(gas?.replace(',', ''))]))
}

test('the README states the gas of each deployment', async () => {
  const gas: Record<string, number> = {}
  const spend = async (
    name: string,
    ...deployed: Parameters<typeof deploy> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const address = await deploy(chain, ...deployed)
    const { transactions } = await chain.getBlock({ includeTransactions: true })
    const { gasUsed } = await chain.getTransactionReceipt({ hash: transactions[0]?.hash ?? '0x' })
    gas[name] = Math.round(Number(gasUsed) / 1_000)
    return address
  }
  const usdc: Address = await spend('TestUSDC', artifacts.testUSDC)
  await spend('SplitterFactory', artifacts.splitterFactory, [usdc, treasury, 500])
  const stakeToken = await spend('TestStakeToken', artifacts.testStakeToken)
  await spend('TestStake', artifacts.testStake, [stakeToken])
  await spend('BurnLedger', artifacts.burnLedger, [stakeToken])
  await spend('SettlementBatch', artifacts.settlementBatch)
  const identity = await spend('TestIdentityRegistry', artifacts.testIdentityRegistry)
  await spend('TestReputationRegistry', artifacts.testReputationRegistry, [identity])
  expect(table()).toEqual(gas)
})
