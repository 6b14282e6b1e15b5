import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/** A node of this test file's own. */
export interface Anvil {
  readonly url: string
  /** Ends the process and resolves when it is gone. */
  stop(): Promise<void>
}

const LISTENING = /^Listening on (127\.0\.0\.1:\d+)$/

/** Starts anvil on a port assigned by the system; resolves when it listens. */
export async function startAnvil({ chainId = 31337 } = {}): Promise<Anvil> {
  const child = spawn(binary(), ['--port', '0', '--chain-id', String(chainId)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { url: `http://${await listeningAddress(child)}`, stop: () => stopped(child) }
}

function binary(): string {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  } catch {
    return 'anvil'
  }
}

async function listeningAddress(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): Promise<string> {
  let address: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    address = LISTENING.exec(line)?.[1]
    if (address) break
  }
  if (!address) throw new Error('anvil ended before it listened')
  // Leaving the loop paused the pipe; anvil writes a line per call and would block on a full one.
  child.stdout.resume()
  return address
}

async function stopped(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
