import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../../demo/src/main.ts', import.meta.url))

/**
 * Runs the demonstration in a process of its own, as any provider and any agent would: only over HTTP and the chain. It
 * keeps running, since it serves the sample provider. @returns a function that ends it
 */
export function startDemonstration(devnetFile: string): () => Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, '--stay'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CALLBOARD_DEVNET: devnetFile },
  })
  child.on('error', (error) => console.error(`The demonstration could not be started: ${error.message}`))
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}
