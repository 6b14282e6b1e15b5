import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const HERE = join(import.meta.dirname, '..')

const Rule = z.strictObject({
  alert: z.string().regex(/^([A-Z][a-z]+)+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'none']), service: z.string().optional() }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook: z.string() }),
})
const Recording = z.strictObject({
  record: z.string().regex(/^callboard:[a-z_]+:[a-z0-9]+$/),
  expr: z.string(),
  labels: z.record(z.string(), z.string()).optional(),
})
const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({ name: z.string(), interval: z.string().optional(), rules: z.array(z.union([Rule, Recording])) }),
  ),
})

export type Rule = z.output<typeof Rule>
export type Recording = z.output<typeof Recording>

const yamlIn = (folder: string): string[] =>
  readdirSync(join(HERE, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(HERE, folder, name))

export const ruleFiles = (): readonly string[] => yamlIn('rules')
export const ruleTestFiles = (): readonly string[] => yamlIn('tests')

const all = (): readonly (Rule | Recording)[] =>
  ruleFiles()
    .flatMap((file) => Rules.parse(parse(readFileSync(file, 'utf8'))).groups)
    .flatMap(({ rules }) => rules)

/** Every alert of rules/. @throws ZodError for one without severity, texts or a page */
export const alerts = (): readonly Rule[] => all().filter((rule) => 'alert' in rule)

/** Every series that rules/ records. */
export const recordings = (): readonly Recording[] => all().filter((rule) => 'record' in rule)

/** The name of an alert's page and of its unit test: `OutboxStuck` is `outbox-stuck`. */
export const fileNameOf = (alert: string): string => alert.replaceAll(/(?<!^)[A-Z]/g, '-$&').toLowerCase()
