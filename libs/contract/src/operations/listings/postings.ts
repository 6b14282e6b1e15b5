import { z } from 'zod'
import { operation } from '../../operation.ts'
import { invalidRequest, invalidState, notFound, postingLimit } from '../../refusals.ts'
import { OperatorName, VerdictReason } from '../../schemas/checklist.ts'
import { PostingAsset, PostingId, PostingKind, PostingRecord } from '../../schemas/posting.ts'
import { Requester } from '../../schemas/requester.ts'
import { claimedName, shownText } from '../../schemas/shown-text.ts'
import { Category, Cursor, EndpointUrl, queryInt, Timestamp, Usd } from '../../schemas/words.ts'

/** A host name, not an IP address, so that no posting leads readers to an address inside their own network. */
const HOST_NAME = /^(?!.*\.\d+$)[^.[\]]+(\.[^.[\]]+)+$/

const ContactUrl = EndpointUrl.refine((text) => URL.parse(text)?.protocol === 'https:', 'must be an https URL').refine(
  (text) => HOST_NAME.test(URL.parse(text)?.hostname ?? ''),
  'must name a host by a domain name',
)

const Amount = Usd.max(20, 'must be at most 20 characters')

const fields = {
  title: claimedName(80).min(3),
  description: shownText('paragraphs', 1000).min(1),
  category: Category,
  amountUsd: Amount,
  accepts: z
    .array(PostingAsset)
    .min(1)
    .max(8)
    .refine(
      (given) => new Set(given.map(({ network, asset }) => `${network} ${asset}`)).size === given.length,
      'must name each asset once',
    ),
  contactUrl: ContactUrl,
  /** At most 30 days ahead. */
  expiresAt: Timestamp,
}

const owners = { auth: 'bearer', scope: 'call.publish', limit: 'manage', stability: 'beta' } as const

/** Without `expiresAt` a posting is open for 30 days. `requester` is absent where the caller is not the gateway. */
export const publishPosting = operation({
  id: 'listings.publishPosting',
  summary: 'Publish an offer of work that has no paid endpoint, or a request for something to buy',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/call/postings', ...owners, limit: 'publish', ok: 201, requester: true },
  input: z.strictObject({
    kind: PostingKind,
    ...fields,
    expiresAt: fields.expiresAt.optional(),
    requester: Requester.optional(),
  }),
  output: z.object({ posting: PostingRecord }),
  errors: [invalidRequest, postingLimit],
})

export const myPostings = operation({
  id: 'listings.myPostings',
  summary: 'The postings of the credential’s owner, oldest first; ended postings stay for 90 days',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/call/postings/mine', ...owners, ok: 200 },
  input: z.strictObject({ cursor: Cursor, limit: queryInt(1, 100).default(50) }),
  output: z.object({
    postings: z.array(PostingRecord),
    /** Null on the last page. */
    nextCursor: z.string().nullable(),
  }),
  errors: [invalidRequest],
})

const { title, description, category, amountUsd, accepts, contactUrl, expiresAt } = fields

/** A later `expiresAt` renews a posting, even an expired one. Its kind cannot change. */
export const editPosting = operation({
  id: 'listings.editPosting',
  summary: 'Change or renew a posting',
  timeoutMs: 5_000,
  http: { method: 'PATCH', path: '/api/call/postings/:id', ...owners, limit: 'publish', ok: 200, requester: true },
  input: z
    .strictObject({
      id: PostingId,
      title: title.optional(),
      description: description.optional(),
      category: category.optional(),
      amountUsd: amountUsd.optional(),
      accepts: accepts.optional(),
      contactUrl: contactUrl.optional(),
      expiresAt: expiresAt.optional(),
      requester: Requester.optional(),
    })
    .refine(({ id: _, requester: __, ...change }) => Object.values(change).some((value) => value !== undefined), {
      error: 'something to change must be given',
      path: ['title'],
    }),
  output: z.object({ posting: PostingRecord }),
  errors: [notFound, invalidRequest, invalidState, postingLimit],
})

export const closePosting = operation({
  id: 'listings.closePosting',
  summary: 'Close a posting for good',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: '/api/call/postings/:id', ...owners, ok: 204 },
  input: z.strictObject({ id: PostingId }),
  output: z.object({}),
  errors: [notFound],
})

/** The operator's verdict on a posting; called only by the operator command, never over HTTP. */
export const reviewPosting = operation({
  id: 'listings.reviewPosting',
  summary: 'Read a posting, or take it down for good with a reason for its owner',
  timeoutMs: 5_000,
  input: z.discriminatedUnion('verdict', [
    z.object({ verdict: z.literal('look'), id: PostingId }),
    z.object({
      verdict: z.literal('take_down'),
      id: PostingId,
      reason: VerdictReason,
      by: OperatorName.optional(),
    }),
  ]),
  output: z.object({ posting: PostingRecord }),
  errors: [notFound],
})
