import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, Instance } from './instance.ts'

const [first, second] = [new Instance(), new Instance()]

beforeAll(async () => {
  await first.start([], { DEMO_PORT: String(await freePort()) })
  await until('the demonstration is over', () => first.says(/^Done\. Look|^The demonstration stopped/m), 60_000)
  await second.start()
}, 150_000)
afterAll(() => Promise.all([first.dispose(), second.dispose()]))

/** The operator's command on the second instance. */
function operator(...words: string[]): string {
  const env = { ...environment(), CALLBOARD_DATA: second.folder }
  const main = join(inject('programs'), 'operator.mjs')
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8', timeout: 60_000 })
  return stdout + stderr
}

interface Item {
  readonly group: string
  readonly execution: { readonly url: string; readonly payable: boolean }
}

const found = async (q: string): Promise<Item[]> => {
  const answer = await fetch(`${second.baseUrl}/api/call/discovery?q=${q}`)
  return ((await answer.json()) as { items: Item[] }).items
}

const imported = (name: string) =>
  until(
    `${name} is imported`,
    () => new RegExp(`^${name} [^\\n]*\\n {2}names (\\d+); imported 2`, 'm').exec(operator('sources', 'list')),
    60_000,
  )

describe('one Callboard instance is a mirror source of another', () => {
  test('by its facilitator: what was paid for through one is mirrored, probed and payable at the other', async () => {
    const [weather] = (
      (await (await fetch(`${first.baseUrl}/x402/discovery/resources`)).json()) as { items: { resource: string }[] }
    ).items
    expect(weather?.resource).toMatch(/\/weather$/)
    operator('sources', 'add', 'first', 'facilitator', `${first.baseUrl}/x402/discovery/resources`)
    const item = await until('it is found', async () => (await found('weather'))[0], 60_000)
    expect(item).toMatchObject({ group: 'external', execution: { url: weather?.resource, payable: true } })
  }, 120_000)

  test('by its /.well-known/x402, its OpenAPI document and its API catalog: what it sells itself', async () => {
    operator('sources', 'add', 'first-known', 'well-known', `${first.baseUrl}/.well-known/x402`)
    operator('sources', 'add', 'first-catalog', 'api-catalog', `${first.baseUrl}/.well-known/api-catalog`)
    operator('sources', 'add', 'first-described', 'openapi', `${first.baseUrl}/x402/openapi.json`)
    for (const name of ['first-known', 'first-catalog', 'first-described']) await imported(name)
    const decoders = async () => (await found('decode')).filter(({ group }) => group === 'external')
    const [decoder] = await until(
      'its decoder is found',
      async () => ((await decoders()).length > 0 ? decoders() : undefined),
      60_000,
    )
    expect(decoder?.execution).toMatchObject({ payable: true, url: expect.stringContaining(first.baseUrl) })
    expect(operator('sources', 'list')).not.toMatch(/failed \d+ times/)
    // Each check of the list runs a process of the operator command.
  }, 240_000)
})
