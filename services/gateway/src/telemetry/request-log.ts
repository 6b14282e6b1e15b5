import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]

/**
 * The log of one request, which each line identifies. Most requests log one line, for which a child of the process's
 * logger would cost more than the line; so the request's bindings are added to each line instead.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #process: FastifyBaseLogger
  readonly #request: Bindings

  constructor(process: FastifyBaseLogger, request: Bindings) {
    this.#process = process
    this.#request = request
  }

  get level(): string {
    return this.#process.level
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', [said, ...more]: unknown[]): void {
    if (said instanceof Error) this.#process[level]({ ...this.#request, err: said }, ...(more as string[]))
    else if (typeof said === 'object') this.#process[level]({ ...this.#request, ...said }, ...(more as string[]))
    else this.#process[level](this.#request, ...([said, ...more] as string[]))
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line)
  }

  error(...line: unknown[]): void {
    this.#write('error', line)
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line)
  }

  info(...line: unknown[]): void {
    this.#write('info', line)
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line)
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line)
  }

  silent(): void {}

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    const [bindings, options] = given
    return this.#process.child({ ...this.#request, ...bindings }, options)
  }
}
