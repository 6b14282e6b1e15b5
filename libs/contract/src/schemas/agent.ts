import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { ownWordsFault } from './own-words.ts'
import { Address, Timestamp, Usd } from './words.ts'

/** What an agent may be granted. An API key has no scopes; it is allowed all of these. */
export const Scope = z.enum(['mcp:call', 'router.use', 'call.publish'])
export type Scope = z.output<typeof Scope>

export const SCOPES: readonly Scope[] = Scope.options

/** Granted when an agent requests none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['mcp:call', 'router.use']

/** Parses scopes in the syntax of RFC 6749 §3.3. @returns undefined when one is unknown */
export function readScopes(text: string): readonly Scope[] | undefined {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))]
  const scopes = words.flatMap((word) => Scope.safeParse(word).data ?? [])
  return scopes.length === words.length ? scopes : undefined
}

export const isWithin = (asked: readonly Scope[], granted: readonly Scope[]): boolean =>
  asked.every((scope) => granted.includes(scope))

/** An agent's name for itself or its device. */
export const AgentLabel = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, {
  error: 'must be 1 to 32 lower-case letters, digits and hyphens, starting with a letter or digit',
  abort: true,
})

/** A label that an agent gives before its owner decides; it must not claim to speak for this service. */
export const ClaimedLabel = AgentLabel.check(({ value, issues }) => {
  const fault = ownWordsFault(value)
  if (fault) issues.push({ code: 'custom', input: value, message: fault })
})

/** The OAuth client id of an agent: `agent_` and its wallet in lower case. It needs no registration. */
export const AgentClientId = z
  .string()
  .regex(/^agent_0x[0-9a-f]{40}$/, 'must be agent_ and a lower-case wallet address')

export const agentClientId = (wallet: string): string => `agent_${wallet.toLowerCase()}`

/** The highest daily Router allowance of an agent, in USD. */
export const MAX_ALLOWANCE_USD = 1_000

/** A daily Router allowance in USD, to the cent. */
export const AllowanceUsd = z
  .number()
  .min(0)
  .max(MAX_ALLOWANCE_USD)
  .refine((usd) => Number.isInteger(Math.round(usd * 1e6) / 1e4), 'must be whole cents')

/** `trusted_device`: the owner was not asked. Null where the previous release approved it, which did not record it. */
const Approver = z.enum(['owner', 'trusted_device'])
const ApprovedBy = Approver.nullable()

/** What happens to the agents that descend from a link or a trust that ends. */
export const Descendants = z.enum(['end', 'keep'])

/** An agent as its owner sees it. */
export const AgentSummary = z.object({
  clientId: AgentClientId,
  wallet: Address,
  label: AgentLabel,
  device: AgentLabel.nullable(),
  scopes: z.array(Scope),
  linkedAt: Timestamp,
  /** To the minute; null if it never called. */
  lastUsedAt: Timestamp.nullable(),
  /** When the link ends with its Router keys, unless it ends before; the previous release omits it. */
  endsAt: Timestamp.optional(),
  /** Null without the scope `router.use`, or while the Router is unavailable. */
  router: z.object({ allowanceUsd: Usd, spentTodayUsd: Usd }).nullable(),
  approval: z.object({
    by: ApprovedBy,
    /** For an agent approved without asking, the agent whose token requested it; null if there is none any more. */
    parent: z.object({ clientId: AgentClientId, label: AgentLabel }).nullable(),
    /** False until the owner acknowledges an agent that was approved without asking. */
    seen: z.boolean(),
  }),
  /** Live agents that descend from this one, and end with it unless kept. */
  descendants: z.number().int().nonnegative(),
})
export type AgentSummary = z.output<typeof AgentSummary>

/** An agent as it sees itself. */
export const AgentSelf = z.object({
  clientId: AgentClientId,
  wallet: Address,
  owner: Address,
  label: AgentLabel,
  scopes: z.array(Scope),
  linkedAt: Timestamp,
})
export type AgentSelf = z.output<typeof AgentSelf>

/** Another agent of the same owner. */
export const Sibling = z.object({
  clientId: AgentClientId,
  wallet: Address,
  label: AgentLabel,
  device: AgentLabel.nullable(),
  status: z.enum(['active', 'revoked']),
  allowanceUsd: Usd.nullable(),
  approvedBy: ApprovedBy,
  /** The agent whose token requested it; null where the owner was asked. */
  parent: AgentClientId.nullable(),
  self: z.boolean(),
})
export type Sibling = z.output<typeof Sibling>

/** What an owner has staked. */
export const StakeView = z.object({
  owner: Address,
  /** The Router's day, counted from its first. */
  epoch: z.number().int().nonnegative(),
  /** Base units of the stake token, as decimal text. */
  stake: z.string().regex(/^(0|[1-9]\d*)$/, 'must be base units'),
  /** The stake's value on the Router in this epoch. */
  computeTodayUsd: Usd,
  /** Where the owner changes the stake. */
  stakeUrl: z.url(),
})
export type StakeView = z.output<typeof StakeView>

nameSchemas({
  Approver,
  Scope,
  AgentLabel,
  AgentClientId,
  AllowanceUsd,
  Descendants,
  AgentSummary,
  AgentSelf,
  Sibling,
  StakeView,
})
