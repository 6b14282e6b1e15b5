import { listings as operations } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from './provider.ts'
import { act, keyOf, mineOf, openStage, publishAs, type Stage, send, snapshots, splitterOf } from './stage.ts'

const schema = { type: 'object', required: ['symbol'], properties: { symbol: { enum: ['BTC'] } } }
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  const post = { requestBody: { content: { 'application/json': { schema } } } }
  stage.provider.set('/openapi.json', (_req, res) => res.end(JSON.stringify({ paths: { '/documented': { post } } })))
})
afterAll(() => stage?.close())

/** A paid endpoint with validation in front of its gate: it requires a text in the body. */
function validating(path: string, payTo: string, wanted = '"symbol":"BTC"'): void {
  const inner = `${path}/paid`
  stage.provider.set(inner, { payTo })
  const behaviour: Behaviour = async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    if (!body.includes(wanted)) return void res.writeHead(422).end()
    const paid = await fetch(stage.provider.url(inner))
    res.writeHead(paid.status, Object.fromEntries(paid.headers)).end(await paid.text())
  }
  stage.provider.set(path, behaviour)
}

describe('a seller that validates before the gate', () => {
  test('is listed with a sample, which every later check sends and its owner can see', async () => {
    const { splitterAddress, deploy } = await splitterOf(stage, 1)
    await send(stage, 1, deploy)
    validating('/validated', splitterAddress)
    const listing = { name: 'Validated', urls: [stage.provider.url('/validated')], method: 'POST' as const }
    expect(await publishAs(stage, 1, listing)).toMatchObject({
      refusal: 'no_usable_challenge',
      details: { state: 'blocked_before_gate', finding: 'wants_input' },
    })
    const sample = { body: { symbol: 'BTC' } }
    const { slug } = granted(await publishAs(stage, 1, { ...listing, sample })).listing
    granted(await act(stage, 1, slug, 'activate'))
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject([{ price: '0.01', sample }])
    expect((await snapshots(stage, slug)).at(-1)?.operations).toMatchObject([{ sample }])
    expect(granted(await stage.services.call(operations.resync, { slug }))).toMatchObject({ outcome: 'refreshed' })
    const { liveness } = await until('a check of the schedule', async () => {
      const seen = await mineOf(stage, 1, slug)
      return seen.liveness.checks7d > 0 && seen
    })
    expect(liveness).toMatchObject({ uptime7d: 1 })
  })

  test('changes its sample by suspend, revise, PUT and activate, while a live listing keeps its own', async () => {
    const { splitterAddress, deployed, deploy } = await splitterOf(stage, 1)
    if (!deployed) await send(stage, 1, deploy)
    validating('/changing', splitterAddress)
    const url = stage.provider.url('/changing')
    const first = { name: 'Changing', urls: [url], method: 'POST' as const, sample: { body: { symbol: 'BTC' } } }
    const { slug } = granted(await publishAs(stage, 1, first)).listing
    granted(await act(stage, 1, slug, 'activate'))

    validating('/changing', splitterAddress, '"pair":"BTC-EUR"')
    const refreshed = await stage.services.call(operations.resync, { slug })
    expect(granted(refreshed)).not.toMatchObject({ outcome: 'refreshed' })
    const operation = { method: 'POST', url, name: 'Quote', description: '', metadataEvidence: 'none' } as const
    const put = (sample: { body: Record<string, string> }) =>
      stage.services.call(
        operations.replace,
        { slug, category: 'data', operations: [{ ...operation, sample }] },
        { caller: keyOf(1) },
      )
    const sample = { body: { pair: 'BTC-EUR' } }
    expect(await put(sample)).toMatchObject({ refusal: 'invalid_state' })
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject([{ sample: first.sample }])

    for (const action of ['suspend', 'revise'] as const) granted(await act(stage, 1, slug, action))
    expect(await put(first.sample)).toMatchObject({ refusal: 'no_usable_challenge' })
    granted(await put(sample))
    granted(await act(stage, 1, slug, 'activate'))
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'live', operations: [{ sample }] })
    expect(granted(await stage.services.call(operations.resync, { slug }))).toMatchObject({ outcome: 'refreshed' })
  })

  test('is listed by the OpenAPI document of its origin, and every later check keeps that schema', async () => {
    const { splitterAddress, deployed, deploy } = await splitterOf(stage, 1)
    if (!deployed) await send(stage, 1, deploy)
    validating('/documented', splitterAddress)
    const listing = { name: 'Documented', urls: [stage.provider.url('/documented')], method: 'POST' as const }
    const { slug } = granted(await publishAs(stage, 1, listing)).listing
    const documented = [{ price: '0.01', metadataEvidence: 'openapi', inputSchema: schema }]
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject(documented)
    granted(await act(stage, 1, slug, 'activate'))
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject(documented)
    granted(await stage.services.call(operations.resync, { slug }))
    expect((await mineOf(stage, 1, slug)).operations).toMatchObject(documented)
  })
})
