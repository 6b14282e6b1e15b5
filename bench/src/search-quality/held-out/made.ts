import { seeded } from '../../discovery/random.ts'
import type { Intent } from '../intents.ts'
import type { Facts, JudgedListing } from '../listings.ts'
import { snapshotOf } from '../snapshots.ts'
import { slipped } from './keyboard.ts'
import { QUERIES, type Row } from './queries.ts'
import { gradeOf } from './relevance.ts'

type Made = Intent<string>

const SEED = 90_210
const SLIPS = 48
const SOUGHT = 24
const FILTERED = 24
const CAPS = ['0.002', '0.01', '0.05'] as const
const MIXED_UP = /^[a-z ]*[a-z]{4,}[a-z ]*$/

const firstOf = <Item>(items: readonly Item[], count: number, random: () => number): Item[] =>
  items
    .map((item) => ({ item, drawn: random() }))
    .sort((a, b) => a.drawn - b.drawn)
    .slice(0, count)
    .map(({ item }) => item)

/** Queries of the other kinds, typed with a slip; the expected results are those without it. */
export function mistyped(): Made[] {
  const random = seeded(SEED)
  const rows = [...QUERIES.keywords, ...QUERIES.synonym, ...QUERIES.subject].filter(([, q]) => MIXED_UP.test(q))
  return firstOf(rows, SLIPS, random).map(([wanted, q]) => ({
    kind: 'typing slip',
    q: slipped(q, random),
    gradeOf: gradeOf(wanted),
  }))
}

/** One seller, by its exact name, mistyped, or together with what it sells. */
export function byBrand(listings: readonly JudgedListing[]): Made[] {
  const random = seeded(SEED + 1)
  const shapes = [
    ({ brand }: Facts) => brand,
    ({ brand }: Facts) => brand.toLowerCase(),
    ({ brand }: Facts) => `${brand} API`,
    ({ brand, capability }: Facts) => `${brand} ${capability.replace('-', ' ')}`,
    ({ brand }: Facts) => slipped(brand.toLowerCase(), random),
    ({ brand, capability }: Facts) => `${capability.replace('-', ' ')} by ${brand}`,
  ]
  return sellers(listings, random).map(({ facts }, number) => ({
    kind: 'product name',
    q: shapes[number % shapes.length]?.(facts) ?? facts.brand,
    gradeOf: thatOne(facts),
  }))
}

/** One seller, by the address of its API, as copied from a bill, a log or an address bar. */
export function byHost(listings: readonly JudgedListing[]): Made[] {
  const random = seeded(SEED + 2)
  const shapes = [
    ({ host }: URL) => host,
    ({ host }: URL) => host.split('.').slice(1).join('.'),
    ({ href }: URL) => href,
    ({ origin }: URL) => origin,
    ({ host, pathname }: URL) => `${host}${pathname}`,
    ({ host }: URL) => host.toUpperCase(),
  ]
  return sellers(listings, random).map(({ facts, record }, number) => {
    const url = new URL(snapshotOf(record).operations[0]?.url ?? '')
    return { kind: 'host', q: shapes[number % shapes.length]?.(url) ?? url.host, gradeOf: thatOne(facts) }
  })
}

/** A query together with a highest price or a category that was selected, not typed. */
export function filtered(listings: readonly JudgedListing[]): Made[] {
  const random = seeded(SEED + 3)
  const categoryOf = new Map(listings.map(({ facts }) => [facts.capability, facts.category]))
  return firstOf([...QUERIES.keywords, ...QUERIES.synonym, ...QUERIES.abbreviation], FILTERED, random).map(
    ([wanted, q]: Row, number) => {
      const grade = gradeOf(wanted)
      const category = categoryOf.get(wanted.split('@')[0] ?? '')
      const maxPrice = CAPS[number % CAPS.length] ?? CAPS[0]
      return number % 2 === 0 || category === undefined
        ? {
            kind: 'filter',
            q,
            filters: { maxPrice },
            gradeOf: (facts) => (facts.price <= Number(maxPrice) ? grade(facts) : 0),
          }
        : {
            kind: 'filter',
            q,
            filters: { category },
            gradeOf: (facts) => (facts.category === category ? grade(facts) : 0),
          }
    },
  )
}

const sellers = (listings: readonly JudgedListing[], random: () => number): JudgedListing[] =>
  firstOf(
    listings.filter(({ facts }) => facts.isVisible && facts.brand.length > 5),
    SOUGHT,
    random,
  )

/** Only that listing: a search for a seller by name is not for another. */
const thatOne =
  ({ slug }: Facts) =>
  (facts: Facts): number =>
    facts.slug === slug ? 3 : 0
