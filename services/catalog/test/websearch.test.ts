import { nameKey, plainQuery, readQuery } from '@callboard/search-index'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { pageOf } from '../src/directory/page.ts'
import { Register } from '../src/directory/register.ts'
import { everything } from '../src/domain/visibility.ts'

const WORDS = ['deep', 'deeper', 'thought', 'or', 'maps', 'x2']

let database: TestDatabase
const register = new Register()
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  await database.query('create table listing (slug text collate "C", name text, name_key text, text text)')
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 })
  for (const [index, [name, more]] of fc.sample(fc.tuple(words, words), { seed: 3, numRuns: 60 }).entries()) {
    const slug = `s${100 + index}`
    const text = [...name, ...more].join(' ')
    const row = [slug, name.join(' '), nameKey(name.join(' ')), text]
    await database.query('insert into listing values ($1, $2, $3, $4)', row)
    const more_ = { key: 0, labels: [], isVouchedFor: true, okAtMs: 0, snapshot: '', checkSummary: '' }
    register.put({ slug, name: name.join(' '), text, ...more_ })
  }
})
afterAll(() => database.drop())

/** What Postgres finds, with the tier of each, by its own reading of web search syntax. */
async function foundByPostgres(q: string): Promise<[string, number][]> {
  const isPrefix = readQuery(q).some((terms) => terms.some((term) => term.isPrefix))
  const asked = `websearch_to_tsquery('simple', $1)::text`
  const [query] = await database.query<{ words: string; tiered: boolean }>(
    `select words, querytree(words::tsquery) not in ('', 'T') as tiered
     from (select ${isPrefix ? `regexp_replace(${asked}, '''$', ''':*')` : asked} as words) asked`,
    [q],
  )
  const rows = await database.query<{ slug: string; named: boolean; found: boolean; titled: boolean }>(
    `select slug, name_key = $2 as named, to_tsvector('simple', text) @@ $1::tsquery as found,
            to_tsvector('simple', name) @@ $1::tsquery as titled from listing order by slug`,
    [query?.words, nameKey(q)],
  )
  const found = rows.flatMap(({ slug, named, found, titled }): [string, number][] => {
    if (query?.words === '') return [[slug, 0]]
    if (!query?.tiered) return found ? [[slug, 0]] : []
    if (named) return [[slug, 0]]
    return found ? [[slug, titled ? 1 : 2]] : []
  })
  return found.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS, 'de', 'OR', 'Deep', 'zebra') },
  { weight: 3, arbitrary: fc.constantFrom(' ', '  ', ' or ', ' -', '"', '!', '(', ' & ', '%') },
)
const query = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', ' ', '')), { maxLength: 8 })
  .map((pieces) => plainQuery(pieces.flat().join('')))

test('a query finds what Postgres finds by websearch_to_tsquery, in the same tiers', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (q) => {
      // What is excluded twice is there for both of us, but makes one tier of all for Postgres.
      fc.pre(!/-[\s!&|():]*-/.test(q))
      const rows = pageOf(register, { q, visibility: everything, nowMs: 0 }, 1_000)
      expect(
        rows.map(({ place }) => [place.slug, place.tier]),
        q,
      ).toEqual(await foundByPostgres(q))
    }),
    { numRuns: 1_000 },
  )
}, 60_000)
