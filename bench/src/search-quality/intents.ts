import { seeded } from '../discovery/random.ts'
import { type Capability, FIELD, subjectsOf } from './field.ts'
import type { Facts } from './listings.ts'

export type IntentKind =
  | 'keywords'
  | 'question'
  | 'synonym'
  | 'subject'
  | 'language'
  | 'typo'
  | 'code'
  | 'brand'
  | 'unfinished'
  | 'filter'

/** What someone looks for, the query typed for it, and how well a listing answers it by its facts. */
export interface Intent<Kind extends string = IntentKind> {
  readonly kind: Kind
  readonly q: string
  readonly filters?: { readonly category?: string; readonly maxPrice?: string }
  /** 3 for exactly that, 1 for something of the kind, 0 for anything else. */
  readonly gradeOf: (facts: Facts) => number
}

const isOf =
  ({ id }: Capability) =>
  ({ capability }: Facts) =>
    capability === id ? 3 : 0

const TYPOS = 70
const BRANDS = 24
const UNFINISHED = 30
const FILTERED = 30
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** The intents of the judged set, the same in every run. */
export function intents(listings: readonly Facts[]): Intent[] {
  const random = seeded(97)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const capability = () => pick(FIELD.capabilities)
  const typed = () => pick(FIELD.capabilities.filter(({ keywords }) => keywords.some(hasLongWord)))
  const times = <Made>(count: number, make: () => Made) => Array.from({ length: count }, make)
  const visible = listings.filter(({ isVisible }) => isVisible)
  return [
    ...FIELD.capabilities.flatMap(plainIntents),
    ...FIELD.codes.map(
      ({ code }): Intent => ({ kind: 'code', q: code, gradeOf: (one) => (one.code === code ? 3 : 0) }),
    ),
    ...times(TYPOS, (): Intent => {
      const one = typed()
      return { kind: 'typo', q: mistyped(pick(one.keywords.filter(hasLongWord)), random), gradeOf: isOf(one) }
    }),
    ...times(BRANDS, (): Intent => {
      const { brand } = pick(visible)
      const q = random() < 0.5 ? brand : mistyped(brand, random)
      return { kind: 'brand', q, gradeOf: (one) => (one.brand === brand ? 3 : 0) }
    }),
    ...times(UNFINISHED, (): Intent => {
      const one = capability()
      return { kind: 'unfinished', q: unfinished(pick(one.keywords)), gradeOf: isOf(one) }
    }),
    ...times(FILTERED, (): Intent => {
      const one = capability()
      const filters = random() < 0.5 ? { category: one.category } : { maxPrice: '0.005' }
      const isIn = ({ category, price }: Facts) =>
        'category' in filters ? category === filters.category : price <= 0.005
      return {
        kind: 'filter',
        q: pick(one.keywords),
        filters,
        gradeOf: (facts) => (isIn(facts) ? isOf(one)(facts) : 0),
      }
    }),
  ]
}

function plainIntents(one: Capability): Intent[] {
  const gradeOf = isOf(one)
  const as = (kind: IntentKind, queries: readonly string[]) => queries.map((q): Intent => ({ kind, q, gradeOf }))
  const aboutSubjects = subjectsOf(one)
    .filter((_, index) => index % 2 === 0)
    .map((subject): Intent => {
      const form = subject.forms.at(-1) ?? subject.id
      const gradeFor = (facts: Facts) =>
        facts.capability !== one.id ? 0 : facts.subject === subject.id ? 3 : facts.subject === null ? 1 : 0
      return { kind: 'subject', q: `${one.keywords[0]} ${form}`, gradeOf: gradeFor }
    })
  return [
    ...as('keywords', one.keywords),
    ...as('question', one.questions),
    ...as('synonym', one.synonyms),
    ...aboutSubjects,
    ...Object.values(one.languages).flatMap(({ asks }) => as('language', asks)),
  ]
}

/** In shorter words a wrong letter makes a different word. */
const hasLongWord = (text: string): boolean => /\w{5}/.test(text)

/** With one letter too many, missing, wrong or misplaced in its longest word. */
function mistyped(text: string, random: () => number): string {
  const words = text.split(' ')
  const longest = words.reduce((long, word) => (word.length > long.length ? word : long))
  const at = 1 + Math.floor(random() * (longest.length - 2))
  const letter = LETTERS.charAt(Math.floor(random() * LETTERS.length))
  const [before, here, after] = [longest.slice(0, at), longest.charAt(at), longest.slice(at + 1)]
  const made = [
    `${before}${letter}${here}${after}`,
    `${before}${after}`,
    `${before}${letter}${after}`,
    `${before}${after.charAt(0)}${here}${after.slice(1)}`,
  ][Math.floor(random() * 4)]
  return words.map((word) => (word === longest ? (made ?? word) : word)).join(' ')
}

/** The text while its last word is being typed. */
function unfinished(text: string): string {
  const words = text.split(' ')
  const last = words.at(-1) ?? ''
  return [...words.slice(0, -1), last.slice(0, Math.max(3, Math.ceil(last.length * 0.6)))].join(' ')
}
