import { rmSync } from 'node:fs'
import { startPostgres } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import pg from 'pg'
import type { Comparison, Figure, Table } from '../figure.ts'
import { intents } from '../search-quality/intents.ts'
import { judged, type Verdict } from '../search-quality/judging.ts'
import { judgedListings } from '../search-quality/listings.ts'
import { MINISEARCH_VERSION, miniSearch } from '../search-quality/minisearch.ts'
import { ourSearch } from '../search-quality/ours.ts'
import { fillPostgres, postgresSearch } from '../search-quality/postgres.ts'

const LISTINGS = 15_000

interface Verdicts {
  readonly ours: Verdict
  readonly miniSearch: Verdict
  readonly allWords: Verdict
  readonly anyWord: Verdict
}

function comparisonsOf({ ours, miniSearch, allWords, anyWord }: Verdicts): Comparison[] {
  const peers = [
    { name: 'MiniSearch', verdict: miniSearch },
    { name: 'Postgres, all words', verdict: allWords },
    { name: 'Postgres, any word', verdict: anyWord },
  ]
  return peers.flatMap(({ name, verdict }): Comparison[] => [
    {
      what: 'nDCG@10',
      unit: '',
      better: 'more',
      ours: ours.ndcg,
      peer: { name, value: verdict.ndcg },
      target: { value: 0.8 },
    },
    {
      what: 'queries without a result',
      unit: '%',
      better: 'less',
      ours: ours.emptyShare * 100,
      peer: { name, value: verdict.emptyShare * 100 },
      target: { value: 2 },
    },
  ])
}

const tableOf = ({ ours, miniSearch, allWords, anyWord }: Verdicts): Table => ({
  title: 'nDCG@10 by kind of intent',
  columns: ['intents', 'ours', 'MiniSearch', 'Postgres, all words', 'Postgres, any word'],
  rows: [...ours.byKind].map(([kind, { intents: count, ndcg }]) => {
    const of = ({ byKind }: Verdict) => byKind.get(kind)?.ndcg ?? null
    return [kind, count, ndcg, of(miniSearch), of(allWords), of(anyWord)]
  }),
})

export const figure: Figure = {
  title: 'Search quality',
  method:
    'A judged set: 15,000 made-up listings of 58 capabilities, of which some 8,900 may be shown, and intents as keywords, questions, synonyms, other languages and scripts, codes, names, with typing errors, unfinished, and with filters. A listing is relevant by its facts (capability, subject, code, name, category, price), not by its words. Ours is the directory as discovery asks it, with the order of groups; the peers rank by their own scores over the same two texts of what may be shown: MiniSearch with its defaults, and English full text search of Postgres with weighted vectors and `ts_rank_cd`. Deterministic but for rounding.',
  async run() {
    const listings = judgedListings(LISTINGS)
    const facts = listings.map((one) => one.facts)
    const all = intents(facts)
    const dataDir = temporaryFolder('callboard-bench-')
    const postgres = await startPostgres({ dataDir })
    const client = new pg.Client({ connectionString: await postgres.createDatabase('judged') })
    try {
      await client.connect()
      await fillPostgres(client, listings)
      const verdicts: Verdicts = {
        ours: await judged(await ourSearch(listings), all, facts),
        miniSearch: await judged(miniSearch(listings), all, facts),
        allWords: await judged(postgresSearch(client, 'all'), all, facts),
        anyWord: await judged(postgresSearch(client, 'any'), all, facts),
      }
      return {
        versions: { minisearch: MINISEARCH_VERSION, postgres: '18' },
        comparisons: comparisonsOf(verdicts),
        tables: [tableOf(verdicts)],
        notes: [
          `Of ${all.length} intents every result of ours was as the filters ask: ${verdicts.ours.ignoredFilters} were not.`,
          'The listings, the intents and the table of aliases have one author, and the constants of the ranking were chosen on this set: read the distance to the peers, not the height. Questions ask in words that few sellers write, and stay the weakest kind.',
        ],
      }
    } finally {
      await client.end()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
