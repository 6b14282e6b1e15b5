/**
 * Loaded into an instance before its services (`--import`): counts what each of them sends to Postgres, and which
 * timers fire, and writes both to the file of `IDLE_COUNTS` every second.
 */

import { renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { TimerOptions } from 'node:timers'
import timers from 'node:timers/promises'
import pg from 'pg'

export interface Counts {
  /** Time since the instance started, in seconds. */
  readonly seconds: number
  /** Transactions, by connection name. */
  readonly transactions: Readonly<Record<string, number>>
  /** Statements, by connection name and text. */
  readonly statements: Readonly<Record<string, number>>
  /** Started waits, by duration and place. */
  readonly waits: Readonly<Record<string, number>>
}

const transactions = new Map<string, number>()
const statements = new Map<string, number>()
const waits = new Map<string, number>()
const count = (counted: Map<string, number>, key: string) => counted.set(key, (counted.get(key) ?? 0) + 1)

const inTransaction = new WeakSet<pg.Client>()
const TEXT = 120

function note(client: pg.Client, text: string): void {
  const { application_name: name = '' } = (client as unknown as { connectionParameters: { application_name?: string } })
    .connectionParameters
  const [verb] = text.trim().toLowerCase().split(/\s/)
  if (verb === 'begin') inTransaction.add(client)
  else if (verb === 'commit' || verb === 'rollback') inTransaction.delete(client)
  if (!inTransaction.has(client)) count(transactions, name)
  count(statements, `${name}: ${text.replace(/\s+/g, ' ').trim().slice(0, TEXT)}`)
}

const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [asked] = args
  note(this, typeof asked === 'string' ? asked : String((asked as { text?: unknown }).text))
  return query.apply(this, args)
} as typeof pg.Client.prototype.query

/** The first stack frame in our own sources. */
function caller(): string {
  const frames = new Error().stack?.split('\n').slice(3) ?? []
  const ours = frames.find((frame) => /(libs|services)\//.test(frame) && !frame.includes('node_modules'))
  return (ours ?? frames[0] ?? '')
    .trim()
    .replace(/^at /, '')
    .replace(/(file:)?\/\S*\/(?=libs\/|services\/|node_modules\/)/, '')
}

const { setTimeout: wait } = timers
timers.setTimeout = <Value>(ms?: number, value?: Value, options?: TimerOptions) => {
  count(waits, `${ms} ms ${caller()}`)
  return wait(ms, value, options)
}
const { setTimeout: start, setInterval: repeat } = globalThis
globalThis.setTimeout = ((work: () => void, ms?: number, ...rest: never[]) => {
  count(waits, `${ms} ms ${caller()}`)
  return start(work, ms, ...rest)
}) as typeof start
syncBuiltinESMExports()

const file = process.env.IDLE_COUNTS
if (file) {
  repeat(() => {
    const counts: Counts = {
      seconds: performance.now() / 1_000,
      transactions: Object.fromEntries(transactions),
      statements: Object.fromEntries(statements),
      waits: Object.fromEntries(waits),
    }
    writeFileSync(`${file}.new`, JSON.stringify(counts))
    renameSync(`${file}.new`, file)
  }, 1_000).unref()
}
