import { describe, expect, test } from 'vitest'
import { faultText, readModels } from './model.ts'

const UPSTREAM = { name: 'first', baseUrl: 'https://models.example/v1', shape: 'openai', apiKeyEnv: 'FIRST_KEY' }
const MODEL = {
  ...{ id: 'small', ownedBy: 'example', created: 1_790_000_000, contextTokens: 128_000, maxOutputTokens: 16_384 },
  capabilities: ['chat', 'responses'],
  price: { version: '1', prompt: '0.0000025', completion: '0.00001' },
  upstreams: [{ upstream: 'first' }],
}
const FILE = { upstreams: [UPSTREAM], models: [MODEL] }

const faultsOf = (value: unknown): readonly string[] => {
  const read = readModels(value)
  return read.ok ? [] : read.faults.map(faultText)
}
const ofUpstream = (part: object) => faultsOf({ upstreams: [{ ...UPSTREAM, ...part }], models: [] })
const ofModel = (part: object) => faultsOf({ ...FILE, models: [{ ...MODEL, ...part }] })

describe('readModels', () => {
  test('default: members that the file leaves out get their defaults', () => {
    expect(readModels(FILE)).toEqual({
      ok: true,
      models: {
        upstreams: [
          {
            ...UPSTREAM,
            ...{ connectTimeoutMs: 2_000, firstByteTimeoutMs: 60_000, wholeTimeoutMs: 300_000, idleTimeoutMs: 60_000 },
            ...{ cancelled: 'estimate', includeUsage: true, base64: true },
          },
        ],
        models: [{ ...MODEL, upstreams: [{ upstream: 'first', weight: 1 }] }],
      },
    })
  })

  test('default: every member of an upstream and a model is read, each at the end of its range', () => {
    const upstream = {
      ...{ name: 'a-1'.padEnd(32, 'z'), baseUrl: 'http://10.0.0.1:8080/v1', shape: 'anthropic', apiKeyFile: '/' },
      ...{
        connectTimeoutMs: 1,
        firstByteTimeoutMs: 3_600_000,
        wholeTimeoutMs: 3_600_000,
        idleTimeoutMs: 3_600_000,
        hedgeAfterMs: 3_600_000,
      },
      ...{ cancelled: 'free', includeUsage: false, base64: false },
    }
    const model = {
      ...{ id: 'm'.repeat(128), ownedBy: 'o'.repeat(128), created: 0, contextTokens: 1, maxOutputTokens: 1 },
      ...{ capabilities: ['chat', 'messages', 'responses'], imageTokens: 0, price: MODEL.price },
      upstreams: [{ upstream: upstream.name, model: 'n'.repeat(128), weight: 0.001 }],
    }
    const file = { upstreams: [upstream], models: [model] }
    expect(readModels(file)).toEqual({ ok: true, models: file })
    const shortest = { ...UPSTREAM, name: 'a', apiKeyEnv: '_' }
    expect(faultsOf({ upstreams: [shortest], models: [] })).toEqual([])
    expect(ofUpstream({ apiKeyEnv: 'a1_Z' })).toEqual([])
  })

  test('default: a file without models is valid', () => {
    expect(faultsOf({ upstreams: [], models: [] })).toEqual([])
  })

  test.each([
    [
      'a name in capitals',
      { name: 'First' },
      'upstreams.0.name: must be 1 to 32 lower-case letters, digits and hyphens',
    ],
    ['no URL', { baseUrl: 'models.example' }, 'upstreams.0.baseUrl: must be an http or https URL'],
    ['a file URL', { baseUrl: 'file:///etc' }, 'upstreams.0.baseUrl: must be an http or https URL'],
    [
      'a secret in the URL',
      { baseUrl: 'https://a:b@c.example' },
      'upstreams.0.baseUrl: must not carry credentials, a query or a fragment',
    ],
    ...['', 'a'.repeat(33), 'a_b', ' a', 'a '].map((name): [string, object, string] => [
      `the name ${JSON.stringify(name)}`,
      { name },
      'upstreams.0.name: must be 1 to 32 lower-case letters, digits and hyphens',
    ]),
    ...['https://a@c.example', 'https://:b@c.example', 'https://c.example/?q=1', 'https://c.example/#f'].map(
      (baseUrl): [string, object, string] => [
        baseUrl,
        { baseUrl },
        'upstreams.0.baseUrl: must not carry credentials, a query or a fragment',
      ],
    ),
    ...['xhttp://c.example', 'httpsx://c.example'].map((baseUrl): [string, object, string] => [
      baseUrl,
      { baseUrl },
      'upstreams.0.baseUrl: must be an http or https URL',
    ]),
    ...['', '1KEY', 'KEY-1', ' KEY', 'KEY '].map((apiKeyEnv): [string, object, string] => [
      `a key in the variable ${JSON.stringify(apiKeyEnv)}`,
      { apiKeyEnv },
      'upstreams.0.apiKeyEnv: must be the name of an environment variable',
    ]),
    ...['connectTimeoutMs', 'firstByteTimeoutMs', 'wholeTimeoutMs', 'idleTimeoutMs', 'hedgeAfterMs'].map(
      (name): [string, object, string] => [
        `more than an hour for ${name}`,
        { [name]: 3_600_001 },
        `upstreams.0.${name}: must be at most an hour`,
      ],
    ),
    [
      'a key in a file without a name',
      { apiKeyEnv: undefined, apiKeyFile: '' },
      'upstreams.0.apiKeyFile: must not be empty',
    ],
    [
      'a key in a file whose name is a number',
      { apiKeyEnv: undefined, apiKeyFile: 7 },
      'upstreams.0.apiKeyFile: must be text',
    ],
    ['a word for what is cancelled', { cancelled: 'half' }, 'upstreams.0.cancelled: must be one of estimate, free'],
    ['half a millisecond', { idleTimeoutMs: 0.5 }, 'upstreams.0.idleTimeoutMs: must be a whole number'],
    ['an unknown shape', { shape: 'google' }, 'upstreams.0.shape: must be one of openai, anthropic'],
    ['two keys', { apiKeyFile: '/run/key' }, 'upstreams.0.apiKeyFile: must not be set together with apiKeyEnv'],
    ['the key itself', { apiKey: 'sk-1' }, 'upstreams.0: has unknown fields: apiKey'],
    ['a hedge at once', { hedgeAfterMs: 0 }, 'upstreams.0.hedgeAfterMs: must be at least 1'],
    ['no time', { idleTimeoutMs: 0 }, 'upstreams.0.idleTimeoutMs: must be at least 1'],
    ['text for a flag', { includeUsage: 'yes' }, 'upstreams.0.includeUsage: must be true or false'],
  ])('error: an upstream with %s', (_name, part, fault) => {
    expect(ofUpstream(part)).toEqual([fault])
  })

  test.each([
    ['no id', { id: undefined }, 'models.0.id: is missing'],
    ['an empty id', { id: '' }, 'models.0.id: must not be empty'],
    ['a long id', { id: 'm'.repeat(129) }, 'models.0.id: must have at most 128 characters'],
    ['half a token', { contextTokens: 0.5 }, 'models.0.contextTokens: must be a whole number'],
    ['no owner', { ownedBy: '' }, 'models.0.ownedBy: must not be empty'],
    ['a long owner', { ownedBy: 'o'.repeat(129) }, 'models.0.ownedBy: must have at most 128 characters'],
    ['a day before 1970', { created: -1 }, 'models.0.created: must be at least 0'],
    ['no context', { contextTokens: 0 }, 'models.0.contextTokens: must be at least 1'],
    ['images of fewer than no tokens', { imageTokens: -1 }, 'models.0.imageTokens: must be at least 0'],
    ['a list for its price', { price: [] }, 'models.0.price: must be an object'],
    ['text for its capabilities', { capabilities: 'chat' }, 'models.0.capabilities: must be a list'],
    [
      'an empty name at its upstream',
      { upstreams: [{ upstream: 'first', model: '' }] },
      'models.0.upstreams.0.model: must not be empty',
    ],
    [
      'text for a weight',
      { upstreams: [{ upstream: 'first', weight: '1' }] },
      'models.0.upstreams.0.weight: must be a number',
    ],
    [
      'what no upstream of it has',
      { upstreams: [{ upstream: 'first', colour: 'red' }] },
      'models.0.upstreams.0: has unknown fields: colour',
    ],
    ['no output', { maxOutputTokens: 0 }, 'models.0.maxOutputTokens: must be at least 1'],
    ['no capability', { capabilities: [] }, 'models.0.capabilities: must name at least one'],
    [
      'an unknown one',
      { capabilities: ['song'] },
      'models.0.capabilities.0: must be one of chat, messages, responses, embeddings',
    ],
    ['no price', { price: undefined }, 'models.0.price: is missing'],
    [
      'a price as a number',
      { price: { ...MODEL.price, prompt: 0.1 } },
      'models.0.price.prompt: must be decimal text in quotes, for example "0.0000025"',
    ],
    [
      'a price too fine',
      { price: { ...MODEL.price, prompt: '0.0000000000001' } },
      'models.0.price.prompt: must be a decimal USD amount with at most 12 decimals',
    ],
    ['no upstream', { upstreams: [] }, 'models.0.upstreams: must name at least one'],
    [
      'an unknown upstream',
      { upstreams: [{ upstream: 'second' }] },
      'models.0.upstreams.0.upstream: there is no upstream second',
    ],
    [
      'no weight',
      { upstreams: [{ upstream: 'first', weight: 0 }] },
      'models.0.upstreams.0.weight: must be more than 0',
    ],
    ['what no model has', { colour: 'red' }, 'models.0: has unknown fields: colour'],
  ])('error: a model with %s', (_name, part, fault) => {
    expect(ofModel(part)).toEqual([fault])
  })

  test('error: names and ids are unique, and every repeat is named', () => {
    expect(faultsOf({ upstreams: [UPSTREAM, UPSTREAM], models: [MODEL, MODEL, MODEL] })).toEqual([
      'upstreams.1.name: first is the name of an earlier upstream',
      'models.1.id: small is the id of an earlier model',
      'models.2.id: small is the id of an earlier model',
    ])
  })

  test('error: unknown members are named, all of them', () => {
    expect(faultsOf({ ...FILE, colour: 'red', size: 7 })).toEqual(['file: has unknown fields: colour, size'])
  })

  test('error: each unknown upstream is named, and its shape is not reported as a fault', () => {
    const upstreams = [{ upstream: 'first' }, { upstream: 'second' }, { upstream: 'third' }]
    expect(ofModel({ capabilities: ['embeddings'], upstreams: upstreams.slice(1) })).toEqual([
      'models.0.upstreams.0.upstream: there is no upstream second',
      'models.0.upstreams.1.upstream: there is no upstream third',
    ])
    expect(ofModel({ upstreams })).toHaveLength(2)
  })

  test('an upstream of either shape serves a model, but only OpenAI’s serves embeddings', () => {
    const served = (capabilities: string[], ...shapes: string[]) =>
      faultsOf({
        upstreams: shapes.map((shape) => ({ ...UPSTREAM, name: shape, shape })),
        models: [{ ...MODEL, capabilities, upstreams: shapes.map((upstream) => ({ upstream })) }],
      })
    expect(served(['chat', 'messages', 'responses'], 'anthropic')).toEqual([])
    expect(served(['chat', 'messages', 'responses'], 'openai')).toEqual([])
    expect(served(['chat', 'embeddings'], 'anthropic', 'openai')).toEqual([])
    expect(served(['chat', 'embeddings'], 'anthropic')).toEqual([
      'models.0.capabilities.1: embeddings needs an upstream of shape openai',
    ])
  })

  test.each([
    [null, ['file: must be an object']],
    ['models', ['file: must be an object']],
    [undefined, ['file: is missing']],
    [{}, ['upstreams: is missing', 'models: is missing']],
    [{ upstreams: {}, models: [] }, ['upstreams: must be a list']],
  ])('error: %j is not a models file', (value, faults) => {
    expect(faultsOf(value)).toEqual(faults)
  })
})
