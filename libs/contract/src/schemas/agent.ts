import { z } from 'zod'
import { Address, Timestamp, Usd } from './words.ts'

/** What an agent may be granted. An API key has no scopes: it may do all of this. */
export const Scope = z.enum(['mcp:call', 'router.use', 'call.publish'])
export type Scope = z.output<typeof Scope>

export const SCOPES: readonly Scope[] = Scope.options

/** Granted when an agent asks for none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['mcp:call', 'router.use']

/** Scopes as RFC 6749 §3.3 writes them. @returns undefined when one is unknown */
export function readScopes(text: string): readonly Scope[] | undefined {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))]
  const scopes = words.flatMap((word) => Scope.safeParse(word).data ?? [])
  return scopes.length === words.length ? scopes : undefined
}

export const isWithin = (asked: readonly Scope[], granted: readonly Scope[]): boolean =>
  asked.every((scope) => granted.includes(scope))

/** How an agent calls itself, or its device. */
export const AgentLabel = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,31}$/,
    'must be 1 to 32 lower-case letters, digits and hyphens, starting with a letter or digit',
  )

/** The OAuth client id of an agent: `agent_` and its wallet in lower case. It exists by construction. */
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

/** An agent as its owner sees it. */
export const AgentSummary = z.object({
  clientId: AgentClientId,
  wallet: Address,
  label: AgentLabel,
  device: AgentLabel.nullable(),
  scopes: z.array(Scope),
  linkedAt: Timestamp,
  /** To the minute; null when it never called. */
  lastUsedAt: Timestamp.nullable(),
  /** Null without the scope `router.use`, or while the Router is away. */
  router: z.object({ allowanceUsd: Usd, spentTodayUsd: Usd }).nullable(),
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
  self: z.boolean(),
})
export type Sibling = z.output<typeof Sibling>

/** What an owner has staked. */
export const StakeView = z.object({
  owner: Address,
  /** The Router's day, counted from the first. */
  epoch: z.number().int().nonnegative(),
  /** Base units of the stake token, as decimal text. */
  stake: z.string().regex(/^(0|[1-9]\d*)$/, 'must be base units'),
  /** What the stake is worth on the Router in this epoch. */
  computeTodayUsd: Usd,
  /** Where the owner changes it. */
  stakeUrl: z.url(),
})
export type StakeView = z.output<typeof StakeView>
