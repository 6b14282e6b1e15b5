import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { type SampleModels, startSampleModels } from '../../../demo/src/sample-models.ts'
import { PUBLIC_MODELS } from '../src/domain/public-models.ts'
import { modelsCommand } from '../src/operator/models-command.ts'

const KEY = 'sk-sample-0123456789'
const KEY_NAME = 'CALLBOARD_TEST_MODELS_KEY'
const TIER = { above: 4_096, prompt: '0.000002', completion: '0.000004' }
const PRICE = { version: '2026-11', prompt: '0.000001', completion: '0.000002', tiers: [TIER] }

let sample: SampleModels
beforeAll(async () => {
  sample = await startSampleModels({ apiKey: KEY })
})
afterAll(() => sample.close())
beforeEach(() => {
  process.env[KEY_NAME] = KEY
})
afterEach(() => {
  delete process.env[KEY_NAME]
})

const upstream = (more: object = {}) => ({
  ...{ name: 'sample', baseUrl: sample.url, shape: 'openai', apiKeyEnv: KEY_NAME },
  ...more,
})
const model = (more: object = {}) => ({
  ...{ id: 'small', ownedBy: 'sample', created: 1_795_339_800, contextTokens: 8_192, maxOutputTokens: 512 },
  ...{ capabilities: ['chat'], price: PRICE, upstreams: [{ upstream: 'sample', model: 'sample-small' }] },
  ...more,
})

/** Runs a verb on a new file. */
function run(verb: 'list' | 'check', content: unknown, call = false) {
  const file = join(temporaryFolder('callboard-models-'), 'router.models.yaml')
  writeFileSync(file, typeof content === 'string' ? content : stringify(content))
  return modelsCommand({ verb, file, call })
}

describe('models list', () => {
  test('shows each model with its price row, its context and its upstreams, and whether each key is present', async () => {
    const file = join(temporaryFolder('callboard-keys-'), 'absent')
    const content = {
      upstreams: [
        upstream(),
        { name: 'other', baseUrl: sample.url, shape: 'anthropic', apiKeyFile: file },
        { name: 'open', baseUrl: sample.url, shape: 'openai' },
      ],
      models: [model({ upstreams: ['sample', 'other', 'open'].map((name) => ({ upstream: name, weight: 2 })) })],
    }
    const { lines, faults } = await run('list', content)
    expect(lines).toEqual([
      'small (chat): context 8192, answers up to 512, price 2026-11: prompt 0.000001, completion 0.000002; above 4096 input tokens: prompt 0.000002, completion 0.000004',
      `  sample: openai, weight 2, key of ${KEY_NAME} present`,
      `  other: anthropic, weight 2, key of ${file} missing here`,
      '  open: openai, weight 2, no key wanted',
      '1 models, 3 upstreams',
    ])
    expect(faults).toBe(0)
  })
})

