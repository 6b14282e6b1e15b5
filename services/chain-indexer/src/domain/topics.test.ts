import {
  artifacts,
  burnLedgerAbi,
  eip3009Abi,
  erc20Abi,
  identityRegistryAbi,
  reputationRegistryAbi,
  stakeAbi,
} from '@callboard/evm'
import { type Abi, getAbiItem } from 'viem'
import { toEventSelector } from 'viem/utils'
import { expect, test } from 'vitest'
import {
  AUTHORIZATION_USED,
  BURNED,
  FEEDBACK_REVOKED,
  METADATA_SET,
  NEW_FEEDBACK,
  REGISTERED,
  RESPONSE_APPENDED,
  SPLITTER_CREATED,
  STAKED,
  TRANSFER,
  UNSTAKED,
  URI_UPDATED,
} from './topics.ts'

const selectorOf = (abi: Abi, name: string) => {
  const item = getAbiItem({ abi, name })
  if (item?.type !== 'event') throw new Error(`${name} is no event`)
  return toEventSelector(item)
}

test('the topics are those of the standards’ events and of our contracts’ events', () => {
  expect(TRANSFER).toBe(selectorOf(erc20Abi, 'Transfer'))
  expect(AUTHORIZATION_USED).toBe(selectorOf(eip3009Abi, 'AuthorizationUsed'))
  expect(STAKED).toBe(selectorOf(stakeAbi, 'Staked'))
  expect(UNSTAKED).toBe(selectorOf(stakeAbi, 'Unstaked'))
  expect(SPLITTER_CREATED).toBe(selectorOf(artifacts.splitterFactory.abi as Abi, 'SplitterCreated'))
  expect(BURNED).toBe(selectorOf(burnLedgerAbi, 'Burned'))
  expect(TRANSFER).toBe(selectorOf(identityRegistryAbi, 'Transfer'))
  expect(REGISTERED).toBe(selectorOf(identityRegistryAbi, 'Registered'))
  expect(URI_UPDATED).toBe(selectorOf(identityRegistryAbi, 'URIUpdated'))
  expect(METADATA_SET).toBe(selectorOf(identityRegistryAbi, 'MetadataSet'))
  expect(NEW_FEEDBACK).toBe(selectorOf(reputationRegistryAbi, 'NewFeedback'))
  expect(FEEDBACK_REVOKED).toBe(selectorOf(reputationRegistryAbi, 'FeedbackRevoked'))
  expect(RESPONSE_APPENDED).toBe(selectorOf(reputationRegistryAbi, 'ResponseAppended'))
})
