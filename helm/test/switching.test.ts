import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHART, findHelm, MINIMAL } from '../src/chart.ts'
import { startApiServer } from './api-server.ts'

const helm = findHelm()
const run = promisify(execFile)

describe.skipIf(!helm)('replicas over upgrades, as helm patches them', () => {
  let cluster: Awaited<ReturnType<typeof startApiServer>>
  let folder: string
  beforeEach(async () => {
    cluster = await startApiServer()
    folder = temporaryFolder('callboard-helm-')
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: cluster.url } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: {} }],
      'current-context': 'c',
    }
    writeFileSync(join(folder, 'config'), JSON.stringify(config), { mode: 0o600 })
  })
  afterEach(() => cluster.close())

  async function upgrade(router: object): Promise<number> {
    const values = join(folder, 'values.json')
    writeFileSync(values, JSON.stringify({ targets: { router } }))
    await helmed('upgrade', '--install', 'cb', CHART, '-f', MINIMAL, '-f', values, '--disable-openapi-validation')
    return replicas()
  }
  const helmed = (...args: readonly string[]) => {
    const env = {
      ...process.env,
      KUBECONFIG: join(folder, 'config'),
      HELM_CACHE_HOME: folder,
      HELM_CONFIG_HOME: folder,
    }
    return run(helm ?? '', [...args, '--namespace', 'market'], { env })
  }
  const replicas = () => Number(cluster.deployment('cb-callboard-router').spec.replicas)
  /** Scales it, as an autoscaler or a person would. */
  const scaled = (to: number) => {
    cluster.deployment('cb-callboard-router').spec.replicas = to
  }
  const autoscaled = (more: object = {}) => ({ autoscaling: { kind: 'work', minReplicas: 2, maxReplicas: 9, ...more } })

  test('a switch from a fixed number to an autoscaler keeps the running replicas', async () => {
    expect(await upgrade({ replicas: 5 })).toBe(5)
    expect(await upgrade(autoscaled())).toBe(5)
  })

  test('an upgrade keeps the number that the autoscaler chose', async () => {
    expect(await upgrade(autoscaled()), 'a fresh install starts with the minimum').toBe(2)
    scaled(7)
    expect(await upgrade({ ...autoscaled(), podAnnotations: { upgraded: 'yes' } })).toBe(7)
  })

  test('going back by an upgrade keeps that number too; a rollback brings back that of its revision', async () => {
    const of = (version: string) => ({ ...autoscaled(), podAnnotations: { version } })
    await upgrade(of('old'))
    scaled(7)
    await upgrade(of('new'))
    expect(await upgrade(of('old'))).toBe(7)
    await helmed('rollback', 'cb', '1')
    expect(replicas()).toBe(2)
  })

  test('running replicas are brought within the minimum and maximum', async () => {
    await upgrade({ replicas: 1 })
    expect(await upgrade(autoscaled({ minReplicas: 3 }))).toBe(3)
    scaled(9)
    expect(await upgrade(autoscaled({ maxReplicas: 6 }))).toBe(6)
  })

  test('a switch back to a fixed number applies that number', async () => {
    await upgrade(autoscaled())
    scaled(8)
    expect(await upgrade({ replicas: 3 })).toBe(3)
  })
})
