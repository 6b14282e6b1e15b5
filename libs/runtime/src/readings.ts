import { aside } from '@callboard/store'
import type { Counter, Gauge } from 'prom-client'

/** What a gauge showed when it was read. */
export interface Reading {
  readonly gauge: Pick<Gauge, 'set' | 'remove'>
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Source {
  readonly name: string
  readonly read: () => Promise<readonly Reading[]> | readonly Reading[]
  /** Set while a read is under way; a slow one is not begun twice. */
  running?: Promise<void> | undefined
  shown: readonly Reading[]
}

/** The longest that one answer to `/metrics` waits for its sources. Prometheus gives up after ten seconds. */
const PATIENCE_MS = 4_000

/**
 * Gauges that are read when `/metrics` is asked, each from a named source. A source that fails or is late shows nothing
 * instead of what was true before, is counted, and holds up no other. What they ask of Postgres is no work of the process.
 */
export class Readings {
  readonly #sources: Source[] = []
  readonly #failures: Counter<'source'>
  readonly #patienceMs: number
  #taking: Promise<unknown> | undefined

  constructor(failures: Counter<'source'>, patienceMs: number = PATIENCE_MS) {
    this.#failures = failures
    this.#patienceMs = patienceMs
  }

  /** @param name in the failure counter's label: one of few */
  add(name: string, read: Source['read']): void {
    this.#failures.inc({ source: name }, 0)
    this.#sources.push({ name, read, shown: [] })
  }

  /** Brings all gauges up to date. Who asks meanwhile waits for the same. */
  async take(): Promise<void> {
    this.#taking ??= Promise.all(this.#sources.map((source) => this.#within(source))).finally(() => {
      this.#taking = undefined
    })
    await this.#taking
  }

  async #within(source: Source): Promise<void> {
    source.running ??= this.#read(source).finally(() => {
      source.running = undefined
    })
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => late.resolve('late'), this.#patienceMs)
    const outcome = await Promise.race([source.running, late.promise])
    clearTimeout(timer)
    if (outcome === 'late') this.#fail(source)
  }

  async #read(source: Source): Promise<void> {
    try {
      const readings = await aside(() => source.read())
      this.#hide(source)
      for (const { gauge, labels, value } of readings) gauge.set(labels, value)
      source.shown = readings
    } catch {
      this.#fail(source)
    }
  }

  #fail(source: Source): void {
    this.#failures.inc({ source: source.name })
    this.#hide(source)
  }

  #hide(source: Source): void {
    for (const { gauge, labels } of source.shown) gauge.remove(labels)
    source.shown = []
  }
}
