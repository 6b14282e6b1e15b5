import queries from './queries.json' with { type: 'json' }

/** What is wanted, in the notation of `gradeOf`, and the query typed for it. */
export type Row = readonly [wanted: string, q: string]

/**
 * Queries written by hand, by kind: `keywords` two or three words for every capability · `synonym` other words of the
 * field for it · `abbreviation` short forms of the trade · `word form` plural, verb, or who does it · `other spelling`
 * British or American, joined or separate · `code` standards, models and cards not written in full · `subject` a thing
 * and what it is about · `question` as put to an assistant · `request of an agent` the thing, with everything it was
 * told to want · `two needs` that no listing meets both of, so that either is right · `price in words` and `negation`
 * stated in the query · `phrase` in quotation marks · `accents` German, French and Spanish with and without them ·
 * `CJK` without spaces · `operation` as programs name it · `prefix` the part typed so far.
 */
export const QUERIES = queries as unknown as Readonly<Record<keyof typeof queries, readonly Row[]>>
