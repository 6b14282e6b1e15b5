import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@callboard/contract'
import { PUBLIC_CHAINS } from '@callboard/evm'
import { describe, expect, test } from 'vitest'
import { DASHBOARDS } from '../src/dashboards/index.ts'
import { picks, type Sample } from '../src/exposition.ts'
import { declaredIn, wholeRegistry } from '../src/metrics-page.ts'
import { alerts, fileNameOf, recordings } from '../src/rules.ts'
import { queriesOfRunbooks } from '../src/runbooks.ts'
import { TARGET_WORK } from '../src/scaling/target-work.ts'
import { askedBy, type Selector } from '../src/selectors.ts'
import { whole } from './whole.ts'

/** Labels that Prometheus adds to every scraped series. */
const ADDED = ['job', 'instance', 'cluster', 'namespace', 'release']
/** Labels that a rule itself gives its alert. */
const BY_RULE = ['blind', 'service']
/** The series that Prometheus generates for every scrape. */
const OF_SCRAPE = 'up'

const operationIds = [...operations.keys()]
const runbookQueries = queriesOfRunbooks()
const { samples, registry, absent, refused, found } = await whole(
  runbookQueries.flatMap(({ language, query }) => (language === 'sql' ? [query] : [])),
)

/** The labels shown by a template such as a legend or a summary. */
const shown = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].flatMap(([, label]) => label ?? []))

const expressions = [
  ...alerts().map(({ alert, expr, annotations }) => ({
    where: alert,
    expr,
    labels: shown(Object.values(annotations)),
  })),
  ...recordings().map(({ record, expr, labels = {} }) => ({
    where: [record, ...Object.values(labels)].join(' of '),
    expr,
    labels: [],
  })),
  ...DASHBOARDS.flatMap(({ name, rows }) =>
    rows.flatMap(({ panels }) => panels.map((panel) => ({ name, ...panel }))),
  ).flatMap(({ name, title, queries }) =>
    queries.map(({ expr, legend }) => ({ where: `${name}, ${title}: ${legend}`, expr, labels: shown([legend]) })),
  ),
  ...Object.values(TARGET_WORK).flatMap(({ metrics }) =>
    Object.values(metrics).flatMap(({ name, expr, series }) => [
      { where: name, expr, labels: [] },
      { where: `the series of ${name}`, expr: series, labels: [] },
    ]),
  ),
  ...runbookQueries.flatMap(({ page, language, query }) =>
    language === 'promql' ? [{ where: page, expr: query, labels: [] }] : [],
  ),
].map((one) => ({ ...one, expr: one.expr.replaceAll('$__rate_interval', '5m') }))

const declared = declaredIn(registry)
const helpOf = (metric: string) =>
  declared.find(({ name }) => metric === name || metric.replace(/_(count|bucket|sum)$/, '') === name)?.help

/** A recorded series has the labels that tell instances apart, and its own. */
const recorded: readonly Sample[] = recordings().map(({ record, labels = {} }) => ({
  metric: record,
  labels: { slo: '', ...labels },
}))

/**
 * The series that a selector selects. Our instance serves a devnet, so a public chain matches any chain, and Postgres
 * any server. It gets few requests, so operations are those of the contract, and outcomes that did not occur are those
 * named in the metric's help.
 */
function pickedBy({ metric, matchers }: Selector): Sample[] {
  const isChain = ({ label, op }: Selector['matchers'][number]) => label === 'network' && op === '='
  for (const { value } of matchers.filter(isChain)) expect(PUBLIC_CHAINS.map(({ network }) => network)).toContain(value)
  const ofOperation = matchers.filter(({ label }) => label === 'operation')
  if (ofOperation.length > 0) {
    const chosen = operationIds.filter((operation) =>
      picks({ metric: '', matchers: ofOperation }, { metric: '', labels: { operation } }),
    )
    expect(chosen, `operations of the contract: ${JSON.stringify(ofOperation)}`).not.toEqual([])
  }
  const isShown = (matcher: Selector['matchers'][number]) =>
    samples.some((sample) => picks({ metric, matchers: [matcher] }, sample))
  const outcomes = matchers.filter((matcher) => matcher.label === 'outcome' && matcher.op === '=' && !isShown(matcher))
  for (const { value } of outcomes) expect(helpOf(metric), `the outcome ${value} of ${metric}`).toContain(value)
  const elsewhere = ['server', 'operation', 'job', 'slo', 'status']
  const others = matchers.filter(
    (matcher) => !isChain(matcher) && !outcomes.includes(matcher) && !elsewhere.includes(matcher.label),
  )
  return [...samples, ...recorded].filter((sample) => picks({ metric, matchers: others }, sample))
}

describe('every metric that an alert or a panel uses is exposed by a running instance', () => {
  test.for(expressions)('$where', ({ expr, labels }, { skip }) => {
    const { selectors, grouping } = askedBy(expr)
    if (!expr.startsWith('vector(')) expect(selectors.length).toBeGreaterThan(0)
    const ours = selectors.filter(({ metric }) => metric !== OF_SCRAPE)
    if (ours.some(({ metric }) => absent.has(metric))) skip('this machine has no NATS or no Redis')
    const picked = ours.map((selector) => {
      const found = pickedBy(selector)
      expect(found, `${JSON.stringify(selector)} picks a series`).not.toEqual([])
      return found
    })
    const known = new Set([...ADDED, ...BY_RULE, ...picked.flat().flatMap((sample) => Object.keys(sample.labels))])
    for (const label of [...grouping, ...labels]) expect(known, `the label ${label} is on a series`).toContain(label)
  })
})

test('every SQL query of a runbook runs on the tables of an instance', () => {
  expect(runbookQueries.filter(({ language }) => language === 'sql').length).toBeGreaterThan(0)
  expect(refused).toEqual([])
})

test('the session that leads a chain is found while one leads', () => {
  const [asked] = runbookQueries.filter(({ page, query }) => page === 'indexer-behind.md' && query.includes('pg_locks'))
  expect(found.get(asked?.query ?? '')).toBe(1)
})

test('the input series of alert tests use existing metrics and labels', () => {
  const names = new Set([OF_SCRAPE, ...samples.map(({ metric }) => metric)])
  for (const { alert } of alerts()) {
    const text = readFileSync(join(import.meta.dirname, '../tests', `${fileNameOf(alert)}.yaml`), 'utf8')
    for (const [, series = ''] of text.matchAll(/series: '(.+)'/g)) {
      for (const { metric, matchers } of askedBy(series).selectors) {
        expect(names).toContain(metric)
        const known = new Set(
          samples.filter((one) => one.metric === metric).flatMap(({ labels }) => Object.keys(labels)),
        )
        for (const { label } of matchers) expect([...known, ...ADDED]).toContain(label)
      }
    }
  }
})

test('docs/metrics.md declares what a running instance declares', () => {
  expect(declaredIn(wholeRegistry())).toEqual(declaredIn(registry))
})

test('no label holds a user’s wallet, a slug or a path', () => {
  const values = samples.flatMap(({ metric, labels }) =>
    Object.entries(labels).map(([label, value]) => ({ metric, label, value })),
  )
  const suspicious = values.filter(({ label, value }) => label !== 'lane' && /0x[0-9a-fA-F]{8}|\//.test(value))
  expect(suspicious.filter(({ metric }) => metric.startsWith('callboard_'))).toEqual([])
})
