import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, freePort, startChild } from '@callboard/embedded'
import { program } from './programs.ts'

/** A monitoring server: Prometheus or Alertmanager. */
export interface Watcher {
  readonly url: string
  stop(): Promise<void>
}

export interface WatcherOptions {
  readonly dataDir: string
  readonly configFile: string
  readonly args?: readonly string[]
  readonly log?: (line: string) => void
}

interface Kind {
  readonly what: string
  readonly name: string
  readonly debianPackage: string
  readonly args: (port: number, options: WatcherOptions) => string[]
  readonly ready: RegExp
}

const PROMETHEUS: Kind = {
  what: 'Prometheus',
  name: 'prometheus',
  debianPackage: 'prometheus',
  args: (port, { dataDir, configFile }) => [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${join(dataDir, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ],
  ready: /Server is ready to receive web requests/,
}

const ALERTMANAGER: Kind = {
  what: 'Alertmanager',
  name: 'prometheus-alertmanager',
  debianPackage: 'prometheus-alertmanager',
  args: (port, { dataDir, configFile }) => [
    `--config.file=${configFile}`,
    `--storage.path=${join(dataDir, 'alertmanager')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ],
  ready: /Listening on|msg=Listening/,
}

/** Starts a Prometheus; throws when this machine cannot have one. */
export const startPrometheus = (options: WatcherOptions): Promise<Watcher> => start(PROMETHEUS, options)

/** Starts a single Alertmanager; throws when this machine cannot have one. */
export const startAlertmanager = (options: WatcherOptions): Promise<Watcher> => start(ALERTMANAGER, options)

async function start(kind: Kind, options: WatcherOptions): Promise<Watcher> {
  const found = await program(kind)
  if ('closed' in found)
    throw new Error(`No ${kind.what} can be started: ${found.closed}. Install ${kind.debianPackage}.`)
  const port = await freePort()
  const own = [...kind.args(port, options), ...(options.args ?? [])]
  const [command, ...args] = withItsFiles(found.file, own)
  const child: Child = await startChild({
    what: kind.what,
    command,
    args,
    env: { ...process.env, ...found.env },
    ready: kind.ready,
    readyWithinMs: 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    log: options.log,
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.stop() }
}

/**
 * Debian's Alertmanager reads templates below /usr/share. One unpacked without root gets those of its package there, in
 * a mount namespace of its own.
 */
function withItsFiles(file: string, args: readonly string[]): [string, ...string[]] {
  const share = join(file, '../../share')
  if (!existsSync(join(share, 'prometheus/alertmanager')) || share === '/usr/share') return [file, ...args]
  const mount = `mount -t overlay overlay -o "lowerdir=$0:/usr/share" /usr/share && exec "$@"`
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, share, file, ...args]
}
