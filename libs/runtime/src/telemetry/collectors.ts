import { aside } from '@callboard/store'
import type { Counter, Gauge } from 'prom-client'

/** The value that a gauge was last set to. */
export interface Sample {
  readonly gauge: Pick<Gauge, 'set' | 'remove'>
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Source {
  readonly name: string
  readonly read: () => Promise<readonly Sample[]> | readonly Sample[]
  /** Set while a read is in progress; a slow one is not started twice. */
  running?: Promise<void> | undefined
  shown: readonly Sample[]
}

/** The longest that one request to `/metrics` waits for its sources. Prometheus gives up after ten seconds. */
const PATIENCE_MS = 4_000

/**
 * Gauges that are read when `/metrics` is requested, each from a named source. A failed or late source shows nothing
 * instead of old values, is counted, and delays no other. Its queries to Postgres do not count as work of the process.
 */
export class Collectors {
  readonly #sources: Source[] = []
  readonly #failures: Counter<'source'>
  readonly #patienceMs: number
  #collecting: Promise<unknown> | undefined

  constructor(failures: Counter<'source'>, patienceMs: number = PATIENCE_MS) {
    this.#failures = failures
    this.#patienceMs = patienceMs
  }

  /** @param name in the failure counter's label: one of a few */
  add(name: string, read: Source['read']): void {
    this.#failures.inc({ source: name }, 0)
    this.#sources.push({ name, read, shown: [] })
  }

  /** Updates all gauges. Concurrent callers share one update. */
  async collect(): Promise<void> {
    this.#collecting ??= Promise.all(this.#sources.map((source) => this.#within(source))).finally(() => {
      this.#collecting = undefined
    })
    await this.#collecting
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
      const samples = await aside(() => source.read())
      this.#hide(source)
      for (const { gauge, labels, value } of samples) gauge.set(labels, value)
      source.shown = samples
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
