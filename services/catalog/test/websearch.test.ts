import { nameKey, plainQuery, readQuery } from '@callboard/search-index'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { DirectoryIndex } from '../src/directory/directory-index.ts'
import { pageOf } from '../src/directory/page.ts'
import { everything } from '../src/domain/visibility.ts'

const WORDS = ['deep', 'deeper', 'thought', 'or', 'maps', 'x2']

let database: TestDatabase
const index = new DirectoryIndex()
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  await database.query('create table listing (slug text collate "C", name text, name_key text, text text)')
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 })
  for (const [at, [name, more]] of fc.sample(fc.tuple(words, words), { seed: 3, numRuns: 60 }).entries()) {
    const slug = `s${100 + at}`
    // A phrase does not continue from the name into the text.
    const text = [...name, 'boundary', ...more].join(' ')
    const facts = { lowestPrice: '0.01', hasSeveralOffers: false, uptime7d: 1 }
    const row = [slug, name.join(' '), nameKey(name.join(' ')), text]
    await database.query('insert into listing values ($1, $2, $3, $4)', row)
    const more_ = {
      ...facts,
      key: 0,
      tieBreak: 0,
      facets: [],
      labels: [],
      offers: [],
      isVouchedFor: true,
      okAtMs: 0,
      snapshot: '',
      seen: '',
    }
    index.put({ slug, name: name.join(' '), text: more.join(' '), ...more_ })
  }
})
afterAll(() => database.drop())

/**
 * What Postgres finds by its own reading of web search syntax, and whether the name has all of an alternative that
 * matches: an alternative that the text excludes does not match by name either.
 */
async function foundByPostgres(q: string): Promise<[slug: string, isInName: boolean][]> {
  const [query] = await database.query<{ words: string; tiered: boolean }>(
    `select words, querytree(words::tsquery) not in ('', 'T') as tiered
     from (select websearch_to_tsquery('simple', $1)::text as words) asked`,
    [q],
  )
  const rows = await database.query<{ slug: string; named: boolean; found: boolean; titled: boolean }>(
    `select slug, name_key = $2 as named, to_tsvector('simple', text) @@ $1::text::tsquery as found,
            exists (select from unnest(string_to_array($1::text, ' | ')) alternative
                    where to_tsvector('simple', text) @@ alternative::tsquery
                      and to_tsvector('simple', name) @@ alternative::tsquery) as titled from listing order by slug`,
    [query?.words, nameKey(q)],
  )
  return rows.flatMap(({ slug, named, found, titled }): [string, boolean][] => {
    if (query?.words === '') return [[slug, true]]
    if (!query?.tiered) return found ? [[slug, true]] : []
    return found || named ? [[slug, named || titled]] : []
  })
}

const phrase = fc.array(fc.constantFrom(...WORDS, 'OR', 'Deep', 'zebra'), { minLength: 1, maxLength: 2 })
const piece = fc.oneof(
  { weight: 6, arbitrary: phrase.map((words) => `"${words.join(' ')}"`) },
  { weight: 3, arbitrary: fc.constantFrom(' ', '  ', ' or ', ' -', '"', '!', '(', ' & ', '%') },
)
const query = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', ' ', '')), { maxLength: 8 })
  .map((pieces) => plainQuery(pieces.flat().join('')))

test('quoted, excluded and alternative words find what Postgres finds with websearch_to_tsquery', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (q) => {
      // A word excluded twice is required for both, but Postgres does not look for it in names.
      fc.pre(!/-[\s!&|():]*-/.test(q))
      // Words outside quotes are optional for us and required for Postgres.
      fc.pre(readQuery(q).every(({ words }) => words.length === 0))
      const { rows } = pageOf(index, { q, visibility: everything, nowMs: 0 }, { limit: 1_000 })
      const found = rows.map(({ place }): [string, boolean] => [place.slug, place.tier <= 1])
      const theirs = await foundByPostgres(q)
      expect(found.map(([slug]) => slug).sort(), q).toEqual(theirs.map(([slug]) => slug))
      for (const [slug, isInName] of theirs) if (isInName) expect(found, q).toContainEqual([slug, true])
    }),
    { numRuns: 1_000 },
  )
}, 60_000)
