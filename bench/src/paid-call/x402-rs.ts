import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startChild } from '@callboard/embedded'
import type { Hex } from '@callboard/values'

const NAME = 'x402-rs'
export const X402_RS = { name: NAME, version: '0.12.5' }
/** Built once per machine: some hundred crates, ten minutes. */
const HOME = join(import.meta.dirname, '../../../.cache/peers', `${NAME}-${X402_RS.version}`)

interface Settings {
  readonly rpcUrl: string
  readonly network: string
  /** Keys of accounts that pay for gas; transactions are sent from each in turn. */
  readonly signers: readonly Hex[]
}

/** As in its own example for Base, which this chain stands in for. */
const config = ({ rpcUrl, network, signers }: Settings, port: number) => ({
  port,
  host: '127.0.0.1',
  chains: { [network]: { eip1559: true, flashblocks: false, signers, rpc: [{ http: rpcUrl }] } },
  schemes: [{ id: 'v2-eip155-exact', chains: 'eip155:*' }],
})

function installed(): string | undefined {
  const file = join(HOME, 'bin', NAME)
  if (existsSync(file)) return file
  console.log(`${NAME} is built …`)
  const args = ['install', NAME, '--version', X402_RS.version, '--locked', '--root', HOME]
  const { status } = spawnSync('cargo', args, { stdio: 'inherit' })
  return status === 0 ? file : undefined
}

/** The facilitator in Rust, from crates.io, in a process of its own. @returns undefined without a cargo to build it */
export async function startX402Rs(settings: Settings) {
  const file = installed()
  if (!file) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  const port = await freePort()
  const configFile = join(folder, 'config.json')
  writeFileSync(configFile, JSON.stringify(config(settings, port)), { mode: 0o600 })
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    what: NAME,
    command: file,
    args: ['--config', configFile],
    env: { ...process.env, RUST_LOG: 'error' },
    ready: async () => (await fetch(`${url}/supported`)).ok,
    readyWithinMs: 20_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  })
  return {
    url,
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
