import type { Env } from '@callboard/runtime'
import { type KeptAction, newestActions } from '@callboard/store'
import { importServices } from '../services.ts'
import { besideTables, readEach, unreadLine } from '../tables-beside.ts'
import { printable, printableJson } from './printable.ts'

/** What the audit trail is asked for. */
export interface AuditAsked {
  /** A slug, a source, an event: of this alone. */
  readonly subject?: string | undefined
  /** At most so many, the newest. */
  readonly limit: number
}

/** Prints what operators did, newest first, from the record of every service that this user of Postgres may read. */
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

/** One action on one line; the name is the operator's own word. */
export function actionLine({ at, by, verb, subject, arguments: given, outcome, reason }: KeptAction): string {
  const words = Object.keys(given).length > 0 ? ` ${printableJson(given)}` : ''
  const said = reason === null ? '' : `: ${printableJson(reason)}`
  return `${at.toISOString()} ${printableJson(by)} ${verb} ${printable(subject)}${words} ${outcome}${said}`
}
