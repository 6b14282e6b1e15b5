import { artifacts, burnLedgerAbi, eip3009Abi, erc20Abi, stakeAbi } from '@callboard/evm'
import { type Abi, getAbiItem } from 'viem'
import { toEventSelector } from 'viem/utils'
import { expect, test } from 'vitest'
import { AUTHORIZATION_USED, BURNED, SPLITTER_CREATED, STAKED, TRANSFER, UNSTAKED } from './topics.ts'

const selectorOf = (abi: Abi, name: string) => {
  const item = getAbiItem({ abi, name })
  if (item?.type !== 'event') throw new Error(`${name} is no event`)
  return toEventSelector(item)
}

test('the topics are those of the standards’ events, and of our contracts’', () => {
  expect(TRANSFER).toBe(selectorOf(erc20Abi, 'Transfer'))
  expect(AUTHORIZATION_USED).toBe(selectorOf(eip3009Abi, 'AuthorizationUsed'))
  expect(STAKED).toBe(selectorOf(stakeAbi, 'Staked'))
  expect(UNSTAKED).toBe(selectorOf(stakeAbi, 'Unstaked'))
  expect(SPLITTER_CREATED).toBe(selectorOf(artifacts.splitterFactory.abi as Abi, 'SplitterCreated'))
  expect(BURNED).toBe(selectorOf(burnLedgerAbi, 'Burned'))
})
