import { createLogger, migrateServices, startServices } from '@callboard/runtime'
import { startTestServices, testDatabase, until } from '@callboard/testkit'
import { expect, inject, test } from 'vitest'
import { livenessProber } from '../src/index.ts'

test('the gauges show how many origins are due, how late the first of them is, and how many are visited', async () => {
  const database = await testDatabase(inject('postgresUrl'))
  const env = { DATABASE_URL: database.url, BASE_URL: 'https://callboard.example' }
  await migrateServices([livenessProber], env)
  // Without its jobs: no replica visits origins that are due.
  const { metrics, stop } = await startServices([livenessProber], {
    env,
    log: createLogger('silent'),
    operationsOnly: true,
  })
  try {
    await database.query(`
      insert into liveness_prober.origin (origin, next_due_at, lease, leased_until) values
        ('https://a.example', now() - interval '100 seconds', null, null),
        ('https://b.example', now() - interval '40 seconds', 'ended', now() - interval '1 second'),
        ('https://c.example', now() - interval '500 seconds', 'held', now() + interval '1 hour'),
        ('https://d.example', now() + interval '1 hour', null, null)`)
    await metrics.collectors.collect()
    const text = await metrics.registry.metrics()
    expect(text).toMatch(/^callboard_probe_origins_due 2$/m)
    expect(text).toMatch(/^callboard_probe_origins_busy 1$/m)
    expect(text).toMatch(/^callboard_probe_oldest_due_seconds 1\d\d\.?\d*$/m)
    expect(text).toMatch(/^callboard_probe_checks_total\{state="ok_402"\} 0$/m)
  } finally {
    await stop()
    await database.drop()
  }
})

test('a stored check is counted by what it found', async () => {
  const database = await testDatabase(inject('postgresUrl'))
  const services = await startTestServices([livenessProber], {
    databaseUrl: database.url,
    env: { PROBE_POLL_MS: '50' },
  })
  try {
    await database.query(`
      insert into liveness_prober.listing (slug, version) values ('one', 1);
      insert into liveness_prober.target (slug, method, url, origin, next_due_at)
        values ('one', 'GET', 'http://127.0.0.1:9/', 'http://127.0.0.1:9', now());
      insert into liveness_prober.origin (origin, next_due_at) values ('http://127.0.0.1:9', now())`)
    await until('it is counted', async () => {
      const counts = (await services.metrics.registry.metrics()).match(/^callboard_probe_checks_total.* [1-9]\d*$/gm)
      // What is there instead says whether the visit failed or found something else.
      expect({
        counts,
        origins: await database.query('select next_due_at, leased_until from liveness_prober.origin'),
      }).toMatchObject({ counts: ['callboard_probe_checks_total{state="refused_target"} 1'] })
      return true
    })
  } finally {
    await services.stop()
    await database.drop()
  }
})
