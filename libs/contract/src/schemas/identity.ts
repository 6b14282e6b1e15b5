import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { ChainProgress } from './activity.ts'
import { ClaimedUri, RegistryNumber } from './identity-events.ts'
import { Address, Network, Timestamp, Usd } from './words.ts'

/** At most this many tags, and this many clients, of one feedback group are shown; the totals count all. */
export const MAX_FEEDBACK_ROWS = 20

const Count = z.number().int().nonnegative()
/** A number as a client gave it, with its decimals, exact. */
const FeedbackValue = z.string().regex(/^(0|-?(0|[1-9]\d*)(\.\d+)?)$/)

/** Feedback under one pair of tags. Clients define what tags mean, so no mean is computed. */
export const FeedbackTag = z.object({
  tag1: z.string(),
  tag2: z.string(),
  count: Count,
  clients: Count,
  lowest: FeedbackValue,
  median: FeedbackValue,
  highest: FeedbackValue,
})

/** A client, how often it gave feedback, and what it paid for. */
export const FeedbackClient = z.object({
  client: Address,
  count: Count,
  lastAt: Timestamp,
  /** Its payments to the agent that count; null where there are none. */
  paid: z.object({ payments: z.number().int().positive(), amountUsd: Usd, lastAt: Timestamp }).nullable(),
})

/** Feedback from one kind of clients: never a bare score, always with its authors. */
export const FeedbackGroup = z.object({
  count: Count,
  /** All clients of the group; `clientList` has the most active. */
  clients: Count,
  /** All pairs of tags; `tags` has the most used. */
  tagPairs: Count,
  tags: z.array(FeedbackTag).max(MAX_FEEDBACK_ROWS),
  clientList: z.array(FeedbackClient).max(MAX_FEEDBACK_ROWS),
})
export type FeedbackGroup = z.output<typeof FeedbackGroup>

export const AgentFeedback = z.object({
  /**
   * From clients that paid the agent’s owner, wallet or splitters for calls of a listing that show no pattern of
   * invented volume.
   */
  fromPayers: FeedbackGroup,
  /** From clients with no such payment known. */
  fromOthers: FeedbackGroup,
  /** From addresses that were once the agent’s owner or its wallet; it counts in neither group. */
  own: z.object({ count: Count, clients: Count }),
  /** Withdrawn by its client; it counts nowhere else. */
  revoked: Count,
  /** Answers to feedback, which anyone may append. */
  answers: Count,
  /** When it was read. A reading that takes a tenth of a second or more is repeated only after fifty times as long. */
  readAt: Timestamp,
})
export type AgentFeedback = z.output<typeof AgentFeedback>

/** An agent in an ERC-8004 registry that belongs to the wallet. */
export const AgentIdentity = z.object({
  network: Network,
  /** `eip155:<chainId>:<address of the identity registry>`; with `agentId` it names the agent everywhere. */
  agentRegistry: z.string(),
  agentId: RegistryNumber,
  /** The requested wallet's roles for the agent. */
  roles: z.array(z.enum(['owner', 'agent_wallet'])).min(1),
  owner: Address,
  /** The wallet at which the agent is paid, which signed for it; null where none is set. */
  agentWallet: Address.nullable(),
  /** Null where the registration is in no block that was read. */
  registeredAt: Timestamp.nullable(),
  registrationTx: z.string().nullable(),
  /** What the owner claims: shown as it is, never fetched by us. */
  claimed: z.object({ registrationUri: ClaimedUri.nullable() }),
  feedback: AgentFeedback,
})
export type AgentIdentity = z.output<typeof AgentIdentity>

export const WalletIdentity = z.object({
  wallet: Address,
  generatedAt: Timestamp,
  /** All agents of the wallet, not only of this page; 0 for a wallet without one. */
  total: Count,
  agents: z.array(AgentIdentity),
  /** Present when another page exists. */
  nextCursor: z.string().optional(),
  /** How far each chain is read; registrations in blocks before we followed a chain are not known. */
  chains: z.array(ChainProgress),
})
export type WalletIdentity = z.output<typeof WalletIdentity>

nameSchemas({ FeedbackTag, FeedbackClient, FeedbackGroup, AgentFeedback, AgentIdentity, WalletIdentity, ClaimedUri })
