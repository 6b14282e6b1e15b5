import type { Env } from '@callboard/runtime'
import { type KeptAction, newestActions } from '@callboard/store'
import { importServices } from '../services.ts'
import { besideTables, readEach, unreadLine } from '../tables-beside.ts'
import { printable, printableJson } from './printable.ts'

/** A query of the audit trail. */
export interface AuditAsked {
  /** Only this subject: a slug, a source or an event. */
  readonly subject?: string | undefined
  /** The newest, at most this many. */
  readonly limit: number
}

/** Prints what operators did, newest first, from the records of every service that this Postgres user may read. */
export async function printAudit(env: Env, asked: AuditAsked): Promise<number> {
  const recorded = (await importServices()).filter(({ migrations }) => migrations)
  return besideTables(env, async ({ of }) => {
    const { rows, unread } = await readEach(recorded, (service) => newestActions(of(service), asked))
    const newest = [...rows].sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, asked.limit)
    for (const action of newest) console.log(actionLine(action))
    console.log([...unreadLine(unread), `${newest.length} shown`].join('\n'))
    return 0
  })
}

/** One action as one line; the name is as the operator gave it. */
export function actionLine({ at, by, verb, subject, arguments: given, outcome, reason }: KeptAction): string {
  const words = Object.keys(given).length > 0 ? ` ${printableJson(given)}` : ''
  const said = reason === null ? '' : `: ${printableJson(reason)}`
  return `${at.toISOString()} ${printableJson(by)} ${verb} ${printable(subject)}${words} ${outcome}${said}`
}
