import { type HttpBinding, hasBody, type Operation, type OutputOf, pathParameters } from '@callboard/contract'
import type { z } from 'zod'
import type { OwnerSession } from './owner-session.ts'
import { whyUnreachable } from './unreachable.ts'

/** An expected "no" of the service, with the code that the contract declares for it. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  readonly code: string
  /** The faulty input field, if any. */
  readonly field: string | undefined
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(answer: Response, body: Readonly<Record<string, unknown>>) {
    super(String(body.message ?? body.error_description ?? `The service answered ${answer.status}.`))
    this.status = answer.status
    this.code = typeof body.error === 'string' ? body.error : `http_${answer.status}`
    this.field = typeof body.field === 'string' ? body.field : undefined
    this.requestId = answer.headers.get('x-request-id') ?? undefined
    const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined
    this.details = body
  }
}

/** The service cannot be reached, or its answer does not conform to this contract. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable'
}

export interface ApiSettings {
  /** The service's URL without a path. */
  readonly baseUrl: string
  /** The bearer credential; read for each request, so that it may change. */
  readonly bearer?: () => Promise<string | undefined> | string | undefined
  /** The owner's session, for operations that take no other credential. */
  readonly session?: OwnerSession
  /** How long to wait for each answer; by default as long as the service may take, and at least half a minute. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 30_000

/** One service, called by its contract's operations: inputs and outputs have the contract's types. */
export class Api {
  readonly baseUrl: string
  readonly #settings: ApiSettings

  constructor(settings: ApiSettings) {
    this.baseUrl = settings.baseUrl.replace(/\/+$/, '')
    this.#settings = settings
  }

  /**
   * Calls an operation that has a route.
   * @throws ApiRefusal when the service refuses, ApiUnreachable when it gives no answer
   */
  async call<Op extends Operation>(op: Op, input: z.input<Op['input']>, signal?: AbortSignal): Promise<OutputOf<Op>> {
    if (!op.http) throw new Error(`${op.id} has no route`)
    const patienceMs = this.#settings.timeoutMs ?? Math.max(TIMEOUT_MS, op.timeoutMs)
    const given = (input ?? {}) as Readonly<Record<string, unknown>>
    const answer = await this.#send(op.http, given, patienceMs, signal)
    if (answer.status === 204) return {} as OutputOf<Op>
    if (op.http.text && answer.ok) return (await answer.text()) as OutputOf<Op>
    const body: unknown = await answer.json().catch(() => undefined)
    if (typeof body !== 'object' || body === null) {
      throw new ApiUnreachable(`${this.baseUrl} answered ${answer.status} without JSON`)
    }
    if (!answer.ok) throw new ApiRefusal(answer, body as Record<string, unknown>)
    return body as OutputOf<Op>
  }

  async #send(
    http: HttpBinding,
    input: Readonly<Record<string, unknown>>,
    patienceMs: number,
    signal?: AbortSignal,
  ): Promise<Response> {
    const bearer = await this.#settings.bearer?.()
    const inPath = pathParameters(http.path)
    const rest = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined)
    const path = http.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
    const query = hasBody(http) ? '' : queryOf(rest)
    const deadline = AbortSignal.timeout(patienceMs)
    const { session } = this.#settings
    try {
      const answer = await fetch(`${this.baseUrl}${path}${query}`, {
        method: http.method,
        headers: {
          accept: 'application/json',
          ...(hasBody(http) ? { 'content-type': 'application/json' } : {}),
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
          ...session?.headers(),
        },
        ...(hasBody(http) ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
      session?.note(answer)
      return answer
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw new ApiUnreachable(`${this.baseUrl} cannot be reached: ${whyUnreachable(error)}`, { cause: error })
    }
  }
}

function queryOf(parameters: readonly (readonly [string, unknown])[]): string {
  const pairs = parameters.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
