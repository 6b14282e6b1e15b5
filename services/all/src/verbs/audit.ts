import type { Running } from '@callboard/runtime'
import { type KeptAction, newestActions, schemasWithActions } from '@callboard/store'

/** What the audit trail is asked for. */
export interface AuditAsked {
  /** A slug, a source, an event: of this alone. */
  readonly subject?: string | undefined
  /** At most so many, the newest. */
  readonly limit: number
}

/** Prints what operators did, newest first, from the record of every service that this user of the database may read. */
export async function printAudit(running: Running, asked: AuditAsked): Promise<number> {
  const db = running.contexts.get('listings')?.db
  if (!db) throw new Error('listings was not started.')
  const schemas = await schemasWithActions(db)
  const kept = await Promise.all(
    schemas.filter(({ readable }) => readable).map(({ schema }) => newestActions(db, { ...asked, schema })),
  )
  const newest = kept.flat().sort((one, other) => other.at.getTime() - one.at.getTime())
  for (const action of newest.slice(0, asked.limit)) console.log(actionLine(action))
  const hidden = schemas.filter(({ readable }) => !readable).map(({ schema }) => schema)
  if (hidden.length > 0) console.log(`not read, for want of the right to: ${hidden.join(', ')}`)
  console.log(`${Math.min(newest.length, asked.limit)} shown`)
  return 0
}

/** One action on one line; the name is the operator's own word. */
export function actionLine({ at, by, verb, subject, arguments: given, outcome, reason }: KeptAction): string {
  const words = Object.keys(given).length > 0 ? ` ${JSON.stringify(given)}` : ''
  const said = reason === null ? '' : `: ${JSON.stringify(reason)}`
  return `${at.toISOString()} ${JSON.stringify(by)} ${verb} ${subject}${words} ${outcome}${said}`
}
