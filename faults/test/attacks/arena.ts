import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { devnetSettings } from '@callboard/all/embedded'
import type { Devnet } from '@callboard/conformance/target'
import { openDevnet } from '@callboard/embedded'
import { serverFolder } from '@callboard/testkit/folder'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { startCluster } from '@callboard/tools/cluster'
import pg from 'pg'
import { inject } from 'vitest'
import { environment, Instance } from '../../../services/all/test/instance.ts'
import { Doors } from '../../../services/all/test/payments/doors.ts'
import { wideRates } from '../../src/world.ts'

/** A deployment under attack: the routes of its gateway, its chain and its records. */
export interface Arena {
  readonly doors: Doors
  /** The link from the services to the chain's node, which can be cut and can lie. */
  readonly chain: RpcProxy
  /** Reads the database directly. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** kill -9 of every process that settles payments; resolves when all of them run again. */
  killSettlers(): Promise<void>
  /** `npm run operator`. @returns what it printed. @throws Error with it when it fails */
  operator(...args: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** The suite calls from one address; limits for a payer, a payee and the gas stay in force. */
const RATE_LIMITS = wideRates()
/** Blocks are not final at once, so that a reorganization has something to revert. */
const FINALITY = { finality: 'tags', finalityDepth: 8 }
/** Two of each service, except those that no attack involves. */
const REPLICAS = {
  ...Object.fromEntries(modules.map(({ name }) => [name, 2])),
  ...{ agents: 0, router: 0 },
}

/** One process, as `npm start` runs it: embedded Postgres, the bus inside it, a devnet behind a proxy. */
export async function oneProcess(settings: Record<string, string> = {}): Promise<Arena> {
  const instance = new Instance()
  const { undo, close } = undoing()
  undo(() => instance.dispose())
  const devnet = await openDevnet()
  undo(() => devnet.stop())
  const chain = await rpcProxy(devnet.rpcUrl)
  undo(() => chain.close())
  const env = { ...(await devnetSettings(devnet, { rpcUrl: chain.url, ...FINALITY })), RATE_LIMITS, ...settings }
  const start = () => instance.start(['--no-demo'], env)
  await start()
  return {
    doors: await Doors.of(instance, { ...devnet, network: `eip155:${devnet.chainId}` }),
    chain,
    query: (text, values) => queryOnce(instance.databaseUrl, text, values),
    async killSettlers() {
      await instance.end('SIGKILL')
      await start()
    },
    operator: (...args) => operate(args, { ...env, CALLBOARD_DATA: instance.folder }),
    close,
  }
}

/** Two processes of each attacked service, over NATS, Redis and Postgres, behind one port. */
export async function onReplicas(settings: Record<string, string> = {}): Promise<Arena> {
  const folder = serverFolder('callboard-attacks-')
  const { undo, close } = undoing()
  undo(async () => rmSync(folder, { recursive: true, force: true }))
  let chain: RpcProxy | undefined
  await copyPrepared(inject('preparedData'), folder)
  const cluster = await startCluster({
    folder,
    replicas: REPLICAS,
    devnet: FINALITY,
    main: join(inject('programs'), 'main.mjs'),
    env: { RATE_LIMITS, ...settings },
    async through(urls) {
      chain = await rpcProxy(urls.rpcUrl)
      return { ...urls, rpcUrl: chain.url }
    },
  })
  undo(() => cluster.stop())
  if (!chain) throw new Error('The cluster was started past the proxy')
  const proxy = chain
  undo(() => proxy.close())
  const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
  return {
    doors: await Doors.of(cluster, devnet),
    chain: proxy,
    query: (text, values) => queryOnce(cluster.urls.databaseUrl, text, values),
    async killSettlers() {
      const settlers = cluster.of('x402-facilitator')
      await Promise.all(settlers.map((member) => member.end('SIGKILL')))
      await Promise.all(settlers.map((member) => member.start()))
    },
    operator: (...args) => operate(args, cluster.env),
    close,
  }
}

function undoing() {
  const steps: (() => Promise<unknown>)[] = []
  return {
    undo: (step: () => Promise<unknown>) => void steps.push(step),
    async close() {
      for (const step of steps.splice(0).reverse()) await step()
    },
  }
}

async function queryOnce<Row extends pg.QueryResultRow>(connectionString: string, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function operate(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [join(inject('programs'), 'operator.mjs'), ...args], {
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const note = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The operator's command ended with ${code}: ${output}`)
  return output
}
