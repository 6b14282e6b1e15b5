import type { Ordered } from '../numbers/ordered.ts'
import type { Aliases } from '../words/aliases.ts'
import { partsOf } from '../words/compound.ts'
import type { Postings } from '../words/postings.ts'
import { isStopWord } from '../words/stop-words.ts'
import { IN_NAME, IN_TEXT, OTHERWISE_IN_NAME, OTHERWISE_IN_TEXT, weightOf } from './relevance.ts'
import type { LooseWord } from './search-query.ts'

/** Words that answer to a word of a query alike: where they stand, and what a document has of them. */
export interface Ways {
  readonly names: readonly Ordered[]
  readonly texts: readonly Ordered[]
  readonly inName: number
  readonly inText: number
}

/** One word of a query and all that answers to it, the best first. */
export interface Slot {
  readonly weight: number
  readonly ways: readonly Ways[]
}

/** A prefix of so many words that no list of theirs is walked: each document is looked at. */
export interface WideSlot {
  readonly weight: number
  readonly prefix: string
  /** What the word may be, unless these are more than are gathered. */
  readonly ids: ReadonlySet<number> | undefined
  /** Where the prefix is a word itself, the slot of that; to go on with it is worth less then. */
  readonly whole: Slot | undefined
}

/** What the words of one query are looked for in. */
export interface Corpus {
  readonly postings: Postings
  /** How many documents there are. */
  readonly all: number
  readonly aliases: Aliases
  /** So many words may still be looked for in other spellings, since each is compared with very many. */
  readonly spellings: { left: number }
}

/** More lists are not walked side by side. */
const MANY_LISTS = 128
/** More words that begin alike are not gathered. */
const MANY_WORDS = 2_000
/** Other spellings of one word. */
const MOST_SPELLINGS = 8
/** A word that at most so many documents have may be mistyped; in small collections only one that none has. */
const MOST_OF_MISTYPED = 3
const DOCUMENTS_OF_ONE = 4_000

/**
 * What the words of a query are looked for by. A stop word counts only where there is nothing else. Words that say one
 * thing together (an alias of several) are looked for as that too: `text to image` is not `image to text`.
 */
export function slotsOf(
  words: readonly LooseWord[],
  corpus: Corpus,
  isAlone: boolean,
): { readonly slots: readonly Slot[]; readonly wide: readonly WideSlot[] } {
  const texts = words.map(({ word }) => word)
  const { postings, all, aliases } = corpus
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
    if (isWide) wide.push(wideSlot(word, going, slot, postings, all))
  }
  for (const { label, from, to } of said) {
    const slot = to - from > 1 ? slotOf(label, [], [], corpus) : undefined
    if (slot) slots.push(slot)
  }
  return { slots, wide }
}

/** A word that nobody has, and that stands for no other, may be several that were written as one. */
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
  postings: Postings,
  all: number,
): WideSlot {
  const having = going ? Math.min(all, sizeOf(going, postings)) : all
  return { weight: whole?.weight ?? weightOf(having, all), prefix, ids: going && new Set(going), whole }
}

/** @param going the words that begin with it, itself among them, where it may go on */
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

/** The known words that a mistyped one may stand for, those that most documents have first, with those of their stems. */
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
