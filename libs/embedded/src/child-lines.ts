const KEPT_LINES = 20

/** How to handle the lines that a child prints. */
export interface LinesPlan {
  /** A line of output that says it serves, or a check repeated until it returns true. */
  readonly ready: RegExp | (() => Promise<boolean>)
  /** Receives every line the child prints. */
  readonly log?: ((line: string) => void) | undefined
}

/** What a child has printed: the last lines for messages, and the moment when one says that it serves. */
export class ChildLines {
  readonly matched: Promise<void>
  readonly #kept: string[] = []
  readonly #plan: LinesPlan
  #match: () => void = () => {}

  constructor(plan: LinesPlan) {
    this.#plan = plan
    this.matched = new Promise((resolve) => {
      this.#match = resolve
    })
  }

  add(line: string): void {
    this.#kept.push(line)
    if (this.#kept.length > KEPT_LINES) this.#kept.shift()
    this.#plan.log?.(line)
    if (this.#plan.ready instanceof RegExp && this.#plan.ready.test(line)) this.#match()
  }

  last(): readonly string[] {
    return [...this.#kept]
  }

  /** The end of a sentence about a failed child. */
  quoted(): string {
    return this.#kept.length === 0 ? ', without a word.' : `; its last words were:\n  ${this.#kept.join('\n  ')}`
  }
}
