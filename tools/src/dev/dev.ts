import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { endWithThisProcess } from '@callboard/embedded'
import pretty from 'pino-pretty'
import { ROOT } from '../generated-files.ts'

const MAIN = join(ROOT, 'services/all/src/main.ts')
const REQUIRE_NODE = join(ROOT, 'tools/require-node.mjs')

/**
 * Runs an instance under node's own watcher. On a terminal its logs are readable lines, elsewhere JSON as in a cluster.
 * If killed, it leaves no process behind.
 * @param nodeOptions options of node for the instance itself, such as `--inspect`
 * @returns the exit code, when a signal or a closed terminal has ended it
 */
export async function startDev(nodeOptions: readonly string[]): Promise<number> {
  endWithThisProcess()
  const watched = ['--watch', '--watch-preserve-output', ...nodeOptions, '--import', REQUIRE_NODE, MAIN, '--no-demo']
  const isTerminal = process.stdout.isTTY
  const watcher = spawn(process.execPath, watched, {
    env: { LOG_LEVEL: 'info', ...process.env },
    stdio: ['ignore', isTerminal ? 'pipe' : 'inherit', 'inherit'],
  })
  watcher.stdout?.pipe(
    pretty({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'trace_id,span_id' }),
  )
  // Ctrl-C reaches the watcher directly, and a second signal would cut its shutdown short.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => watcher.kill(signal))
  const [code] = (await once(watcher, 'close')) as [number | null]
  return code ?? 0
}
