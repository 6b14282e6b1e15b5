import type { Ordered } from '../numbers/ordered.ts'
import { type Aliases, NO_ALIASES } from '../words/aliases.ts'
import type { Part, Postings, Terms } from '../words/postings.ts'
import { QueryTerm } from './query-term.ts'
import { nameKey } from './query-text.ts'
import { IN_NAME, IN_TEXT, OTHERWISE_IN_NAME, OTHERWISE_IN_TEXT, weightOf } from './relevance.ts'
import { type Clause, readQuery, saysWhatIs } from './search-query.ts'
import { type Corpus, type Slot, slotsOf, type WideSlot } from './slots.ts'

/** A part of a query that can only be checked on the document itself: a phrase, or a prefix of very many words. */
export interface Lookup {
  readonly inName: number
  readonly inText: number
  /** Returns -1 if the document cannot be a hit. */
  readonly pointsOf: (terms: Terms) => number
  /** Lists that contain every document that has it in its name; undefined if they are too many to gather. */
  readonly names: readonly Ordered[] | undefined
}

/** One alternative of a query, with words as numbers of a vocabulary. */
export interface CompiledClause {
  readonly slots: readonly Slot[]
  readonly lookups: readonly Lookup[]
  /** Lists that contain every hit. */
  readonly musts: readonly Ordered[]
  /** The points of a document that has everything in its name. */
  readonly total: number
  /** Lists of which no hit is in any: those of excluded words. */
  readonly withouts: readonly Ordered[]
  /** Excluded phrases, which only the document itself shows; undefined if there is none. */
  readonly excludes: ((terms: Terms) => boolean) | undefined
}

/** A query with words as numbers of a vocabulary. */
export interface CompiledQuery {
  /** Without any, nothing is found. */
  readonly clauses: readonly CompiledClause[]
  /** The documents whose name is the query. */
  readonly named: Ordered | undefined
  /** Whether all hits rank alike. */
  readonly isUnranked: boolean
}

const EVERYTHING: CompiledClause = { slots: [], lookups: [], musts: [], total: 0, withouts: [], excludes: undefined }

/** The documents that a query asks for. */
export interface Searched {
  readonly postings: Postings
  /** How many documents there are. */
  readonly all: number
  /** The documents of a name key. */
  readonly named: (key: string) => Ordered | undefined
  readonly aliases?: Aliases
}

/** @param q made by `plainQuery`; without a word, it asks for everything */
export function compileQuery(q: string, { postings, all, named, aliases = NO_ALIASES }: Searched): CompiledQuery {
  const query = readQuery(q)
  if (query.length === 0) return { clauses: [EVERYTHING], named: undefined, isUnranked: true }
  const isRanked = saysWhatIs(query)
  const corpus: Corpus = { postings, all, aliases, spellings: { left: MOST_SPELT } }
  const alternatives = query.map((clause) => clausesOf(clause, corpus)).filter(({ length }) => length > 0)
  const clauses = alternatives.slice(0, MOST_ALTERNATIVES).flat()
  return { clauses, named: isRanked ? named(nameKey(q)) : undefined, isUnranked: !isRanked }
}

/** If more alternatives of a query may find something, only the first ones count: each is a search of its own. */
const MOST_ALTERNATIVES = 6
/** How many words of one query are also looked up in other spellings. */
const MOST_SPELT = 4
/** If a query has more words, only the weightiest count. */
const MOST_SLOTS = 12

/** Returns none if nothing can be found. */
function clausesOf({ terms, words }: Clause, corpus: Corpus): CompiledClause[] {
  const { postings, all } = corpus
  const wanted = terms.map((term) => new QueryTerm(term, postings))
  const required = wanted.filter(({ isExcluded }) => !isExcluded)
  const excluded = wanted.filter(({ isExcluded }) => isExcluded)
  const phrasesOut = excluded.filter(({ ids }) => ids.length > 1)
  const lists = required.flatMap(({ ids }) => ids.map((id) => postings.of('texts', id)))
  const musts = lists.filter((list) => list !== undefined)
  if (musts.length < lists.length) return []
  const looked = slotsOf(words, corpus, required.length === 0)
  const slots = looked.slots.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_SLOTS)
  const phrases = required.map((term) => phraseLookup(term, postings, all))
  const open = looked.wide.filter(({ whole }) => !whole).map((slot) => prefixLookup(slot, postings))
  const longer = looked.wide.filter(({ whole }) => whole && slots.includes(whole))
  if (words.length > 0 && slots.length + open.length + required.length === 0) return []
  const clause = {
    slots,
    lookups: [...phrases, ...open],
    musts,
    total: sum(slots.map(({ weight }) => weight * IN_NAME)) + sum([...phrases, ...open].map(({ inName }) => inName)),
    withouts: excluded.flatMap(({ ids: [id, ...more] }) =>
      id === undefined || more.length > 0 ? [] : (postings.of('texts', id) ?? []),
    ),
    excludes:
      phrasesOut.length === 0
        ? undefined
        : (document: Terms) => !phrasesOut.every((term) => term.holds(document, 'texts')),
  }
  if (longer.length === 0) return [clause]
  // The same with longer words, which are worth less: they need a check of each document, whole words do not.
  const withLonger = {
    ...clause,
    slots: slots.filter((slot) => !longer.some(({ whole }) => whole === slot)),
    lookups: [...clause.lookups, ...longer.map((slot) => prefixLookup(slot, postings))],
  }
  return [clause, withLonger]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

function phraseLookup(term: QueryTerm, postings: Postings, all: number): Lookup {
  const rarest = Math.min(...term.ids.map((id) => postings.of('texts', id)?.size ?? 0))
  // A name with the phrase has all of its words.
  const names = term.ids.map((id) => postings.of('names', id)).toSorted((a, b) => (a?.size ?? 0) - (b?.size ?? 0))
  const weight = weightOf(rarest, all)
  const [inName, inText] = [weight * IN_NAME, weight * IN_TEXT]
  const pointsOf = (terms: Terms) => {
    if (!term.holds(terms, 'texts')) return -1
    return term.holds(terms, 'names') ? inName : inText
  }
  return { inName, inText, pointsOf, names: names.slice(0, 1).filter((list) => list !== undefined) }
}

/** If there are more documents, they are not gathered. */
const MOST_GATHERED = 20_000

function prefixLookup({ weight, prefix, ids, whole }: WideSlot, postings: Postings): Lookup {
  const inName = weight * (whole ? OTHERWISE_IN_NAME : IN_NAME)
  const goesOn = (id: number) => (ids ? ids.has(id) : postings.vocabulary.begins(id, prefix))
  const stands = ({ wordsAt, nameEnd, textEnd }: Terms, part: Part) => {
    const chunk = postings.words.chunkOf(wordsAt)
    const start = postings.words.startOf(wordsAt)
    const end = part === 'names' ? nameEnd : textEnd
    for (let at = 0; at < end; at += 1) if (goesOn(chunk[start + at] ?? 0)) return true
    return false
  }
  // If its words are not known, nothing says which names to walk through: a document only matches or does not.
  const inText = ids ? weight * (whole ? OTHERWISE_IN_TEXT : IN_TEXT) : inName
  const pointsOf = (terms: Terms) => {
    if (ids && stands(terms, 'names')) return inName
    return stands(terms, 'texts') ? inText : 0
  }
  const names = ids && [...ids].flatMap((id) => postings.of('names', id) ?? [])
  const isGathered = names && sum(names.map(({ size }) => size)) <= MOST_GATHERED
  return { inName, inText, pointsOf, names: isGathered ? names : undefined }
}
