import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Case, caseNumber, type Material } from '../src/fuzz/case.ts'
import { KINDS } from '../src/fuzz/credentials.ts'
import { runCases } from '../src/fuzz/run.ts'
import { curlOf, type Told } from '../src/fuzz/send.ts'
import { targetAt, targets } from '../src/fuzz/targets.ts'
import { faultsOf } from '../src/fuzz/verdict.ts'
import { type Running, startInstance } from '../src/instance.ts'

const MAIN = join(import.meta.dirname, '../src/fuzz/main.ts')
const CASES = 1_000

const NOTHING: Material = { known: new Map(), examples: new Map(), payments: ['e30='] }

describe('cases', () => {
  test('the same seed and number make the same case', () => {
    for (const number of [0, 1, 77, 4_000]) {
      expect(caseNumber(7, number, NOTHING)).toEqual(caseNumber(7, number, NOTHING))
    }
    expect(caseNumber(7, 1, NOTHING)).not.toEqual(caseNumber(8, 1, NOTHING))
  })

  test('every route and every kind of credential is used', () => {
    const made = Array.from({ length: targets.length * 20 }, (_, number) => caseNumber(1, number, NOTHING))
    expect(new Set(made.map(({ target }) => target.name)).size).toBe(targets.length)
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(KINDS))
  })

  test('a path reaches the target that the gateway would route it to', () => {
    expect(targetAt('GET', '/api/agents/self')?.name).toBe('agents.self')
    expect(targetAt('HEAD', '/api/calls/x')?.name).toBe('catalog.entry')
    expect(targetAt('GET', '/api/calls/search')?.name).toBe('catalog.search')
    expect(targetAt('GET', '/api/calls/')).toBeUndefined()
    expect(targetAt('PUT', '/api/calls/x')).toBeUndefined()
  })

  test('a finding can be repeated from a command line', () => {
    const sent = { method: 'POST', url: "/a?b='", headers: { 'x-a': "it's" }, body: Buffer.from('{"a":1}') }
    expect(curlOf('http://h', sent)).toBe(
      `curl -sS -i --path-as-is -X POST 'http://h/a?b='\\''' -H 'x-a: it'\\''s' --data-binary '{"a":1}'`,
    )
    expect(curlOf('http://h', { ...sent, body: Buffer.from([0, 255]) })).toMatch(/^base64 -d <<< AP8= \| curl /)
  })
})

describe('verdicts', () => {
  const stats = targets.find(({ name }) => name === 'catalog.stats')
  if (!stats) throw new Error('There is no catalog.stats')
  const asked: Case = {
    target: stats,
    kind: 'none',
    method: 'GET',
    url: '/api/call/stats',
    headers: {},
    body: undefined,
  }
  const head = { 'x-request-id': '1', 'content-type': 'application/json', 'cache-control': 'no-store' }
  const faults = (told: Partial<Told>, sent: Partial<Case> = {}) =>
    faultsOf({ ...asked, ...sent }, { status: 400, headers: head, text: '{}', ...told })
  const refused = (error: string) => JSON.stringify({ error, message: 'm' })

  test('default: a declared refusal in its own shape is no fault', () => {
    expect(faults({ text: refused('invalid_request') })).toEqual([])
    expect(
      faults(
        { status: 405, headers: { ...head, allow: 'GET' }, text: refused('method_not_allowed') },
        { method: 'PUT' },
      ),
    ).toEqual([])
    expect(
      faults({ status: 503, headers: { ...head, 'retry-after': '1' }, text: refused('temporarily_unavailable') }),
    ).toEqual([])
  })

  test.each<[string, Partial<Told>]>([
    ['500', { status: 500, text: refused('internal_error') }],
    ['504', { status: 504, text: refused('deadline_exceeded') }],
    ['503 without Retry-After', { status: 503, text: refused('temporarily_unavailable') }],
    ['no X-Request-Id', { headers: { ...head, 'x-request-id': undefined }, text: refused('invalid_request') }],
    ['a code of another route', { status: 409, text: refused('slug_taken') }],
    ['a declared code under another status', { status: 404, text: refused('invalid_request') }],
    ['a refusal that is not JSON', { headers: { ...head, 'content-type': 'text/plain' }, text: 'no' }],
    ['a refusal without a message', { text: '{"error":"invalid_request"}' }],
    [
      'a refusal that may be kept',
      { headers: { ...head, 'cache-control': 'public' }, text: refused('invalid_request') },
    ],
    ['a stack', { text: JSON.stringify({ error: 'invalid_request', message: 'at f (/srv/a.ts:1:2)' }) }],
    ['a success of another shape', { status: 200, text: '{"range":"30d"}' }],
    ['a success of another status', { status: 201, text: '{}' }],
    ['an offer of what is not sold', { status: 402, text: '{"accepts":[]}' }],
  ])('behavior: %s is a fault', (_what, told) => {
    expect(faults(told)).not.toEqual([])
  })
})

describe('the command line', () => {
  const run = (...given: string[]) =>
    spawnSync(process.execPath, [MAIN, ...given], { encoding: 'utf8', timeout: 30_000 })

  test('--help shows the usage; unknown options are refused with a message and exit code 2', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--minutes N') })
    for (const given of [['--nonsense'], ['--seed', 'x'], ['more']]) {
      const { status, stderr } = run(...given)
      expect(status).toBe(2)
      expect(stderr).toMatch(/usage: npm run fuzz/)
    }
  })
})

describe('a running instance', () => {
  let instance: Running
  let foundSomething = false
  beforeAll(async () => {
    const main = join(inject('programs'), 'main.mjs')
    instance = await startInstance([], { main, data: inject('preparedData') })
  }, 180_000)
  afterAll(() => instance.stop(foundSomething))

  test(`answers ${CASES} generated requests with nothing undeclared`, { timeout: 300_000 }, async () => {
    const effort = { seed: 1, from: 0, cases: CASES, until: Number.POSITIVE_INFINITY, only: '' }
    const { cases, findings, byKind } = await runCases(instance, effort, () => {
      foundSomething = true
    })
    expect(findings).toEqual([])
    expect(instance.ended()).toBeNull()
    expect(cases).toBe(CASES)
    expect(Object.entries(byKind).filter(([, count]) => count === 0)).toEqual([])
  })
})
