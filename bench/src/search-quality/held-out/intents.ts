import type { Intent } from '../intents.ts'
import type { JudgedListing } from '../listings.ts'
import { ABBREVIATIONS, KEYWORDS, type Row, SYNONYMS } from './keywords.ts'
import { ACCENTS, CJK } from './languages.ts'
import { byBrand, byHost, filtered, mistyped } from './made.ts'
import { OPERATIONS, PREFIXES } from './names.ts'
import { gradeOf } from './relevance.ts'
import { AGENT_REQUESTS, QUESTIONS, TWO_WISHES } from './sentences.ts'
import { CODES, SPELLINGS, WORD_FORMS } from './spellings.ts'
import { NEGATIONS, PHRASES, PRICES, SUBJECTS } from './wishes.ts'

const WRITTEN: Readonly<Record<string, readonly Row[]>> = {
  keywords: KEYWORDS,
  synonym: SYNONYMS,
  abbreviation: ABBREVIATIONS,
  'word form': WORD_FORMS,
  'other spelling': SPELLINGS,
  code: CODES,
  subject: SUBJECTS,
  question: QUESTIONS,
  'request of an agent': AGENT_REQUESTS,
  'two wishes': TWO_WISHES,
  'price in words': PRICES,
  negation: NEGATIONS,
  phrase: PHRASES,
  accents: ACCENTS,
  CJK,
  operation: OPERATIONS,
  prefix: PREFIXES,
}

/**
 * A second set, over the same listings, by an author who saw neither the first nor the table of aliases nor the ranking.
 * It says how search does where nobody tuned it. It stays of use only as long as that is so: what it shows to be weak is
 * mended for a reason found elsewhere, never until these queries pass.
 */
export const heldOutIntents = (listings: readonly JudgedListing[]): Intent<string>[] => [
  ...Object.entries(WRITTEN).flatMap(([kind, rows]) =>
    rows.map(([wanted, q]) => ({ kind, q, gradeOf: gradeOf(wanted) })),
  ),
  ...mistyped(),
  ...byBrand(listings),
  ...byHost(listings),
  ...filtered(listings),
]
