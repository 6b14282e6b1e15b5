import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { expect, test, vi } from 'vitest'
import { start } from '../src/instance.ts'

test('--print-config prints settings that come from files, BASE_URL among them, and no secret', async () => {
  const folder = temporaryFolder('callboard-config-')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  const env = {
    ...{ CALLBOARD_DATA: folder, NATS_URL: 'nats://bus', REDIS_URL: 'redis://counters' },
    BASE_URL_FILE: file('base', 'https://one.example\n'),
    DATABASE_URL_FILE: file('database', 'postgres://one:secret@postgres/one\n'),
    LINK_SIGNING_KEY_FILE: file('key', 'k'.repeat(32)),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:pass-2@traces.example/otlp',
    RPC_URLS: '{"eip155:8453":["https://u:pass-1@rpc.example:8545/v2/key-1?k=key-2","https://open.example"]}',
  }
  const given = { demo: false, printConfig: true, listTargets: false, migrate: false }
  expect(await start(given, env, 'catalog,listings').finally(() => vi.restoreAllMocks())).toBe(0)
  expect(printed).toContain('BASE_URL=https://one.example')
  expect(printed).toContain('DATABASE_URL=********')
  // Providers of nodes put their keys into what follows the origin.
  expect(printed).toContain('RPC_URLS={"eip155:8453":["https://rpc.example:8545/********","https://open.example"]}')
  expect(printed).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=https://********@traces.example/otlp')
  expect(printed.join()).not.toMatch(/pass-[12]|key-[12]/)
})
