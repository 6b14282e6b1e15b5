import { pgQuery } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import { describe, expect, test } from 'vitest'
import { startEmbeddedParts } from '../src/embedded.ts'
import { modules } from '../src/index.ts'

const BASE = '{"eip155:8453":["http://127.0.0.1:9"]}'
const indexer = modules.filter(({ name }) => name === 'chain-indexer')

async function started(env: Record<string, string>, folder = temporaryFolder('callboard-durability-')) {
  const parts = await startEmbeddedParts(env, { folder, baseUrl: 'http://127.0.0.1:1', modules: indexer })
  const url = new URL(parts.env.DATABASE_URL ?? '')
  const target = { port: Number(url.port), user: url.username, database: url.pathname.slice(1) }
  const [[fsync] = []] = await pgQuery(target, "select current_setting('fsync')")
  const said = parts.parts.find(({ name }) => name === 'Postgres')?.how
  await parts.stop()
  return { fsync, said, folder }
}

describe('the embedded Postgres', { timeout: 90_000 }, () => {
  test('has fsync on for a real chain, and the start says so', async () => {
    const { fsync, said } = await started({ RPC_URLS: BASE })
    expect(fsync).toBe('on')
    expect(said).toMatch(/, fsync on$/)
  })

  test('has fsync off for the devnet, and the start says the risk; after a real chain it stays on', async () => {
    const { fsync, said, folder } = await started({})
    expect(fsync).toBe('off')
    expect(said).toMatch(/, fsync off: a power cut may lose data$/)
    expect((await started({ RPC_URLS: BASE }, folder)).fsync).toBe('on')
    expect((await started({}, folder)).fsync).toBe('on')
  })
})