describe('models check', () => {
  test('asks each upstream which models it has, and nothing that costs money', async () => {
    const before = sample.calls.length
    const { lines, faults } = await run('check', { upstreams: [upstream()], models: [model()] })
    expect(lines).toEqual(['sample: reached, 3 models', '1 models, 1 upstreams, 0 faults'])
    expect(faults).toBe(0)
    expect(sample.calls.slice(before).map(({ path }) => path)).toEqual(['/v1/models'])
  })

  test.each([
    ['a key that is refused', 'sk-wrong', 'sample: unauthorised: it refuses the key with 401'],
    ['no key', '', `sample: no key: the environment has no ${KEY_NAME}`],
  ])('reports %s, and does not print it', async (_name, key, fault) => {
    process.env[KEY_NAME] = key
    const { lines, faults } = await run('check', { upstreams: [upstream()], models: [model()] })
    expect(lines).toContain(`fault ${fault}`)
    expect(faults).toBe(1)
    expect(lines.join('\n')).not.toContain('sk-')
  })

  test('reports an unreachable server, and a model that its upstream does not have', async () => {
    const gone = upstream({ name: 'gone', baseUrl: 'http://127.0.0.1:1/v1' })
    const upstreams = [
      { upstream: 'gone' },
      { upstream: 'sample', model: 'sample-huge' },
      { upstream: 'sample', model: 'sample-small' },
    ]
    const { lines, faults } = await run('check', { upstreams: [upstream(), gone], models: [model({ upstreams })] })
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^fault gone: cannot be reached: .*127\.0\.0\.1:1/),
        'fault small: sample has no model sample-huge',
      ]),
    )
    expect(faults).toBe(2)
  })

  test('with --call, asks each model for one token at each upstream, in its own shape', async () => {
    const shapes = [upstream(), upstream({ name: 'messages', shape: 'anthropic' })]
    const both = ['sample', 'messages'].map((name) => ({ upstream: name, model: 'sample-small' }))
    const vectors = [{ upstream: 'sample', model: 'sample-embedding' }]
    const broken = [{ upstream: 'sample', model: 'sample-large:error-500' }]
    const models = [
      model({ upstreams: both }),
      model({ id: 'vectors', capabilities: ['embeddings'], upstreams: vectors }),
      model({ id: 'broken', capabilities: ['responses'], upstreams: broken }),
    ]
    const before = sample.calls.length
    const { lines, faults } = await run('check', { upstreams: shapes, models }, true)
    expect(lines).toEqual(
      expect.arrayContaining(['small: sample answers', 'small: messages answers', 'vectors: sample answers']),
    )
    expect(lines).toContainEqual(expect.stringMatching(/^fault broken: sample answers 500/))
    expect(faults).toBe(2)
    const asked = sample.calls.slice(before).map(({ path }) => path)
    expect(asked.toSorted()).toEqual(
      ['chat/completions', 'embeddings', 'messages', 'models', 'models', 'responses'].map((path) => `/v1/${path}`),
    )
  })

  test('with --call, asks in each API that the model is sold in, and names the one that an upstream lacks', async () => {
    const server = createServer((req, res) => res.writeHead(req.url?.endsWith('/responses') ? 404 : 200).end('{}'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const models = [model({ capabilities: ['chat', 'responses', 'messages'] })]
    const { lines } = await run('check', { upstreams: [upstream({ baseUrl })], models }, true)
    expect(lines).toContain('fault small: sample answers 404 (responses)')
  })

  test('with --call, names an upstream that sends embeddings as numbers whatever it is asked', async () => {
    const embedding = { data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }] }
    const server = createServer((_, res) => res.end(JSON.stringify(embedding)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const models = [model({ capabilities: ['embeddings'] })]
    const faults = async (more: object) =>
      (await run('check', { upstreams: [upstream({ baseUrl, ...more })], models }, true)).lines.filter((line) =>
        line.includes('base64'),
      )
    expect(await faults({})).toEqual([
      'fault small: sample sends embeddings as numbers where base64 was asked for: its base64 is false',
    ])
    expect(await faults({ base64: false })).toEqual([])
  })

  test('with --call, names an upstream that ignores the length that it is asked for', async () => {
    const server = createServer((_, res) =>
      res.end(JSON.stringify({ data: [], usage: { prompt_tokens: 9, completion_tokens: 76, total_tokens: 85 } })),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const { lines } = await run('check', { upstreams: [upstream({ baseUrl })], models: [model()] }, true)
    expect(lines).toContain(
      'fault small: sample answers 76 tokens where 1 was asked for: its lengthField may be max_tokens',
    )
  })

  test('notes where a price is not the public one, without counting it as a fault', async () => {
    const known = PUBLIC_MODELS.models.find(
      ({ id, unpriced }) => unpriced && PUBLIC_MODELS.models.filter((other) => other.id === id).length === 1,
    )
    const there = [{ upstream: 'sample', model: known?.id }]
    const price = { ...known?.price, version: 'own', prompt: '0.9' }
    const content = {
      upstreams: [upstream({ baseUrl: 'http://127.0.0.1:1/v1' })],
      models: [model({ price, upstreams: there })],
    }
    const { lines, faults } = await run('check', content)
    expect(lines).toContainEqual(
      expect.stringContaining(`note  small: prompt 0.9 is more than the public ${known?.price.prompt}`),
    )
    expect(lines).toContain(`note  small: billed apart, and not by us: ${known?.unpriced?.join(', ')}`)
    expect(faults).toBe(1)
  })
})

test.each(['list', 'check'] as const)('models %s names every fault of a broken file with its line', async (verb) => {
  const content = { upstreams: [upstream()], models: [model({ price: undefined })] }
  const { lines, faults } = await run(verb, content)
  expect(lines).toEqual([
    expect.stringMatching(/^fault .*router\.models\.yaml, line \d+: models\.0\.price: is missing$/),
  ])
  expect(faults).toBe(1)
})
