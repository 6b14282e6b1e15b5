import { listings as operations } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { encodeHeader, PAYMENT_REQUIRED_HEADER } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, goLive, keyOf, mineOf, openStage, publishAs, type Stage, snapshots, splitterOf, verify } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

/** Changes a path's description of itself and, given a property, its schemas in the bazaar extension. */
async function reword(path: string, description: string, property?: string): Promise<void> {
  const { splitterAddress } = await splitterOf(stage, 1)
  const { usdc } = stage.devnet
  const schema = {
    type: 'object',
    properties: {
      input: { type: 'object', properties: { queryParams: { type: 'object', properties: { [property ?? '']: {} } } } },
    },
  }
  const info = { input: { type: 'http', method: 'GET', queryParams: { [property ?? '']: 'x' } } }
  const offer = {
    x402Version: 2,
    resource: { url: stage.provider.url(path), description, mimeType: 'application/json' },
    accepts: [
      {
        ...{ scheme: 'exact', network: 'eip155:31337', asset: usdc.address, amount: '10000', payTo: splitterAddress },
        maxTimeoutSeconds: 60,
        extra: { name: usdc.name, version: usdc.version },
      },
    ],
    ...(property ? { extensions: { bazaar: { info, schema } } } : {}),
  }
  stage.provider.set(path, (_req, res) =>
    res.writeHead(402, { [PAYMENT_REQUIRED_HEADER]: encodeHeader(offer) }).end(JSON.stringify(offer)),
  )
}

const operationUntil = (
  slug: string,
  what: string,
  is: (one: { description: string; inputSchema?: unknown }) => boolean,
) =>
  until(what, async () => {
    const { operations: shown, verification } = await mineOf(stage, 1, slug)
    return shown[0] && is(shown[0]) && { ...shown[0], verification }
  })

describe('what an endpoint says of itself', () => {
  test('follows its live 402: added schemas are shown, removed ones are not, and each change is published once', async () => {
    const slug = await goLive(stage, 1, 'Growing')
    await reword('/growing', 'A quote', 'city')
    stage.clock.advance(11 * MINUTE_MS)
    const grown = await operationUntil(slug, 'the schema shows', ({ inputSchema }) => inputSchema !== undefined)
    expect(grown).toMatchObject({ metadataEvidence: 'bazaar' })
    expect(JSON.stringify(grown.inputSchema)).toContain('city')
    stage.clock.advance(11 * MINUTE_MS)
    await reword('/growing', 'Another quote')
    stage.clock.advance(11 * MINUTE_MS)
    const shrunk = await operationUntil(slug, 'the words move', ({ description }) => description === 'Another quote')
    expect(shrunk).not.toHaveProperty('inputSchema')
    expect(shrunk).toMatchObject({ metadataEvidence: 'probe' })
    expect(await snapshots(stage, slug)).toHaveLength(3)
  })

  test('reopens the review of a verified listing if it changes more than a correction', async () => {
    const slug = await goLive(stage, 1, 'Trusted')
    await reword('/trusted', 'Weather of yesterday')
    granted(await stage.services.call(operations.resync, { slug }))
    granted(await verify(stage, slug))
    await reword('/trusted', 'Weather of yesterdya')
    granted(await stage.services.call(operations.resync, { slug }))
    const corrected = await operationUntil(slug, 'the typo', ({ description }) => description.endsWith('dya'))
    expect(corrected.verification).toBe('verified')
    await reword('/trusted', 'Official wallet support')
    granted(await stage.services.call(operations.resync, { slug }))
    expect(await mineOf(stage, 1, slug)).toMatchObject({ verification: 'requested', status: 'live' })
  })

  test('replaces nothing that its owner wrote', async () => {
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/written', { payTo: splitterAddress })
    const { listing } = granted(await publishAs(stage, 1, { name: 'Written', urls: [stage.provider.url('/written')] }))
    const [one] = listing.operations
    const written = {
      method: 'GET' as const,
      url: one?.url ?? '',
      name: 'Mine',
      description: 'My own words',
      metadataEvidence: 'none' as const,
    }
    const change = { slug: listing.slug, category: 'ai' as const, operations: [written] }
    granted(await stage.services.call(operations.replace, change, { caller: keyOf(1) }))
    granted(await act(stage, 1, listing.slug, 'activate'))
    await reword('/written', 'Its words', 'city')
    granted(await stage.services.call(operations.resync, { slug: listing.slug }))
    expect(await mineOf(stage, 1, listing.slug)).toMatchObject({
      category: 'ai',
      operations: [{ description: 'My own words', metadataEvidence: 'bazaar' }],
    })
  })
})

describe('what a listing sells', () => {
  const replace = (index: number, slug: string, path: string) =>
    stage.services.call(
      operations.replace,
      {
        slug,
        category: 'crypto',
        operations: [
          { method: 'GET', url: stage.provider.url(path), name: 'New', description: '', metadataEvidence: 'none' },
        ],
      },
      { caller: keyOf(index) },
    )

  test('changes by suspend, revise, PUT and activate, and loses its verification on the way', async () => {
    const slug = await goLive(stage, 1, 'Mover')
    granted(await verify(stage, slug))
    await reword('/moved', 'Moved')
    expect(await replace(1, slug, '/moved')).toMatchObject({
      refusal: 'invalid_state',
      message: expect.stringContaining('suspend it, then revise it'),
    })
    granted(await act(stage, 1, slug, 'suspend'))
    granted(await act(stage, 1, slug, 'revise'))
    expect(await replace(2, slug, '/moved')).toMatchObject({ refusal: 'not_found' })
    expect(await replace(1, slug, '/nothing-there')).toMatchObject({ refusal: 'no_usable_challenge' })
    granted(await replace(1, slug, '/moved'))
    granted(await act(stage, 1, slug, 'activate'))
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({
      status: 'live',
      verification: 'none',
      category: 'crypto',
      operations: [{ name: 'New', url: stage.provider.url('/moved') }],
    })
  })
})
