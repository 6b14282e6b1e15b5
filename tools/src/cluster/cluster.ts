import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { modules } from '@callboard/all'
import { keptSecrets } from '@callboard/all/data-folder'
import { devnetSettings } from '@callboard/all/embedded'
import { freePort, requireFreePort } from '@callboard/embedded'
import { migrateServices } from '@callboard/runtime'
import { startBalancer } from './balancer.ts'
import { MAIN, Member } from './member.ts'
import { createRoles, ROLE_PREFIX, urlOfRole } from './roles.ts'
import { type Servers, startServers, type Urls } from './servers.ts'

const run = promisify(execFile)

export interface ClusterOptions {
  /** Holds all data; start on it again to restore it. */
  readonly folder: string
  /** The public port; a free one when absent. */
  readonly port?: number | undefined
  /** Processes per service, or for the named services, and one of each other. */
  readonly replicas: number | Readonly<Record<string, number>>
  /** Settings of the local chain that differ from what it reports, such as its finality. */
  readonly devnet?: Readonly<Record<string, unknown>>
  /** Settings of every process. */
  readonly env?: NodeJS.ProcessEnv
  /** The entry point of every process; our source when absent. */
  readonly main?: string | undefined
  /** Whether `main` is another version's, whose own migration step creates the schemas. */
  readonly isOtherVersion?: boolean
  /** Arguments of node itself, for every process. */
  readonly execArgs?: readonly string[]
  /** Milliseconds between polls of a ready gateway; above the default, stopping gateways lose connections. */
  readonly lookAgainMs?: number
  /** Puts proxies between the services and their servers. */
  readonly through?: (urls: Urls) => Promise<Urls>
  /** Called with each line that a process prints. */
  readonly log?: (line: string) => unknown
  /** Called with each process once it is ready. */
  readonly told?: (member: Member) => void
}

/** A running cluster. */
export interface Cluster extends Servers {
  readonly baseUrl: string
  readonly folder: string
  readonly members: readonly Member[]
  /** The settings of every process, with the superuser's database URL: each service signs in with a role of its own. */
  readonly env: NodeJS.ProcessEnv
  /** The processes of one service. */
  of(target: string): Member[]
  stop(): Promise<void>
}

/** Longer than the balancer takes to notice that a gateway is no longer ready. */
const SHUTDOWN_DELAY_MS = 1_000

/**
 * Starts every service in processes of its own over a real nats-server with JetStream, Postgres and Redis, on one
 * machine and behind one port: the cluster mode for development, for tests, and for deliberate faults. Resolves when
 * the migration step has run and every process is ready.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await assemble(options, undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function assemble(
  { folder, env: own, ...options }: ClusterOptions,
  undo: (() => Promise<unknown>)[],
): Promise<Omit<Cluster, 'stop'>> {
  const port = options.port ?? (await freePort())
  await requireFreePort(port, 'PORT')
  const baseUrl = `http://127.0.0.1:${port}`
  const servers = await startServers(folder, baseUrl, undo)
  const { databaseUrl, natsUrl, redisUrl, rpcUrl } = (await options.through?.(servers.urls)) ?? servers.urls
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...(await devnetSettings(servers.chain.server, { rpcUrl, ...options.devnet })),
    ...keptSecrets(folder),
    ...{ BASE_URL: baseUrl, CALLBOARD_DATA: folder, LOG_LEVEL: 'warn' },
    ...{ DATABASE_URL: databaseUrl, NATS_URL: natsUrl, REDIS_URL: redisUrl },
    ...{ MIGRATIONS: 'wait', SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) },
    ...own,
  }
  const { databaseUrl: DATABASE_URL, natsUrl: NATS_URL } = servers.urls
  if (options.isOtherVersion) {
    await run(process.execPath, [options.main ?? MAIN, '--migrate'], { env: { ...env, DATABASE_URL, NATS_URL } })
  } else {
    await createRoles(DATABASE_URL)
    await migrateServices(modules, { ...env, DATABASE_URL, NATS_URL, DATABASE_ROLE_PREFIX: ROLE_PREFIX })
  }
  const envOf = (target: string) =>
    options.isOtherVersion ? env : { ...env, DATABASE_URL: urlOfRole(databaseUrl, target) }

  const { replicas, execArgs, log, main, lookAgainMs } = options
  const members = await Promise.all(
    modules.flatMap(({ name: target }) =>
      Array.from({ length: countOf(replicas, target) }, async () => {
        const [own, adminPort] = [await freePort(), await freePort()]
        return new Member({ target, port: own, adminPort, env: envOf(target), execArgs, log, main, lookAgainMs })
      }),
    ),
  )
  undo.push(() => endAll(members))
  const balancer = await startBalancer(port, () => members.filter(({ target }) => target === 'gateway'))
  undo.push(() => balancer.close())
  await Promise.all(members.map((member) => member.start().then(() => options.told?.(member))))
  const of = (target: string) => members.filter((member) => member.target === target)
  return { ...servers, baseUrl, folder, members, env, of }
}

const countOf = (replicas: ClusterOptions['replicas'], target: string): number =>
  typeof replicas === 'number' ? replicas : (replicas[target] ?? 1)

/** Stops callers before the services they call. */
async function endAll(members: readonly Member[]): Promise<void> {
  for (const { name } of modules.toReversed()) {
    await Promise.all(members.filter(({ target }) => target === name).map((member) => member.end()))
  }
}
