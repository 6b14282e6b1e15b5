import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, startChild } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Gateway } from './gateway.ts'
import { MODELS } from './upstream-words.ts'

const ROOT = join(import.meta.dirname, '../../..')
const REQUIREMENTS = join(ROOT, 'bench/peers/litellm/requirements.txt')

export const LITELLM = { litellm: '1.108.0' }
/** Not a secret: anyone who can reach the figure's proxy may use it. */
export const MASTER_KEY = 'sk-bench'

/** LiteLLM’s Python, installed once per machine by hash. @returns undefined without a Python that it supports */
export function installedLitellm(): string | undefined {
  const home = join(ROOT, '.cache/peers', `litellm-${LITELLM.litellm}`)
  const python = join(home, 'bin/python3')
  const done = join(home, 'installed')
  if (existsSync(done)) return python
  console.log('LiteLLM is installed …')
  const run = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { stdio: 'inherit' }).status === 0
  const isInstalled =
    run('python3', '-m', 'venv', '--clear', home) &&
    run(python, '-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '-r', REQUIREMENTS)
  if (!isInstalled) return undefined
  writeFileSync(done, '')
  return python
}

const config = (baseUrl: string) => ({
  model_list: Object.values(MODELS).map((name) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}`, api_base: baseUrl, api_key: 'none' },
  })),
  general_settings: { master_key: MASTER_KEY },
  litellm_settings: { num_retries: 0, request_timeout: 120 },
})

/** A running proxy. */
export interface LitellmProxy {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the proxy in one process with a configuration; it sees only the given environment. */
export async function startProxy(python: string, settings: object, env: NodeJS.ProcessEnv = {}): Promise<LitellmProxy> {
  const folder = temporaryFolder('callboard-bench-')
  const file = join(folder, 'config.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settings))
  const port = await freePort()
  const address = ['--host', '127.0.0.1', '--port', String(port)]
  const child = await startChild({
    what: 'LiteLLM',
    command: python,
    args: [join(dirname(python), 'litellm'), '--config', file, ...address, '--telemetry', 'False'],
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, LITELLM_LOG: 'ERROR', LITELLM_MODE: 'PRODUCTION' },
      ...{ LITELLM_LOCAL_MODEL_COST_MAP: 'True', ...env },
    },
    cwd: folder,
    ready: async () => (await fetch(`http://127.0.0.1:${port}/health/liveliness`)).ok,
    readyWithinMs: 120_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
  })
  return {
    ...{ port, pid: child.pid },
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * LiteLLM’s proxy without a database: it checks one key and does no accounting.
 * @returns undefined where it cannot be installed
 */
export async function startLitellm(upstreamUrl: string): Promise<Gateway | undefined> {
  const python = installedLitellm()
  if (!python) return undefined
  const { port, pid, stop } = await startProxy(python, config(upstreamUrl))
  return {
    ...{ name: 'LiteLLM', port, path: '/v1/chat/completions', stop },
    headers: [{ authorization: `Bearer ${MASTER_KEY}` }],
    processes: { litellm: [pid] },
  }
}
