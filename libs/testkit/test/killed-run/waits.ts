import { writeFileSync } from 'node:fs'
import { startPostgres } from '@callboard/embedded'
import { inject, test } from 'vitest'

/** Writes down the servers of its run, and those that it started itself, and waits to be killed. */
test('waits', async () => {
  const { KILLED_RUN = '', KILLED_RUN_DATA = '', CALLBOARD_RUN } = process.env
  const own = await startPostgres({ dataDir: KILLED_RUN_DATA })
  const urls = [inject('postgresUrl'), inject('natsUrl'), inject('redisUrl'), own.url()]
  writeFileSync(KILLED_RUN, JSON.stringify({ run: CALLBOARD_RUN, urls: urls.filter((url) => url !== null) }))
  await new Promise(() => {})
})
