import { encodeFunctionData, parseAbi } from 'viem'
import type { Devnet } from '../target.ts'
import { type Hex, type LocalAccount, sendAndWait } from './chain.ts'

const IDENTITY = parseAbi(['function register(string agentURI) returns (uint256)'])
const REPUTATION = parseAbi([
  'function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)',
])
const NO_HASH: Hex = `0x${'00'.repeat(32)}`

/** Registers an agent for the account, which needs gas. @returns the transaction */
export const registerAgent = (devnet: Devnet, account: LocalAccount, uri: string): Promise<Hex> =>
  sendAndWait(devnet, account, {
    to: devnet.identityRegistry,
    data: encodeFunctionData({ abi: IDENTITY, functionName: 'register', args: [uri] }),
  })

/** Gives feedback on an agent: a value between 0 and 100, under the tag `starred`. */
export const giveFeedback = (devnet: Devnet, account: LocalAccount, agentId: bigint, value: bigint): Promise<Hex> =>
  sendAndWait(devnet, account, {
    to: devnet.reputationRegistry,
    data: encodeFunctionData({
      ...{ abi: REPUTATION, functionName: 'giveFeedback' },
      args: [agentId, value, 0, 'starred', '', '', '', NO_HASH],
    }),
  })
