import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PEERS = join(import.meta.dirname, '../peers')

/** The npm that came with the running Node, or else the one on the PATH. */
const npm = () =>
  [join(dirname(process.execPath), 'npm'), 'npm'].find((file) => file === 'npm' || existsSync(file)) ?? 'npm'

/**
 * The folder of a peer under bench/peers; its locked versions are installed on first use. Not by `npm ci`, which
 * reports packages for other platforms, absent from the lock file, as missing.
 * @param options of npm, in addition to ours
 */
export function installedPeer(name: string, options: readonly string[] = []): string {
  const home = join(PEERS, name)
  if (existsSync(join(home, 'node_modules'))) return home
  console.log(`${name} is installed …`)
  const { status } = spawnSync(npm(), ['install', '--no-save', '--no-audit', '--no-fund', ...options], {
    cwd: home,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${name} could not be installed; bench/peers/${name} says which version`)
  return home
}
