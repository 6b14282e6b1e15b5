import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, Instance } from './instance.ts'

const DEMO = join(inject('programs'), 'demo.mjs')
const [first, second] = [Instance.onNothing(), Instance.onNothing()]
const isOver = (instance: Instance) => instance.says(/^Done\. Look|^The demonstration stopped/m)

beforeAll(async () => {
  // No DEMO_PORT: both look for a free port, as on the machine of a developer who starts two.
  await first.start([])
  await until('the first demonstration is over', () => isOver(first), 60_000)
  await second.start([])
  await until('the second demonstration is over', () => isOver(second), 60_000)
}, 240_000)
afterAll(async () => {
  await second.dispose()
  await first.dispose()
})

const read = async (path: string, instance: Instance) => (await (await fetch(instance.baseUrl + path)).json()) as never
const settled = async (instance: Instance): Promise<string[]> =>
  (await (read('/api/call/activity', instance) as Promise<{ items: { txHash: string }[] }>)).items.map(
    ({ txHash }) => txHash,
  )
const sellerOf = ({ output }: Instance) => /http:\/\/127\.0\.0\.1:\d+\/weather/.exec(output)?.[0]

const demo = (env: Record<string, string>) =>
  spawnSync(process.execPath, [DEMO], { env: { ...environment(), ...env }, encoding: 'utf8', timeout: 60_000 })

describe('a second instance on one machine', () => {
  test('has its own demonstration, with its own seller, on its own chain', async () => {
    for (const instance of [first, second]) expect(instance.output).toMatch(/^Done\. Look/m)
    expect(sellerOf(second)).not.toBe(sellerOf(first))
    const [ofFirst, ofSecond] = [await settled(first), await settled(second)]
    expect([ofFirst.length, ofSecond.length]).toEqual([1, 1])
    expect(ofSecond).not.toEqual(ofFirst)
  })

  test('has a genesis block different from the first one’s', async () => {
    const genesis = async (instance: Instance) => {
      const { kinds } = (await read('/x402/supported', instance)) as { kinds: { extra: { genesisHash: string } }[] }
      return kinds[0]?.extra.genesisHash
    }
    expect(await genesis(first)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await genesis(second)).not.toBe(await genesis(first))
  })

  test('a demonstration writes into no file of the operator’s, and says what it leaves out', () => {
    const [models, sources] = ['models.yaml', 'sources.yaml'].map((name) => join(first.folder, name))
    const own = '# my own\nupstreams: []\nmodels: []\n'
    for (const file of [models, sources]) writeFileSync(file ?? '', own)
    const files = { ROUTER_MODELS: models ?? '', MIRROR_SOURCES: sources ?? '' }
    const { status, stdout, stderr } = demo({ CALLBOARD_DATA: first.folder, ...files })
    expect(status, stderr).toBe(0)
    for (const [setting, file] of Object.entries(files)) {
      expect(readFileSync(file, 'utf8')).toBe(own)
      expect(stdout).toMatch(new RegExp(`a file of yours \\(${setting}\\)\\s+${file}`))
    }
  })

  test('a demonstration that is repeated leaves the Router what the running one sells', async () => {
    const sold = () => read('/api/router/models', first) as Promise<{ models: { id: string }[] }>
    const before = await sold()
    expect(before.models).not.toEqual([])
    const { status, stderr } = demo({ CALLBOARD_DATA: first.folder })
    expect(status, stderr).toBe(0)
    await until('the Router has read its file again', async () => (await sold()).models.length > 0)
    expect(readFileSync(join(first.folder, 'router.models.yaml'), 'utf8')).toContain('sample-small')
  })

  test('pays nothing if devnet.json names a chain other than the one that the instance reads', async () => {
    const folder = join(first.folder, 'mixed')
    mkdirSync(folder)
    const mixed = { ...first.devnet, rpcUrl: second.devnet.rpcUrl }
    writeFileSync(join(folder, 'devnet.json'), JSON.stringify(mixed))
    const before = [await settled(first), await settled(second)]
    const { status, stderr, stdout } = demo({ CALLBOARD_DATA: folder })
    expect(status).toBe(1)
    expect(stderr).toMatch(/settles on another eip155:31337 than the one at .*nothing was paid.*Set CALLBOARD_DATA/)
    expect(stdout).toBe('')
    expect([await settled(first), await settled(second)]).toEqual(before)
  })

  test('refuses a requested port that the first instance’s seller uses, and says so', async () => {
    const taken = new URL(sellerOf(first) ?? '').port
    const { status, stderr } = demo({ CALLBOARD_DATA: second.folder, DEMO_PORT: taken })
    expect(status).toBe(1)
    expect(stderr).toContain(`Port ${taken} is taken by the sample provider of another instance, ${first.baseUrl}/x402`)
    expect(stderr).toContain('set DEMO_PORT to one that is free')
  })

  test('lists a second seller on a port of its own choice', async () => {
    const port = String(await freePort())
    const { status, stdout, stderr } = demo({ CALLBOARD_DATA: second.folder, DEMO_PORT: port })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(`http://127.0.0.1:${port}/weather`)
  })

  test('reports a demonstration whose instance does not answer', () => {
    const folder = join(first.folder, 'gone')
    mkdirSync(folder)
    const gone = { ...first.devnet, baseUrl: 'http://127.0.0.1:1', facilitatorUrl: 'http://127.0.0.1:1/x402' }
    writeFileSync(join(folder, 'devnet.json'), JSON.stringify(gone))
    const { status, stderr } = demo({ CALLBOARD_DATA: folder })
    expect(status).toBe(1)
    expect(stderr.trim()).toBe(
      'The demonstration stopped. The instance at http://127.0.0.1:1, which devnet.json names, does not answer: start it with npm start.',
    )
  })
})
