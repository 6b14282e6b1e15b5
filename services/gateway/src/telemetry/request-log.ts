import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]

/** The log of one request, which every line names. Few requests have anything to say, so it is made with the first line. */
export class RequestLog implements FastifyBaseLogger {
  readonly #process: FastifyBaseLogger
  readonly #request: Bindings
  #made: FastifyBaseLogger | undefined

  constructor(process: FastifyBaseLogger, request: Bindings) {
    this.#process = process
    this.#request = request
  }

  get level(): string {
    return this.#process.level
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#process.child(this.#request)
    return this.#made
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', line: unknown[]): void {
    this.#own[level](...(line as [object, string]))
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
    return this.#own.child(...given)
  }
}
