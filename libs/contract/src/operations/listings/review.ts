import { z } from 'zod'
import { operation } from '../../operation.ts'
import { invalidRequest, invalidState, nameResemblesVerified, notFound } from '../../refusals.ts'
import { ChecklistAnswer, OperatorName, VerdictReason } from '../../schemas/checklist.ts'
import { shownText } from '../../schemas/shown-text.ts'
import { ListingVisibility } from '../../schemas/visibility.ts'
import {
  Address,
  Group,
  HttpMethod,
  ListingStatus,
  Network,
  Slug,
  Timestamp,
  Usd,
  Verification,
} from '../../schemas/words.ts'
import { WatchedTarget } from '../liveness-prober.ts'

/** The operator's view of a listing, and verdict on it; called only by the operator command, never over HTTP. */
export const review = operation({
  id: 'listings.review',
  summary: 'Read what a review judges, grant verification to a live listing, reject or suspend it, or reverse that',
  timeoutMs: 5_000,
  input: z.object({
    slug: Slug,
    /** `reopen` reverses a rejection or a suspension: the owner may activate the listing again. */
    verdict: z.enum(['look', 'verify', 'reject', 'suspend', 'reopen']),
    /** Required for `reject` and `suspend`; shown to the owner. */
    reason: VerdictReason.optional(),
    /** The `seen` of an earlier look: the verdict applies to that, or is refused with `invalid_state`. Required by `verify`. */
    seen: z.string().max(100).optional(),
    /**
     * For `verify`: the checklist items that the operator affirms. All that the system does not affirm are required.
     */
    checked: z.array(z.string().max(40)).max(40).optional(),
    /** Stored with the verdict, and shown to no one else. */
    note: shownText('paragraphs', 1000).optional(),
    /** Who gives the verdict, as they say themselves. */
    by: OperatorName.optional(),
  }),
  output: z.object({
    slug: Slug,
    status: ListingStatus,
    verification: Verification,
    /** What a review judges, as it is now. */
    facts: z.object({
      name: z.string(),
      description: z.string(),
      payoutWallet: Address,
      payTo: Address,
      operations: z.array(
        z.object({ method: HttpMethod, url: z.string(), name: z.string(), description: z.string().optional() }),
      ),
    }),
    /** Identifies these facts; it changes when they do. */
    seen: z.string(),
    checklistVersion: z.number().int(),
    /** As the system answers it. */
    checklist: z.array(ChecklistAnswer),
  }),
  errors: [notFound, invalidState, invalidRequest, nameResemblesVerified],
})

/** A place in the operator's queue: when something began to wait, and its slug. */
const WaitingPlace = z.object({ since: Timestamp, slug: Slug })

/** What waits for the operator; called only by the operator command, never over HTTP. */
export const waiting = operation({
  id: 'listings.waiting',
  summary:
    'The listings whose owners ask for verification, and mirrored rows whose new terms need approval, oldest first',
  timeoutMs: 10_000,
  input: z.object({ limit: z.number().int().min(1).max(200), after: WaitingPlace.optional() }),
  output: z.object({
    waiting: z.array(
      z.object({
        ...WaitingPlace.shape,
        /** What is asked: that a listing is verified, or that a mirrored row may be paid on other terms than before. */
        asks: z.enum(['verification', 'terms']),
        name: z.string(),
      }),
    ),
    /** Absent on the last page. */
    next: WaitingPlace.optional(),
  }),
  errors: [],
})

/** The state of a listing or mirrored row, for the operator; called only by the operator command, never over HTTP. */
export const why = operation({
  id: 'listings.why',
  summary:
    'The position of a listing in each result, or why it is missing, with its probes, its payee and the verdict against it',
  timeoutMs: 10_000,
  input: z.object({ slug: Slug, q: z.string().max(200, 'must be at most 200 characters').optional() }),
  output: ListingVisibility.extend({
    group: Group,
    /** Null for a mirrored row that no one has claimed. */
    owner: Address.nullable(),
    /** The version of its newest snapshot, and the version in the directory, null for none. */
    version: z.number().int(),
    indexedVersion: z.number().int().nullable(),
    takenDownFor: z.string().nullable(),
    /** The operator's verdict in force against it. */
    verdict: z
      .object({ kind: z.enum(['rejected', 'suspended']), at: Timestamp, reason: z.string().nullable() })
      .nullable(),
    payTo: z.array(z.object({ network: Network, address: Address })),
    /** Whether its splitter's code was seen on chain; null where it is paid directly. */
    splitterDeployed: z.boolean().nullable(),
    endpoints: z.array(
      z.object({
        method: HttpMethod,
        url: z.string(),
        price: Usd.nullable(),
        pays: Address.nullable(),
        /** When the offer shown was read. */
        readAt: Timestamp.nullable(),
        problem: z.string().nullable(),
        /** As scheduled by the prober; null while it is not watched. */
        probe: WatchedTarget.nullable(),
      }),
    ),
  }),
  errors: [notFound],
})
