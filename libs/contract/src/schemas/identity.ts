import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { ChainProgress } from './activity.ts'
import { ClaimedUri, RegistryNumber } from './identity-events.ts'
import { Address, Network, Timestamp, Usd } from './words.ts'

/** So many tags, and so many clients, of one group of feedback are shown; the totals say how many there are. */
export const MAX_FEEDBACK_ROWS = 20

const Count = z.number().int().nonnegative()
/** A number as a client gave it, with its decimals, exact. */
const FeedbackValue = z.string().regex(/^(0|-?(0|[1-9]\d*)(\.\d+)?)$/)

/** What was said under one pair of tags: their meaning is the clients’, and no mean is made of it. */
export const FeedbackTag = z.object({
  tag1: z.string(),
  tag2: z.string(),
  count: Count,
  clients: Count,
  lowest: FeedbackValue,
  median: FeedbackValue,
  highest: FeedbackValue,
})

/** Who spoke, how often, and what it paid for. */
export const FeedbackClient = z.object({
  client: Address,
  count: Count,
  lastAt: Timestamp,
  /** Its payments to the agent that count; null where there are none. */
  paid: z.object({ payments: z.number().int().positive(), amountUsd: Usd, lastAt: Timestamp }).nullable(),
})

/** Feedback of one kind of clients: never a bare score, always who said it. */
export const FeedbackGroup = z.object({
  count: Count,
  /** All clients of the group; `clientList` has those that spoke most. */
  clients: Count,
  /** All pairs of tags; `tags` has those that were used most. */
  tagPairs: Count,
  tags: z.array(FeedbackTag).max(MAX_FEEDBACK_ROWS),
  clientList: z.array(FeedbackClient).max(MAX_FEEDBACK_ROWS),
})
export type FeedbackGroup = z.output<typeof FeedbackGroup>

export const AgentFeedback = z.object({
  /** Of clients that paid the agent’s owner, its wallet or their splitters, by payments that show no pattern of invented volume. */
  fromPayers: FeedbackGroup,
  /** Of clients of which no such payment is known. */
  fromOthers: FeedbackGroup,
  /** Of addresses that were once the agent’s owner or its wallet; it counts in neither group. */
  own: z.object({ count: Count, clients: Count }),
  /** Taken back by its client; it counts nowhere else. */
  revoked: Count,
  /** Answers to feedback, which anyone may append. */
  answers: Count,
  /** When it was read: what takes a tenth of a second or more is read anew after fifty times as long. */
  readAt: Timestamp,
})
export type AgentFeedback = z.output<typeof AgentFeedback>

/** An agent of an ERC-8004 registry that is the wallet’s. */
export const AgentIdentity = z.object({
  network: Network,
  /** `eip155:<chainId>:<address of the identity registry>`; with `agentId` it names the agent everywhere. */
  agentRegistry: z.string(),
  agentId: RegistryNumber,
  /** What the asked wallet is to the agent. */
  roles: z.array(z.enum(['owner', 'agent_wallet'])).min(1),
  owner: Address,
  /** The wallet that the agent is paid at, which signed for it; null where none is set. */
  agentWallet: Address.nullable(),
  /** Null where the registration stands in no block that was read. */
  registeredAt: Timestamp.nullable(),
  registrationTx: z.string().nullable(),
  /** What the owner says: shown as it is, fetched by nobody here. */
  claimed: z.object({ registrationUri: ClaimedUri.nullable() }),
  feedback: AgentFeedback,
})
export type AgentIdentity = z.output<typeof AgentIdentity>

export const WalletIdentity = z.object({
  wallet: Address,
  generatedAt: Timestamp,
  /** All agents of the wallet, whichever page this is; 0 for a wallet without one. */
  total: Count,
  agents: z.array(AgentIdentity),
  /** Present when another page exists. */
  nextCursor: z.string().optional(),
  /** How far each chain is read; registrations in blocks before a chain was followed are not known. */
  chains: z.array(ChainProgress),
})
export type WalletIdentity = z.output<typeof WalletIdentity>

nameSchemas({ FeedbackTag, FeedbackClient, FeedbackGroup, AgentFeedback, AgentIdentity, WalletIdentity, ClaimedUri })
