import { foundAfter, type Invariant } from './invariant.ts'

const WITHIN_MS = 60_000

/** Every outbox is empty, and no consumer has dead-lettered an event. */
export const events: Invariant = {
  name: 'every outbox row is published, and no event is given up',
  broken: ({ db }) =>
    foundAfter(WITHIN_MS, async () => {
      const { rows: schemas } = await db.query<{ schema: string }>(
        `select table_schema as schema from information_schema.tables where table_name = 'outbox'`,
      )
      const found: string[] = []
      for (const { schema } of schemas) {
        const { rows } = await db.query<{ waiting: string; dead: string }>(
          `select (select count(*) from ${schema}.outbox where published_at is null) as waiting,
                  (select count(*) from ${schema}.dead_letter) as dead`,
        )
        if (rows[0]?.waiting !== '0') found.push(`${schema}: ${rows[0]?.waiting} events are not published`)
        if (rows[0]?.dead !== '0') found.push(`${schema}: ${rows[0]?.dead} events were given up`)
      }
      return found
    }),
}
