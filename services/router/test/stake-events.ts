import { type EventDeclaration, eventName, type StakeChange, stakeChanged, stakeReverted } from '@callboard/contract'
import type { TestServices } from '@callboard/testkit'
import { type Address, type Hex, isoTime } from '@callboard/values'

const CONTRACT: Address = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
export const TOKEN = 10n ** 18n

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A stake change in its own block; blocks follow in the order of their numbers. */
export const change = (block: number, owner: Address, stake: bigint, at: number): StakeChange => ({
  ...{ network: 'eip155:8453', txHash: hash(block), logIndex: 0, blockNumber: String(block) },
  ...{ blockHash: hash(1_000_000 + block), observedAt: isoTime(at), contract: CONTRACT, owner, stake: String(stake) },
})

/** A report of the chain-indexer; its place in the list is its sequence. */
export interface Said {
  readonly event: EventDeclaration
  readonly data: StakeChange
}

export const stands = (data: StakeChange): Said => ({ event: stakeChanged, data })
export const left = (data: StakeChange): Said => ({ event: stakeReverted, data })

export const envelopeOf = ({ event, data }: Said, sequence: number, id = `said-${sequence}`) => ({
  ...{ id, name: eventName(event), key: data.owner, sequence, source: 'chain-indexer', data },
  occurredAt: data.observedAt,
})

/** Publishes reports, the first under the given sequence. */
export async function tell({ bus }: TestServices, said: readonly Said[], first: number): Promise<void> {
  for (const [at, one] of said.entries()) await bus.events.publish(envelopeOf(one, first + at))
}
