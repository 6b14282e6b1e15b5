import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '@callboard/embedded'
import { startNatsServer, startRedisServer } from '@callboard/testkit/servers'
import { ROOT } from '@callboard/tools/generated-files'
import type { Group, World } from '../demands/demand.ts'
import { Release } from '../release.ts'
import { imitateBaseSepolia } from './base-sepolia.ts'
import { kubectlBefore, stepsOf } from './commands.ts'
import { type Names, type Processes, runPods } from './processes.ts'
import { volumes } from './volumes.ts'

/** The section of docs/operating.md whose commands are run. */
export const HEADING = 'From an empty cluster to a paid call'
/** Where its last step reaches the gateway. */
export const PAID = 'http://127.0.0.1:8402/'
const NAMESPACE = 'callboard'
const SETTLED = /USD to 0x\w{40} on eip155:84532: settled by 0x\w{64}/

/** The path in docs/operating.md from an empty cluster to a paid call, run as written there. */
export function firstCallGroup(world: World, kubectl: string, log: (line: string) => void): Group {
  const steps = stepsOf(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8'), HEADING)
  const ends: (() => Promise<void>)[] = []
  const shell = openShell(world, kubectl)
  let processes: Processes | undefined

  return {
    name: 'first-call',
    async end() {
      for (const end of ends.toReversed()) await end()
    },
    demands: [
      {
        name: 'servers, secrets and release are typed as documented, and all of it stands',
        async hold() {
          const chain = await imitateBaseSepolia(log)
          ends.push(() => chain.stop())
          Object.assign(shell.env, {
            ...{ IMAGE: 'registry.example/callboard', DIGEST: `sha256:${'ab'.repeat(32)}` },
            ...{ BASE_URL: 'https://callboard.example', PAY_TO: `0x${'da'.repeat(20)}` },
            ...{ RPC_URL: chain.rpcUrl, FACILITATOR_KEYS: chain.facilitatorKey },
            CALLBOARD_AGENT_KEY: chain.buyerKey,
          })
          for (const volume of volumes()) await world.api.must('POST', ...volume)
          const said = await shell.type(steps.slice(0, 3).join(''))
          const release = new Release(world, NAMESPACE)
          await release.stands()
          return `${(await release.deployments()).length} Deployments, ${/Phase:\s+Succeeded/.test(said) ? 'and the pod of helm test' : 'without helm test'}`
        },
      },
      {
        name: 'processes with the settings of its pods become ready',
        async hold() {
          const { names, stop } = await startServers(world.folder)
          ends.push(stop)
          const folder = join(world.folder, 'pods')
          processes = await runPods(world.api, { namespace: NAMESPACE, names, folder, log })
          ends.push(processes.stop)
          return `${processes.count} processes`
        },
      },
      {
        name: 'the call is bought as documented, and settled',
        async hold() {
          const said = await shell.type(steps.slice(3).join('').replaceAll(PAID, `${processes?.url}/`))
          const [settled] = SETTLED.exec(said) ?? []
          if (!settled) throw new Error(`It was not settled: ${said}`)
          return settled
        },
      },
    ],
  }
}

/** A shell in a folder that looks like the clone, whose kubectl and helm reach the cluster. */
function openShell({ helm, kubeconfig, folder }: World, kubectl: string) {
  const clone = join(folder, 'clone')
  const bin = join(folder, 'bin')
  for (const made of [clone, bin]) mkdirSync(made)
  for (const entry of ['deploy', 'helm', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, entry), join(clone, entry))
  writeFileSync(join(bin, 'kubectl'), kubectlBefore(kubectl), { mode: 0o755 })
  const own = join(folder, 'first-call.kubeconfig')
  copyFileSync(kubeconfig, own)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [bin, dirname(helm), process.env.PATH].join(delimiter),
    ...{ KUBECONFIG: own, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
    CALLBOARD_CONFIG_DIR: join(folder, 'buyer'),
  }
  return {
    env,
    /** @returns what was printed @throws Error with the output of a failed command */
    async type(commands: string): Promise<string> {
      const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
        cwd: clone,
        env,
      })
      return stdout + stderr
    },
  }
}

/** The servers that run instead of the cluster's, by the names that they have in the cluster. */
async function startServers(folder: string): Promise<{ readonly names: Names; stop(): Promise<void> }> {
  const at = (name: string) => join(folder, name)
  // Real money requires a Postgres with fsync.
  const postgres = await startPostgres({ dataDir: at('postgres'), fsync: true })
  const [database, nats, redis] = await Promise.all([
    postgres.createDatabase('callboard'),
    startNatsServer({ storeDir: at('nats') }),
    startRedisServer({ dataDir: at('redis') }),
  ])
  const names = { 'postgres:5432': database, 'nats:4222': nats.url, 'redis:6379': redis.url }
  return {
    names: Object.fromEntries(Object.entries(names).map(([name, url]) => [name, new URL(url).host])),
    stop: async () => {
      for (const server of [redis, nats, postgres]) await server.stop()
    },
  }
}
