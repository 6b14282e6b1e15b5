import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { rpc } from './anvil-rpc.ts'
import { type ChainState, chainState } from './anvil-state.ts'
import { type Child, startChild } from './child.ts'
import { claimPidFile, type PidFile } from './pid-file.ts'
import { onChosenPort, type PortChoice } from './ports.ts'

export interface AnvilOptions {
  /** Absent: the previous port when there is a state file, or else a free one. */
  readonly port?: number | undefined
  /** The setting that changes the port. */
  readonly portSetting?: string
  readonly chainId?: number
  /** Keeps the chain across restarts; pid file and port are stored next to it. Absent: a throw-away chain. */
  readonly stateFile?: string | undefined
  /** Absent: a block for every transaction. */
  readonly blockTimeSeconds?: number | undefined
  readonly log?: ((line: string) => void) | undefined
}

export interface Anvil extends Child {
  readonly rpcUrl: string
  readonly port: number
}

/** The mnemonic known to every development node; its first ten accounts hold 10,000 ether each. */
export const DEVNET_MNEMONIC = 'test test test test test test test test test test test junk'

export const DEVNET_CHAIN_ID = 31_337

/**
 * The number of blocks whose state is kept in memory. By default anvil writes older states to disk, and reads them back
 * without code: a reorganization to such a block leaves a chain without contracts.
 */
const HISTORY = ['--prune-history', '256']

const STOP = { stopSignal: 'SIGTERM', stopWithinMs: 15_000 } as const

/**
 * Starts anvil as our child, loopback only, and waits until it answers. With a state file every later start restores
 * the chain: after a stop all of it, after kill -9 of anvil all but the last second; kill -9 of this process loses
 * nothing, since the node runs on until the next start ends it.
 */
export const startAnvil = (options: AnvilOptions = {}): Promise<Anvil> =>
  onChosenPort((choose) => startOn(options, choose))

async function startOn(options: AnvilOptions, choose: (choice: PortChoice) => Promise<number>): Promise<Anvil> {
  const { log, portSetting = 'the anvil port', chainId = DEVNET_CHAIN_ID } = options
  const stateFile = options.stateFile === undefined ? undefined : resolve(options.stateFile)
  const pidFile =
    stateFile === undefined ? undefined : await claimPidFile({ file: `${stateFile}.pid`, what: 'Anvil', ...STOP, log })
  try {
    const state = stateFile === undefined ? undefined : chainState(stateFile)
    const memory = stateFile === undefined ? undefined : `${stateFile}.port`
    const port = await choose({ port: options.port, setting: portSetting, memory })
    return await run({ ...options, chainId }, port, state, pidFile)
  } catch (error) {
    pidFile?.release()
    throw error
  }
}

async function run(
  { chainId, blockTimeSeconds, log }: AnvilOptions & { chainId: number },
  port: number,
  state: ChainState | undefined,
  pidFile: PidFile | undefined,
): Promise<Anvil> {
  const rpcUrl = `http://127.0.0.1:${port}`
  const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet']
  const blocks = blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds)]
  const child = await startChild({
    ...STOP,
    what: 'Anvil',
    command: anvilProgram(),
    args: [...args, '--mnemonic', DEVNET_MNEMONIC, ...HISTORY, ...blocks, ...(state?.args ?? [])],
    ready: async () => (await rpc(rpcUrl, 'eth_chainId')) === `0x${chainId.toString(16)}`,
    readyWithinMs: 30_000,
    ...(pidFile ? { pidFile } : {}),
    log,
  })
  const over = new AbortController()
  const kept = state?.keep(rpcUrl, over.signal)
  const exited = child.exited.then((exit) => {
    over.abort()
    return exit
  })
  return {
    rpcUrl,
    port,
    pid: child.pid,
    exited,
    signal: child.signal,
    async stop() {
      over.abort()
      await child.stop()
      await Promise.all([exited, kept])
    },
  }
}

/** The program from the platform's npm package, or else `anvil` on the PATH. */
function anvilProgram(): string {
  const own = packagedAnvil()
  if (own !== undefined) return own
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, anvilFile(process)))
  const found = onPath.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new Error(
    'No anvil was found: install Foundry so that anvil is on the PATH, or set the RPC URLs of chains that run already.',
  )
}

type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>

const anvilFile = ({ platform }: Machine): string => (platform === 'win32' ? 'anvil.exe' : 'anvil')

/** The npm package with anvil for a machine; Foundry publishes one for Linux, macOS and Windows. */
export const anvilPackage = ({ platform, arch }: Machine): string =>
  `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`

function packagedAnvil(): string | undefined {
  try {
    const home = dirname(createRequire(import.meta.url).resolve(`${anvilPackage(process)}/package.json`))
    const file = join(home, 'bin', anvilFile(process))
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
