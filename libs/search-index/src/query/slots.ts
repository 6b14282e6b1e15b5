import type { Ordered } from '../numbers/ordered.ts'
import type { Aliases } from '../words/aliases.ts'
import { partsOf } from '../words/compound.ts'
import type { Postings } from '../words/postings.ts'
import { isStopWord } from '../words/stop-words.ts'
import { IN_NAME, IN_TEXT, OTHERWISE_IN_NAME, OTHERWISE_IN_TEXT, weightOf } from './relevance.ts'
import type { LooseWord } from './search-query.ts'

/** Words that match a word of a query equally well: where they occur, and what they are worth. */
export interface Ways {
  readonly names: readonly Ordered[]
  readonly texts: readonly Ordered[]
  readonly inName: number
  readonly inText: number
}

/** One word of a query and everything that matches it, the best first. */
export interface Slot {
  readonly weight: number
  readonly ways: readonly Ways[]
}

/** A prefix of so many words that their lists are not walked: each document is checked. */
export interface WideSlot {
  readonly weight: number
  readonly prefix: string
  /** The words that begin with the prefix, unless they are too many to gather. */
  readonly ids: ReadonlySet<number> | undefined
  /** The slot of the prefix if it is a word itself; longer words are then worth less. */
  readonly whole: Slot | undefined
}

/** What the words of one query are looked up in. */
export interface Corpus {
  readonly postings: Postings
  /** How many documents there are. */
  readonly all: number
  readonly aliases: Aliases
  /** How many more words may be looked up in other spellings, since each is compared with very many. */
  readonly spellings: { left: number }
}

/** If there are more lists, they are not walked side by side. */
const MANY_LISTS = 128
/** If more words begin alike, they are not gathered. */
const MANY_WORDS = 2_000
/** The most other spellings of one word. */
const MOST_SPELLINGS = 8
/** A word may be mistyped if at most this many documents have it; in small collections, only if none has. */
const MOST_OF_MISTYPED = 3
const DOCUMENTS_OF_ONE = 4_000

/**
 * Returns the slots of a query's words. A stop word counts only if there is nothing else. Words that form one
 * expression (an alias of several words) are also looked up as a whole: `text to image` is not `image to text`.
 */
export function slotsOf(
  words: readonly LooseWord[],
  corpus: Corpus,
  isAlone: boolean,
): { readonly slots: readonly Slot[]; readonly wide: readonly WideSlot[] } {
  const texts = words.map(({ word }) => word)
  const { postings, aliases } = corpus
  const said = aliases.in(texts)
  const counts = (word: string) => !isStopWord(word)
  const hasOthers = !isAlone || texts.some(counts)
  const slots: Slot[] = []
  const wide: WideSlot[] = []
  for (const [index, { word, isPrefix }] of words.entries()) {
    if ((hasOthers && !counts(word)) || texts.indexOf(word) < index) continue
    const labels = said.filter(({ from, to }) => from <= index && index < to).map(({ label }) => label)
    const joined = [`${texts[index - 1] ?? ''}${word}`, `${word}${texts[index + 1] ?? ''}`].filter(
      (one) => one !== word,
    )
    const otherwise = [...labels, ...joined].flatMap((one) => postings.vocabulary.idOf(one) ?? [])
    const going = isPrefix ? postings.vocabulary.startingWith(word, MANY_WORDS) : []
    const isWide = !going || going.length > MANY_LISTS
    const slot = slotOf(word, isWide ? [] : going, otherwise, corpus)
    if (slot) slots.push(slot)
    else if (!isWide) slots.push(...slotsOfParts(word, corpus))
    if (isWide) wide.push(wideSlot(word, going, slot, corpus))
  }
  for (const { label, from, to } of said) {
    const slot = to - from > 1 ? slotOf(label, [], [], corpus) : undefined
    if (slot) slots.push(slot)
  }
  return { slots, wide }
}

/** A word that no document has, and that stands for no other, may be several words written as one. */
function slotsOfParts(word: string, corpus: Corpus): readonly Slot[] {
  const { postings } = corpus
  const havingOf = (part: string) => {
    const id = postings.vocabulary.idOf(part)
    return id === undefined ? 0 : (postings.of('texts', id)?.size ?? 0)
  }
  const parts = partsOf(word, havingOf).filter((part) => !isStopWord(part))
  return parts.flatMap((part) => slotOf(part, [], [], corpus) ?? [])
}

function wideSlot(
  prefix: string,
  going: readonly number[] | undefined,
  whole: Slot | undefined,
  { postings, all }: Corpus,
): WideSlot {
  const having = going ? Math.min(all, sizeOf(going, postings)) : all
  return { weight: whole?.weight ?? weightOf(having, all), prefix, ids: going && new Set(going), whole }
}

/** @param going the words that begin with it, including itself, if it may continue */
function slotOf(word: string, going: readonly number[], others: readonly number[], corpus: Corpus): Slot | undefined {
  const { postings, all, spellings } = corpus
  const { vocabulary } = postings
  const whole = vocabulary.idOf(word)
  const first = whole === undefined ? going : [whole]
  const otherwise = new Set([...vocabulary.withStemOf(word), ...others, ...going])
  for (const id of first) otherwise.delete(id)
  const known = sizeOf(first, postings)
  const isRare = known + sizeOf(otherwise, postings) <= Math.min(MOST_OF_MISTYPED, Math.floor(all / DOCUMENTS_OF_ONE))
  if (isRare && spellings.left > 0) {
    spellings.left -= 1
    for (const id of spellingsOf(word, postings)) if (!first.includes(id)) otherwise.add(id)
  }
  const having = known > 0 ? known : sizeOf(otherwise, postings)
  if (having === 0) return undefined
  const weight = weightOf(Math.min(having, all), all)
  const ways = [
    waysOf(first, postings, weight * IN_NAME, weight * IN_TEXT),
    waysOf([...otherwise], postings, weight * OTHERWISE_IN_NAME, weight * OTHERWISE_IN_TEXT),
  ]
  return { weight, ways: ways.filter(({ texts }) => texts.length > 0) }
}

function sizeOf(ids: Iterable<number>, postings: Postings): number {
  let size = 0
  for (const id of ids) size += postings.of('texts', id)?.size ?? 0
  return size
}

/** The known words that a mistyped one may stand for, the most frequent first, with those of the same stems. */
function spellingsOf(word: string, postings: Postings): readonly number[] {
  const size = (id: number) => postings.of('texts', id)?.size ?? 0
  const near = postings.vocabulary.near(word).toSorted((a, b) => size(b) - size(a))
  return near.slice(0, MOST_SPELLINGS).flatMap((id) => [id, ...postings.vocabulary.kindredOf(id)])
}

function waysOf(ids: readonly number[], postings: Postings, inName: number, inText: number): Ways {
  const lists = (part: 'names' | 'texts') =>
    ids.flatMap((id) => postings.of(part, id) ?? []).filter(({ size }) => size > 0)
  return { names: lists('names'), texts: lists('texts'), inName, inText }
}
