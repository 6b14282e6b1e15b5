import { setTimeout as wait } from 'node:timers/promises'
import type { Edge } from './service.ts'
import type { RuntimeConfig } from './settings/settings.ts'
import type { Logger } from './telemetry/log.ts'
import { within } from './within.ts'

/** How much longer than the grace time the steps may take together: a server that hangs answers no farewell. */
const FAREWELL_MS = 2_000
/** What each step gets even then. */
const LEAST_MS = 100

/** The phase of a process, and what it has opened, to be closed in reverse order. */
export class Lifecycle {
  #phase: 'starting' | 'ready' | 'draining' = 'starting'
  #waitsFor: readonly string[] = []
  readonly #undo: (() => Promise<void>)[] = []
  readonly #edges: Edge[] = []
  readonly #config: Pick<RuntimeConfig, 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_GRACE_MS'>
  readonly #log: Logger
  /** When the grace time of a stop is over, as `performance.now()` measures it. */
  #graceEndsAt = Number.POSITIVE_INFINITY

  constructor(config: Pick<RuntimeConfig, 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_GRACE_MS'>, log: Logger) {
    this.#config = config
    this.#log = log
  }

  get phase(): 'starting' | 'ready' | 'draining' {
    return this.#phase
  }

  /** What keeps the process from being ready, in words. */
  get waitsFor(): readonly string[] {
    return this.#waitsFor
  }

  /** Sets what another process has to do first. */
  waitFor(lacks: readonly string[]): void {
    this.#waitsFor = lacks
  }

  /** Registers how to undo a step. */
  onStop(step: () => Promise<void>): void {
    this.#undo.push(step)
  }

  /**
   * Registers how to undo a step within what is left of the grace time: all steps share it, since what started us ends
   * us once it is over.
   */
  onStopWithin(step: (deadlineMs: number) => Promise<void>): void {
    this.onStop(() => step(Math.max(0, this.#graceEndsAt - performance.now())))
  }

  /** Registers an open edge: its clients are sent elsewhere before anything is undone. */
  onDrain(edge: Edge): void {
    this.#edges.push(edge)
    this.onStopWithin((deadlineMs) => edge.close(deadlineMs))
  }

  /** Marks every step as done. */
  becomeReady(): void {
    this.#phase = 'ready'
  }

  /**
   * Serves on until balancers and callers have noticed, in every service of the process, then undoes every step in
   * reverse order. An error is logged and does not stop the others, and so is a step that does not end.
   */
  async stop(): Promise<void> {
    if (this.#phase === 'ready') {
      this.#phase = 'draining'
      for (const edge of this.#edges) edge.drain()
      await wait(this.#config.SHUTDOWN_DELAY_MS)
    }
    this.#phase = 'draining'
    this.#graceEndsAt = performance.now() + this.#config.SHUTDOWN_GRACE_MS
    for (const step of this.#undo.splice(0).reverse()) {
      const leftMs = this.#graceEndsAt + FAREWELL_MS - performance.now()
      const ended = step().then(
        () => true,
        (error: unknown) => {
          this.#log.error({ err: error }, 'a part did not stop cleanly')
          return true
        },
      )
      if (!(await within(Math.max(LEAST_MS, leftMs), ended))) this.#log.error('a part did not stop in time')
    }
  }
}
