import { rmSync } from 'node:fs'
import { keptSecrets } from '@callboard/all/data-folder'
import { devnetSettings } from '@callboard/all/embedded'
import { type Devnet, openDevnet, startPostgres } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import { Instance, SOURCE } from '../../../services/all/test/instance.ts'
import { openPayers, type Payers } from '../settle/payers.ts'
import type { Ledger } from './ledger.ts'
import { openPostgresProxy } from './postgres-proxy.ts'
import { openRpcProxy } from './rpc-proxy.ts'

/** A whole instance with the servers that it would start itself, and accounts that pay. */
export interface Place {
  readonly facilitatorUrl: string
  readonly devnet: Devnet
  readonly payers: Payers
  readonly pids: { readonly node: number; readonly postgres: number; readonly chain: number }
  close(): Promise<void>
}

/** The benchmark sends from one address. Limits for a payer, a payee and the gas stay in force. */
const RATE_LIMITS = JSON.stringify({ facilitator: { burst: 100_000, perMinute: 6_000_000 } })

export interface PlaceOptions {
  /** Records what the instance sends to Postgres and to the node; if absent, there are no proxies. */
  readonly ledger?: Ledger | undefined
  /** Settings in addition to those of `npm start`. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts the same as `npm start`, with the same settings: Postgres with `fsync` off and a chain stored in a folder. */
export async function openPlace(options: PlaceOptions = {}): Promise<Place> {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await assemble(undo, options)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(undo: (() => unknown)[], { ledger, env }: PlaceOptions): Promise<Omit<Place, 'close'>> {
  const folder = temporaryFolder('callboard-payment-cost-')
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: folder })
  undo.push(() => postgres.stop())
  const devnet = await openDevnet({ dataDir: folder })
  undo.push(() => devnet.stop())
  await postgres.createDatabase('callboard')
  const direct = { databaseUrl: postgres.socketUrl('callboard'), rpcUrl: devnet.rpcUrl }
  const { databaseUrl, rpcUrl } = ledger ? await through(direct, ledger, undo) : direct
  const instance = new Instance(SOURCE)
  undo.push(() => instance.dispose())
  await instance.start(['--no-demo'], {
    ...keptSecrets(folder),
    ...(await devnetSettings(devnet, { rpcUrl })),
    ...{ DATABASE_URL: databaseUrl, RATE_LIMITS, ...env },
  })
  return {
    facilitatorUrl: `${instance.baseUrl}/x402`,
    devnet,
    payers: await openPayers(devnet),
    pids: { node: instance.pid, postgres: postgres.pid, chain: devnet.pid },
  }
}

async function through(urls: { databaseUrl: string; rpcUrl: string }, ledger: Ledger, undo: (() => unknown)[]) {
  const database = await openPostgresProxy(urls.databaseUrl, ledger)
  undo.push(() => database.close())
  const rpc = await openRpcProxy(urls.rpcUrl, ledger)
  undo.push(() => rpc.close())
  return { databaseUrl: database.url, rpcUrl: rpc.url }
}
