import { join } from 'node:path'
import { type Child, DEVNET_MNEMONIC, type Devnet, openDevnet, startPostgres } from '@callboard/embedded'
import { accountOfMnemonic } from '@callboard/evm'
import { type Env, isSet, type ServiceModule } from '@callboard/runtime'
import { bytesToHex, createTestClient, http, parseEther } from 'viem'
import { keptSecrets, SECRETS } from './data-folder.ts'

/** One part of an instance, as reported to the caller that starts it. */
export interface Part {
  readonly name: string
  readonly how: string
  /** The setting that replaces it. */
  readonly change: string
}

export interface EmbeddedParts {
  /** The settings of what was started; the given environment overrides them. */
  readonly env: Readonly<Record<string, string>>
  readonly parts: readonly Part[]
  /** Rejects when one of them ends unasked. */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

const DATABASE = 'callboard'
/** The facilitator's account on the devnet, far above those meant for people. */
const FACILITATOR_INDEX = 1_002
/** The payee for balance there: not the one for decoding, so that the two revenues can be told apart on the chain. */
const ROUTER_PAYEE_INDEX = 1_003

/**
 * Gas on a devnet is free, so a load test may spend any amount; wasted gas is limited as on a real chain, by the same
 * amounts per hour and day.
 */
const DEVNET_GAS = {
  GAS_PER_HOUR: '1000000000000',
  GAS_PER_DAY: '10000000000000',
  GAS_SHARES: JSON.stringify({
    payee: 100,
    requester: 100,
    key: 100,
    wasted: 0.002,
    newPayers: 0.005,
    newContracts: 0.001,
  }),
}

/** Where the parts of an instance keep their data and can be reached, and which services will use them. */
export interface Embedding {
  /** The data folder. */
  readonly folder: string
  readonly baseUrl: string
  /** Only what these need is started. */
  readonly modules: readonly ServiceModule[]
}

/** Starts, as children of this process, the parts that services need and for which the environment names no server. */
export async function startEmbeddedParts(env: Env, embedding: Embedding): Promise<EmbeddedParts> {
  const { folder, baseUrl, modules } = embedding
  const children: { readonly name: string; readonly child: Child }[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  let stopping = false
  const stop = async () => {
    stopping = true
    await Promise.allSettled(children.splice(0).map(({ child }) => child.stop()))
  }
  function keep(name: string, child: Child): void {
    children.push({ name, child })
    void child.exited.then(({ code, signal }) => {
      const sentence = `${name} stopped unexpectedly (${signal ?? `code ${code}`}). Start again: its data is kept.`
      if (!stopping) failure.reject(new Error(sentence))
    })
  }
  try {
    // With its own database, an instance is also given its secrets: those in a folder would differ between processes.
    const given: Record<string, string> = {
      BASE_URL: baseUrl,
      ...(isSet(env, 'DATABASE_URL') ? {} : keptSecrets(folder)),
    }
    if (!isSet(env, 'RPC_URLS')) Object.assign(given, demonstrated(folder))
    const settled = await Promise.allSettled([
      ...(modules.some(({ migrations }) => migrations) ? [postgresPart(env, folder, keep)] : []),
      ...(modules.some(({ config }) => 'RPC_URLS' in config.shape) ? [chainPart(env, embedding, keep)] : []),
    ])
    for (const part of settled) if (part.status === 'rejected') throw part.reason
    const started = settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []))
    for (const { env: more } of started) Object.assign(given, more)
    const parts = [...started.map(({ part }) => part), busPart(env), countersPart(env)]
    return { env: given, parts, failed: failure.promise, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * On a devnet the demonstration writes what is mirrored and what the Router sells, and every owner has a little
 * Compute, and more for a stake: neither its wallets nor its models cost anything.
 */
const demonstrated = (folder: string) => ({
  MIRROR_SOURCES: join(folder, 'mirror.sources.yaml'),
  ROUTER_MODELS: join(folder, 'router.models.yaml'),
  COMPUTE_DAILY_USD: '1',
  COMPUTE_USD_PER_STAKED_TOKEN: '0.001',
  COMPUTE_MAX_DAILY_USD: '100',
})

/** Settings that an instance would provide to its services but that are unknown until its parts run. */
export const settingsOfParts = (env: Env): string[] => [
  ...(isSet(env, 'DATABASE_URL') ? [] : ['DATABASE_URL', ...SECRETS]),
  ...(isSet(env, 'RPC_URLS') || isSet(env, 'DEVNET')
    ? []
    : ['DEVNET', 'RPC_URLS', 'FACILITATOR_KEYS', 'DECODE_PAY_TO', 'ROUTER_PAY_TO']),
]

interface Started {
  readonly env: Record<string, string>
  readonly part: Part
}

type Keep = (name: string, child: Child) => void

async function postgresPart(env: Env, folder: string, keep: Keep): Promise<Started> {
  const change = 'DATABASE_URL'
  if (isSet(env, 'DATABASE_URL'))
    return { env: {}, part: { name: 'Postgres', how: 'the server of DATABASE_URL', change } }
  // A devnet is not worth the disk time; on a real chain a power cut must not lose the record of whose money moved.
  const fsync = isSet(env, 'RPC_URLS')
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), portSetting: 'POSTGRES_PORT', fsync })
  keep('Postgres', postgres)
  await postgres.createDatabase(DATABASE)
  const durability = postgres.fsync ? 'fsync on' : 'fsync off: a power cut may lose data'
  const how = `PostgreSQL 18 from npm, a child on 127.0.0.1:${postgres.port}, ${durability}`
  return { env: { DATABASE_URL: postgres.socketUrl(DATABASE) }, part: { name: 'Postgres', how, change } }
}

