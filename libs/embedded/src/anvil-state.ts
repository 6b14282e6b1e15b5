import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { HeadSubscription } from '@callboard/evm'
import { rpc } from './anvil-rpc.ts'
import { untilQuiet } from './until-quiet.ts'
import { writeWhole } from './write-whole.ts'

/** The least time between two saves; it grows with a save's duration, so that a long chain does not slow its node. */
const SAVE_EVERY_MS = 1_000
const REST_PER_SAVE = 20
/** When to check for a new block even if none was pushed: a chain that was reset announces nothing. */
const LOOK_ANYWAY_MS = 30_000

/**
 * The chain's state on disk, always complete. Anvil's own `--state-interval` rewrites its file in place and needlessly,
 * so kill -9 leaves half a file that the next start refuses. Here anvil writes only on exit, to a file next to ours,
 * and we save by rename whenever a block was added, in a pause of as long as the last save took.
 */
export interface ChainState {
  /** Arguments that make anvil load the state and write its final one on exit. */
  readonly args: readonly string[]
  /** Saves after each new block until the signal aborts. */
  keep(rpcUrl: string, until: AbortSignal): Promise<void>
}

export function chainState(file: string): ChainState {
  mkdirSync(dirname(file), { recursive: true })
  const onExit = `${file}.exit`
  takeNewer(onExit, file)
  const load = isWhole(file) ? ['--load-state', file] : []
  return {
    args: [...load, '--dump-state', onExit, '--state-interval', '31536000'],
    keep: (rpcUrl, until) => keepSaving(rpcUrl, file, until),
  }
}

/** Replaces `file` with what anvil wrote on exit, if that is complete and newer. */
function takeNewer(onExit: string, file: string): void {
  if (isWhole(onExit) && changedAt(onExit) >= changedAt(file)) renameSync(onExit, file)
  else rmSync(onExit, { force: true })
}

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

function isWhole(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

async function keepSaving(rpcUrl: string, file: string, until: AbortSignal): Promise<void> {
  let saved: unknown
  let rest = SAVE_EVERY_MS
  let lastSaveMs = 0
  const heads = new NewHeads(rpcUrl, until)
  while (await rested(rest, until)) {
    await heads.next()
    await untilQuiet({
      ms: lastSaveMs,
      mostMs: rest,
      wait: (ms) => rested(ms, until),
      happened: () => heads.sawBlock(),
    })
    try {
      const head = await rpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false]).then(blockHash)
      if (head === saved) continue
      const began = performance.now()
      await save(rpcUrl, file, until)
      saved = head
      lastSaveMs = performance.now() - began
      rest = Math.max(SAVE_EVERY_MS, lastSaveMs * REST_PER_SAVE)
    } catch {
      // The node is busy or shutting down; the file on disk is complete, and the next round tries again.
      heads.again()
    }
  }
}

/** Waits for blocks to save, as pushed by the node; a node that pushes none is polled on every round. */
class NewHeads {
  readonly #until: AbortSignal
  readonly #heads: HeadSubscription
  #isNew = true
  #wake: () => void = () => {}

  constructor(rpcUrl: string, until: AbortSignal) {
    this.#until = until
    this.#heads = new HeadSubscription(rpcUrl, () => this.again())
    this.#heads.start()
    until.addEventListener('abort', () => this.#heads.stop(), { once: true })
  }

  /** Makes the next round check even if nothing was pushed. */
  again(): void {
    this.#isNew = true
    this.#wake()
  }

  /** Resolves at a block, at once if there was one, and otherwise after a while, for changes that no head announces. */
  async next(): Promise<void> {
    if (!this.#isNew && this.#heads.isHeld) {
      const woken = new AbortController()
      this.#wake = () => woken.abort()
      await rested(LOOK_ANYWAY_MS, AbortSignal.any([this.#until, woken.signal]))
    }
    this.#isNew = false
  }

  /** Whether there was a block since the last question. */
  sawBlock(): boolean {
    const was = this.#isNew
    this.#isNew = false
    return was
  }
}

async function save(rpcUrl: string, file: string, until: AbortSignal): Promise<void> {
  const dump = await rpc(rpcUrl, 'anvil_dumpState')
  if (typeof dump !== 'string' || until.aborted) return
  writeWhole(file, gunzipSync(Buffer.from(dump.slice(2), 'hex')))
}

const blockHash = (block: unknown): unknown =>
  typeof block === 'object' && block !== null && 'hash' in block ? block.hash : undefined

const rested = (ms: number, until: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal: until }).catch(() => false)
