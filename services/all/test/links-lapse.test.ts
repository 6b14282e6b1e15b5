import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import { router } from '@callboard/router'
import { runOnce, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type SampleModels, startSampleModels } from '../../../demo/src/sample-models.ts'
import { newOwner, openStage, type Stage } from '../../agents/test/stage.ts'
import type { OauthContext } from '../../oauth/src/context.ts'
import { endLapsedLinks } from '../../oauth/src/jobs.ts'
import { modelsFile, sold } from '../../router/test/models-file.ts'

const LINK_MAX_DAYS = 30

let base: string
let models: SampleModels
let stage: Stage
beforeAll(async () => {
  const [port, folder] = [await freePort(), temporaryFolder('lapsed-links-')]
  models = await startSampleModels()
  const file = join(folder, 'models.yaml')
  const sells = [sold('small', 'ok'), sold('small', 'silence')]
  writeFileSync(file, stringify(modelsFile(models.url, sells)))
  base = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), ROUTER_MODELS: file, LINK_MAX_DAYS: String(LINK_MAX_DAYS), COMPUTE_DAILY_USD: '10' }
  stage = await openStage({ modules: [router, gateway], env })
})
afterAll(async () => {
  await stage?.close()
  await models?.close()
})

const ask = (key: string, model: string, signal?: AbortSignal) =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }),
    ...(signal ? { signal } : {}),
  })
const statusOf = (key: string) => fetch(`${base}/v1/key`, { headers: { authorization: `Bearer ${key}` } })
const heldCalls = () => stage.database.query(`select from router.call where state = 'held'`)
const heldMoney = () => stage.database.query('select subject from router.budget where held_nano <> 0')

test('once a link’s lifetime is over, its Router key is refused like an ended one, and its call under way settles', async () => {
  const terms = { scopes: ['mcp:call', 'router.use'] as ('mcp:call' | 'router.use')[], routerAllowanceUsd: 5 }
  const { tokens } = await stage.link(2, newOwner(), { scope: 'mcp:call router.use' }, terms)
  const key = tokens.router_key ?? ''
  expect((await ask(key, 'small-ok')).status).toBe(200)
  const left = new AbortController()
  const underWay = ask(key, 'small-silence', left.signal).catch(() => undefined)
  await until('the call holds money', async () => (await heldCalls()).length === 1)

  stage.clock.advance(LINK_MAX_DAYS * DAY_MS)
  await runOnce(endLapsedLinks, stage.services.contexts.get('oauth') as OauthContext)
  await until('the key is refused', async () => (await statusOf(key)).status === 401)
  const refused = await ask(key, 'small-ok')
  const unknown = await ask(`${key.slice(0, -1)}_`, 'small-ok')
  expect([refused.status, await refused.text()]).toEqual([unknown.status, await unknown.text()])
  left.abort()
  await underWay
  await until('the call has settled', async () => (await heldCalls()).length === 0)
  expect(await heldMoney()).toEqual([])
})
