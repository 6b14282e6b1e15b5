import { event } from '@callboard/contract'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { on, service } from '../src/index.ts'

export const said = event({
  id: 'word.said',
  version: 1,
  summary: 'A word was said',
  key: 'word',
  data: z.object({ word: z.string() }),
})

interface Moments {
  /** Called in its start, when the bus is there and its schema is migrated. */
  readonly onOpen?: () => Promise<void>
  /** Called before a word is stored. @throws what keeps it from being handled */
  readonly onWord?: () => void
}

/** A service that publishes words and stores those that it hears, in `speaker.heard`. */
export const speaker = ({ onOpen = async () => {}, onWord = () => {} }: Moments) =>
  service<z.ZodObject, object, object, Record<never, never>>({
    name: 'speaker',
    config: z.object({}),
    migrations: {
      '0001-heard': {
        up: async (db: Kysely<unknown>) => void (await sql`create table heard (word text not null)`.execute(db)),
      },
    },
    open: async () => {
      await onOpen()
      return {}
    },
    operations: {},
    serves: {},
    publishes: [said],
    consumes: [
      on(said, async ({ word }, ctx) => {
        onWord()
        await sql`insert into heard (word) values (${word})`.execute(ctx.tx)
      }),
    ],
  })
