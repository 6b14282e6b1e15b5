import { MAX_MESSAGE_BYTES } from '@callboard/bus'
import { granted } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, mineOf, openStage, publishAs, type Stage, send, snapshots, splitterOf } from './stage.ts'

const OPERATIONS = 20
const MAX_SCHEMA_BYTES = 256 * 1024
/** The longest schema that is read: three bytes per character. */
const LARGE = { type: 'object', required: ['city'], properties: { city: { const: 'Bern' } }, title: '天'.repeat(8_000) }
const LARGE_BYTES = Buffer.byteLength(JSON.stringify({ inputSchema: LARGE }))

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

/** Sells at a path to requests that contain a city. */
function sell(path: string, payTo: string): void {
  stage.provider.set(`${path}/paid`, { payTo })
  stage.provider.set(path, async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    if (!Buffer.concat(chunks).includes('Bern')) return void res.writeHead(422).end()
    const paid = await fetch(stage.provider.url(`${path}/paid`))
    res.writeHead(paid.status, Object.fromEntries(paid.headers)).end(await paid.text())
  })
}

test('a listing whose schemas exceed 256 KiB keeps those that fit, is live, and fits into a message', async () => {
  const { splitterAddress, deploy } = await splitterOf(stage, 1)
  await send(stage, 1, deploy)
  const paths = Array.from({ length: OPERATIONS }, (_, at) => `/large-${at}`)
  for (const path of paths) sell(path, splitterAddress)
  const post = { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Large' } } } } }
  const document = {
    paths: Object.fromEntries(paths.map((path) => [path, { post }])),
    components: { schemas: { Large: LARGE } },
  }
  stage.provider.set('/openapi.json', (_req, res) => void res.end(JSON.stringify(document)))

  const urls = paths.map((path) => stage.provider.url(path))
  const { slug } = granted(await publishAs(stage, 1, { name: 'Large', urls, method: 'POST' })).listing
  granted(await act(stage, 1, slug, 'activate'))
  const { status, operations } = await mineOf(stage, 1, slug)
  const fitting = Math.floor(MAX_SCHEMA_BYTES / LARGE_BYTES)
  expect(fitting).toBeLessThan(OPERATIONS)
  expect(status).toBe('live')
  expect(operations.map(({ inputSchema }) => inputSchema !== undefined)).toEqual(paths.map((_path, at) => at < fitting))
  const last = (await snapshots(stage, slug)).at(-1)
  expect(last?.operations).toEqual(operations.map(({ problem: _, ...said }) => expect.objectContaining(said)))
  expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThan(MAX_MESSAGE_BYTES)
})
