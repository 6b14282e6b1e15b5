import { z } from 'zod'

/**
 * A listing's place in the directory; every member rises along the order. `tier` is 0 for an exact name, and rises the
 * less the listing has of the query; `floor` is the last tier that was a result when the page was read, `vouchedFloor`
 * that of listings that are our own or verified. Those of them that are below `floor` follow all others (`isRest`).
 * Cursors of earlier versions have none of these, nor a `tieBreak`.
 */
export const DirectoryPlace = z.object({
  groupRank: z.int(),
  tier: z.int(),
  floor: z.int(),
  vouchedFloor: z.int().optional(),
  isRest: z.boolean().optional(),
  distrust: z.int(),
  staleness: z.int(),
  tieBreak: z.int().optional(),
  slug: z.string(),
})
export type DirectoryPlace = z.output<typeof DirectoryPlace>

/** The version of the order of a wallet's agents. */
export const AGENT_ORDER = 'agent-v1'

/** An agent's place among those of a wallet; every member rises along the order, `agentId` as a number. */
export const AgentPlace = z.object({
  network: z.string(),
  registry: z.string(),
  agentId: z.string().regex(/^\d{1,78}$/),
})
export type AgentPlace = z.output<typeof AgentPlace>

/** The version of the ledger's order. */
export const LEDGER_ORDER = 'ledger-v1'

/** A settlement's place in the ledger; every member falls along the order, where the newest is first. */
export const LedgerPlace = z.object({
  observedAtMs: z.int(),
  network: z.string(),
  blockNumber: z.int(),
  logIndex: z.int(),
  txHash: z.string(),
})
export type LedgerPlace = z.output<typeof LedgerPlace>
