import queries from './queries.json' with { type: 'json' }

/** What is wanted, as `gradeOf` reads it, and how it is typed. */
export type Row = readonly [wanted: string, q: string]

/**
 * What was written by hand, by kind:
 * `keywords` two or three words for every capability · `synonym` other words of the field for it · `abbreviation` short
 * forms of the trade · `word form` plural, verb, or who does it · `other spelling` British beside American, together beside
 * apart · `code` standards, models and cards otherwise than written in full · `subject` a thing and what it is about ·
 * `question` as put to an assistant · `request of an agent` the thing, and all around it that it was told to want ·
 * `two needs` of which no listing does both, so that either is right · `price in words` and `negation` said in the query ·
 * `phrase` in quotation marks · `accents` German, French and Spanish with marks and without · `CJK` without spaces ·
 * `operation` as programs name it · `prefix` as far as somebody has typed.
 */
export const QUERIES = queries as unknown as Readonly<Record<keyof typeof queries, readonly Row[]>>
