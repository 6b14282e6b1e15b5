import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findPromtool } from '@callboard/testkit/servers'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { alerts, fileNameOf, ruleFiles, ruleTestFiles } from '../src/rules.ts'

const ROOT = join(import.meta.dirname, '../../..')
const promtool = await findPromtool()
const why = 'closed' in promtool ? ` (skipped: ${promtool.closed})` : ''

const run = async (...args: string[]) => {
  if ('closed' in promtool) throw new Error(promtool.closed)
  const { stdout } = await promisify(execFile)(promtool.file, args, { env: { ...process.env, ...promtool.env } })
  return stdout
}

interface Entry {
  readonly alert?: string
  readonly record?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly expr: string
}

const groupsOf = new Map(
  ruleFiles().map((path) => {
    const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { rules: Entry[] }[] }
    return [path, groups] as const
  }),
)
const everyRule = [...groupsOf.values()].flat().flatMap(({ rules }) => rules)

/** The rules of one alert, and those that record what they read. */
function neededFor(file: string): ReadonlySet<Entry> {
  const isOwn = ({ alert }: Entry) => alert !== undefined && fileNameOf(alert) === basename(file, '.yaml')
  const needed = new Set(everyRule.filter(isOwn))
  // Iterating over a set includes elements added meanwhile.
  for (const { expr } of needed) for (const rule of everyRule) if (asksFor(expr, rule)) needed.add(rule)
  return needed
}

/** Whether an expression reads what a rule records: all series of that name, or those with a label that it sets. */
const asksFor = (expr: string, { record, labels = {} }: Entry): boolean =>
  record !== undefined &&
  expr
    .split(record)
    .slice(1)
    .some((after) =>
      Object.entries(labels).every(
        ([name, value]) => !after.startsWith(`{${name}="`) || after.startsWith(`{${name}="${value}"`),
      ),
    )

/** A unit test with only its own alert's rules: promtool evaluates every rule of a file at every step of each test. */
function withItsRules(file: string): { readonly file: string; readonly remove: () => void } {
  const folder = temporaryFolder('callboard-rules-')
  for (const part of ['rules', 'tests']) mkdirSync(join(folder, part))
  const needed = neededFor(file)
  for (const [path, groups] of groupsOf) {
    const own = groups
      .map((group) => ({ ...group, rules: group.rules.filter((rule) => needed.has(rule)) }))
      .filter(({ rules }) => rules.length > 0)
    writeFileSync(join(folder, 'rules', basename(path)), stringify({ groups: own }))
  }
  const copy = join(folder, 'tests', basename(file))
  copyFileSync(file, copy)
  return { file: copy, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

describe.skipIf('closed' in promtool)(`promtool${why}`, () => {
  test.each(ruleFiles().map((file) => [basename(file), file]))(
    '%s holds rules that Prometheus accepts',
    async (_, file) => {
      expect(await run('check', 'rules', file)).toContain('SUCCESS')
    },
  )

  test.each(ruleTestFiles().map((file) => [basename(file), file]))(
    '%s: the alert fires when it should and not when it should not',
    async (_, file) => {
      const alone = withItsRules(file)
      try {
        expect(await run('test', 'rules', alone.file)).toContain('SUCCESS')
      } finally {
        alone.remove()
      }
    },
  )
})

/** Each alert once, since some have a rule for every service. */
const named = new Map(alerts().map((rule) => [rule.alert, rule] as const))

describe.each([...named])('%s', (alert, { annotations }) => {
  const name = fileNameOf(alert)

  test('has a runbook with meaning, impact, diagnosis and mitigation', () => {
    expect(annotations.runbook).toBe(`docs/runbooks/${name}.md`)
    const page = readFileSync(join(ROOT, annotations.runbook), 'utf8')
    const headings = page.split('\n').filter((line) => /^##? /.test(line))
    expect(headings).toEqual([`# ${alert}`, '## Meaning', '## Impact', '## Diagnosis', '## Mitigation'])
  })

  test('has a unit test in which it fires and one in which it does not', () => {
    const file = join(import.meta.dirname, '../tests', `${name}.yaml`)
    expect(existsSync(file)).toBe(true)
    const { tests } = parse(readFileSync(file, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
    }
    const cases = tests.flatMap((one) => one.alert_rule_test)
    expect(new Set(cases.map(({ alertname }) => alertname))).toEqual(new Set([alert]))
    expect(cases.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true)
    // The Watchdog has none, since it always fires.
    expect(cases.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(alert !== 'Watchdog')
  })
})

test('every unit test belongs to an alert', () => {
  const names = ruleTestFiles().map((file) => basename(file, '.yaml'))
  expect(names.sort()).toEqual([...named.keys()].map(fileNameOf).sort())
})
