import { type Hex, reader } from '@callboard/conformance/chain'
import type { Devnet } from '@callboard/conformance/target'
import { getAddress, parseAbi } from 'viem'

const EVENTS = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** A transfer by authorization, as the chain has it now. */
export interface Movement {
  readonly nonce: Hex
  readonly payer: Hex
  readonly to: Hex
  readonly value: bigint
  readonly transaction: Hex
  readonly logIndex: number
}

/** Every transfer by authorization on the chain, read only from its node. */
export async function movementsOn(devnet: Devnet): Promise<Movement[]> {
  const logs = await reader(devnet).getLogs({
    address: devnet.usdc.address,
    events: EVENTS,
    fromBlock: 0n,
    toBlock: 'latest',
    strict: true,
  })
  const transfers = new Map(logs.map((log) => [`${log.transactionHash} ${log.logIndex}`, log]))
  return logs.flatMap((used) => {
    if (used.eventName !== 'AuthorizationUsed') return []
    const moved = transfers.get(`${used.transactionHash} ${used.logIndex + 1}`)
    if (moved?.eventName !== 'Transfer' || moved.args.from !== used.args.authorizer) return []
    const { authorizer, nonce } = used.args
    const { transactionHash: transaction, logIndex } = moved
    const movement = { nonce, payer: getAddress(authorizer), to: getAddress(moved.args.to), value: moved.args.value }
    return [{ ...movement, transaction, logIndex }]
  })
}
