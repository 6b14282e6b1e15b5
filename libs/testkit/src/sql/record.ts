import pg from 'pg'
import { afterAll } from 'vitest'
import '../provided.ts'

/** The application name of a pool made by `openDatabase`; a listener for notifications does not count. */
const OF_SERVICE = /^callboard-(?!listener$)/

/** Vitest shares modules between the files of one worker, so the record of one file is cleared before the next. */
const held = globalThis as { statementsOfFile?: Set<string> }
held.statementsOfFile ??= noted()
const statements = held.statementsOfFile
statements.clear()
// biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures are asked for
afterAll(({}, { meta }) => {
  meta.statements = [...statements]
})

/** Records from now on what services send, on connections of their own pools. @returns the statements */
function noted(): Set<string> {
  const found = new Set<string>()
  const send = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
  function query(this: pg.Client & { connectionParameters?: { application_name?: string } }, ...given: unknown[]) {
    const [config] = given
    const text = typeof config === 'string' ? config : (config as { text?: string } | undefined)?.text
    const isOfService = OF_SERVICE.test(this.connectionParameters?.application_name ?? '')
    if (text && isOfService) found.add(text)
    return send.apply(this, given)
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  return found
}
