import { z } from 'zod'
import { operation } from '../../operation.ts'
import { notFound } from '../../refusals.ts'
import { Timestamp, Usd } from '../../schemas/words.ts'
import { KeySource } from './links.ts'

const Level = z.enum(['owner', 'agent', 'key', 'balance'])

/** A spending level as it was at the moment. */
const LevelThen = z.object({
  level: Level,
  /** Null: no limit. */
  limitUsd: Usd.nullable(),
  /** `recorded`: the limit at that time; `now`: the present limit, because that of the time was not recorded. */
  limitFrom: z.enum(['recorded', 'now']),
  spentUsd: Usd,
  heldUsd: Usd,
  /** Null: no limit. */
  leftUsd: Usd.nullable(),
})

/** For the operator: the moment is reconstructed from the stored calls, ledger and limits. */
export const why = operation({
  id: 'router.why',
  summary: 'What a key could spend at a given time, what limited it, and which calls were refused around then',
  timeoutMs: 30_000,
  input: z.object({
    /** The id of a key, or the start of its secret. */
    key: z.string().min(1).max(64),
    at: Timestamp,
    /** The amount that a call needed to hold; to the nano-USD. */
    amountUsd: z
      .string()
      .regex(/^(0|[1-9]\d{0,8})(\.\d{1,9})?$/, 'must be a decimal USD amount of at most 9 decimals')
      .optional(),
  }),
  output: z.object({
    key: z.object({
      id: z.string(),
      prefix: z.string(),
      label: z.string(),
      owner: z.string(),
      linkId: z.string().nullable(),
      source: KeySource,
      createdAt: Timestamp,
      endedAt: Timestamp.nullable(),
    }),
    levels: z.array(LevelThen),
    /** For a key of Compute, what its own calls paid in; drawn on where its levels leave too little. Null: nothing. */
    paidIn: LevelThen.pick({ limitUsd: true, spentUsd: true, heldUsd: true, leftUsd: true }).nullable(),
    /** The most that a call could have held within the levels; null where no level had a limit. */
    largestUsd: Usd.nullable(),
    /** The level that refuses the amount, the tightest of several; null where none does, or no amount is given. */
    refusedBy: Level.nullable(),
    underWay: z.number().int(),
    concurrency: z.number().int(),
    /** Calls of the key admitted in the minute before; those refused for its rate are not counted. */
    admittedInMinute: z.number().int(),
    requestsPerMinute: z.number().int(),
    /** The calls that held the most of the key's levels, largest first. */
    holding: z.array(
      z.object({ callId: z.string(), keyId: z.string(), model: z.string(), heldUsd: Usd, createdAt: Timestamp }),
    ),
    /** Calls of the key that a limit refused within five seconds of the moment, nearest first. */
    refusals: z.array(
      z.object({
        at: Timestamp,
        model: z.string(),
        surface: z.string(),
        limit: Level,
        askedUsd: Usd,
        leftUsd: Usd,
        inFlightUsd: Usd,
      }),
    ),
  }),
  errors: [notFound],
})