async function chainPart(env: Env, { folder, baseUrl }: Embedding, keep: Keep): Promise<Started> {
  const change = 'RPC_URLS'
  if (isSet(env, 'RPC_URLS')) return { env: {}, part: { name: 'Chain', how: 'the nodes of RPC_URLS', change } }
  if (isSet(env, 'DEVNET')) return { env: {}, part: { name: 'Chain', how: 'the devnet of DEVNET', change } }
  const devnet = await openDevnet({ dataDir: folder, baseUrl, facilitatorUrl: `${baseUrl}/x402` })
  keep('The devnet', devnet)
  return {
    env: await devnetSettings(devnet),
    part: { name: 'Chain', how: `anvil, a child on ${devnet.rpcUrl}: devnet ${devnet.network}, test USDC`, change },
  }
}

/**
 * Returns the settings with which services work on a devnet, and funds the facilitator's account there for gas.
 * @param otherwise members of `DEVNET` that differ, such as the node's URL as the services reach it
 */
export async function devnetSettings(
  devnet: Devnet,
  otherwise: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, string>> {
  const facilitator = accountOfMnemonic(DEVNET_MNEMONIC, FACILITATOR_INDEX)
  const node = createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl) })
  await node.setBalance({ address: facilitator.address, value: parseEther('1000') })
  const privateKey = facilitator.getHdKey().privateKey
  if (!privateKey) throw new Error('The devnet’s mnemonic gave no key for the facilitator.')
  return {
    DEVNET: JSON.stringify({
      rpcUrl: devnet.rpcUrl,
      chainId: devnet.chainId,
      usdc: devnet.usdc.address,
      usdcName: devnet.usdc.name,
      splitterFactory: devnet.splitterFactory,
      splitterTreasury: devnet.treasury,
      settlementBatch: devnet.settlementBatch,
      stake: devnet.stake,
      stakeToken: devnet.stakeToken,
      burnLedger: devnet.burnLedger,
      identityRegistry: devnet.identityRegistry,
      reputationRegistry: devnet.reputationRegistry,
      ...otherwise,
    }),
    STAKE_CONTRACTS: JSON.stringify({ [devnet.network]: devnet.stake }),
    FACILITATOR_KEYS: bytesToHex(privateKey),
    DECODE_PAY_TO: devnet.treasury,
    ROUTER_PAY_TO: accountOfMnemonic(DEVNET_MNEMONIC, ROUTER_PAYEE_INDEX).address,
    PROBE_ALLOW_LOOPBACK: 'true',
    CLIENT_DOCUMENT_ALLOW_LOOPBACK: 'true',
    ...DEVNET_GAS,
  }
}

const busPart = (env: Env): Part => ({
  name: 'Bus',
  how: isSet(env, 'NATS_URL') ? 'NATS at NATS_URL' : 'inside the process',
  change: 'NATS_URL',
})

const countersPart = (env: Env): Part => ({
  name: 'Counters',
  how: isSet(env, 'REDIS_URL') ? 'Redis at REDIS_URL' : 'inside the process',
  change: 'REDIS_URL',
})
