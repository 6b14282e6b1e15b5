import type { listings } from '../operations/index.ts'
import { CLAIMED_BY_POSTER, type Posting, type PostingRecord } from '../schemas/posting.ts'
import type { ExamplesOf } from './examples.ts'
import { JUST_NOW, NETWORK, OWNER, USDC } from './words.ts'

const POSTING_ID = 'posting_0b0f4a52-6f0b-4b5e-9a57-1d0b2f5a7c11'
const EXPIRES = '2026-12-22T09:30:00Z'

type Examples = ExamplesOf<typeof listings>

const said = {
  title: 'Translate a manual into Portuguese',
  description: 'About forty pages of a pump’s manual, by somebody who knows the words of the trade.',
  category: 'data',
  amountUsd: '250',
  accepts: [{ network: NETWORK, asset: USDC }],
  contactUrl: 'https://pumps.example/wanted/translation',
} satisfies Partial<Posting>

const shown = {
  id: POSTING_ID,
  kind: 'open_request',
  ...said,
  postedBy: OWNER,
  hasVerifiedListing: false,
  createdAt: JUST_NOW,
  updatedAt: JUST_NOW,
  expiresAt: EXPIRES,
} satisfies Omit<Posting, 'claims'>

const record: PostingRecord = { ...shown, status: 'open', endedBecause: null }

/** As the public sees it. */
export const posting: Posting = { ...shown, claims: [...CLAIMED_BY_POSTER] }

/** For the operations of an owner on postings. */
export const postingExamples = {
  publishPosting: {
    input: { kind: 'open_request', ...said, expiresAt: EXPIRES },
    output: { posting: record },
  },
  myPostings: { input: { limit: 50 }, output: { postings: [record], nextCursor: null } },
  editPosting: {
    input: { id: POSTING_ID, amountUsd: '300' },
    output: { posting: { ...record, amountUsd: '300' } },
  },
  closePosting: { input: { id: POSTING_ID }, output: {} },
} satisfies Partial<Examples>
