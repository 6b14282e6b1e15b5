import { rmSync } from 'node:fs'
import { startTestServices, type TestServices, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { service } from '../src/index.ts'

const url = inject('natsUrl')

/** It has no tables: the bus is all that it depends on. */
const bare = service({ name: 'bare', config: z.object({}), operations: {}, serves: {} })

/** Longer than any answer, but short enough for an operator to learn of it. */
const WITHIN_MS = 10_000

let storeDir: string
let nats: NatsServer
let services: TestServices

beforeAll(async () => {
  if (!url) return
  storeDir = temporaryFolder('callboard-hung-')
  nats = await startNatsServer({ storeDir })
  services = await startTestServices([bare], { databaseUrl: '', natsUrl: nats.url })
})
afterAll(async () => {
  if (!url) return
  await services.stop()
  await nats.stop()
  rmSync(storeDir, { recursive: true, force: true })
})

async function readiness() {
  const answer = await fetch(`http://127.0.0.1:${services.adminPort}/readyz`)
  return { status: answer.status, said: await answer.text() }
}

describe.skipIf(!url)(
  `a NATS that hangs, with its connections open${url ? '' : ` (not run: ${inject('absent').nats})`}`,
  () => {
    test('fails readiness within ten seconds, loses its connection, and is found again when it resumes', async () => {
      expect(await readiness()).toEqual({ status: 200, said: 'ok\n' })
      nats.pause()
      const first = await until(
        'it is not ready',
        async () => {
          const now = await readiness()
          return now.status === 503 && now
        },
        WITHIN_MS,
      )
      expect(first.said).toMatch(/^(nats: no answer within 1\.5 s|the bus is unreachable)\n$/)
      await until('its connection is given up', async () => (await readiness()).said === 'the bus is unreachable\n')
      nats.resume()
      await until('it is ready again', async () => (await readiness()).status === 200)
    })
  },
)
