import type { Refusal } from '@callboard/values'
import type { z } from 'zod'
import type { RefusalDeclaration, Surface } from './refusal.ts'
import type { Scope } from './schemas/agent.ts'

/**
 * Who may call a route: any caller (`none`); any caller, with the identity behind a valid bearer credential passed to
 * the handler (`optional`); a bearer credential, which is an API key or an access token of the route's scope; an agent
 * by its access token; an owner's session cookie; an owner by any of their credentials (`owner`: session cookie, API
 * key, agent's access token); a Router key, as bearer or `x-api-key`; or an OAuth client that names itself, and
 * authenticates where it has a secret (RFC 6749 §2.3).
 */
export type Auth = 'none' | 'optional' | 'bearer' | 'agent' | 'session' | 'owner' | 'router_key' | 'client'

/** The rate-limit class of a route; the numbers are in limits.ts. */
export type LimitClass =
  | 'read'
  | 'nonce'
  | 'signIn'
  | 'manage'
  | 'publish'
  | 'probe'
  | 'recheck'
  | 'facilitator'
  | 'payment'
  | 'model'
  | 'link'
  | 'token'
  | 'relay'
  | 'onramp'
  | 'transfer'
  | 'report'

export type Stability = 'stable' | 'beta' | 'internal'

/** How an operation is served over HTTP. Input fields are in the path, then in the query (GET, DELETE) or the body. */
export interface HttpBinding {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path with `:name` parameters, as fastify writes it. */
  readonly path: `/${string}`
  readonly auth: Auth
  /** The scope that an access token needs here; API keys need none. When absent, any scope of an agent is enough. */
  readonly scope?: Scope
  readonly limit: LimitClass
  /**
   * A protected resource of its own (RFC 9728): a token may be for it alone (RFC 8707), and its metadata are at
   * `/.well-known/oauth-protected-resource` and its path.
   */
  readonly resource?: true
  /** Requests that also count in another class: those with this value in this field of the input. */
  readonly alsoLimit?: { readonly field: string; readonly is: string; readonly limit: LimitClass }
  readonly ok: 200 | 201 | 202 | 204
  /** Deprecated paths with the same answers, plus `Deprecation: true` and a `successor-version` link. */
  readonly aliases?: readonly `/${string}`[]
  readonly stability?: Stability
  readonly surface?: Surface
  /** The `Cache-Control` of a success; `no-store` when absent. */
  readonly cache?: string
  /** Answers carry a `Link` to the API catalog (RFC 9727). */
  readonly linksCatalog?: true
  /** The media type of a success; `application/json` when absent. */
  readonly mediaType?: string
  /**
   * `sets`: the output's `sessionToken` is sent as the session cookie and not in the body, and the input's
   * `replacedSession` is the cookie's previous value. `clears`: the cookie is removed.
   */
  readonly sessionCookie?: 'sets' | 'clears'
  /** The body may also be `application/x-www-form-urlencoded`, the form OAuth clients send. */
  readonly forms?: true
  /** The input's `requester` is the caller, as the gateway saw it. */
  readonly requester?: true
  /** The input's `registration_access_token` is the request's bearer token, not yet verified (RFC 7592 §2). */
  readonly registrationToken?: true
  /**
   * The output's `etag` is sent as the `ETag` header and not in the body; `ifMatch` and `ifNoneMatch` of the input are
   * the request's preconditions (RFC 9110 §13.1).
   */
  readonly entityTag?: true
  /**
   * The output's `messageSignature` is sent as the headers `Content-Digest`, `Signature-Input` and `Signature` (RFC
   * 9530, RFC 9421) and not in the body.
   */
  readonly signed?: true
  /** A GET with side effects: it has no HEAD, and no browser may send it as a prefetch or from another site. */
  readonly changes?: true
  /** The body is refused where two JSON readers could parse it differently: a duplicate member, a byte-order mark. */
  readonly strictJson?: true
  /** The operation reads nothing from the query, which may contain anything. */
  readonly ignoresQuery?: true
  /** The output is text of the route's media type, and is sent as it is. */
  readonly text?: true
  /** The schema of the body, where the operation answers in parts of it. */
  readonly answer?: z.ZodType
  /** Paid with x402 before the work is done; the handler finds the payment in its context. */
  readonly paid?: true
  /**
   * A request may carry a payment instead of a credential, or in addition to one; the handler finds it in its context.
   */
  readonly mayPay?: true
  /** A wallet's sign-in (x402 `sign-in-with-x`), passed as the input's `signInWithX`, may replace a Router key. */
  readonly signsIn?: true
  /** The input's `anthropicVersion` and `anthropicBeta` are the headers by which Anthropic's clients select its API. */
  readonly anthropicHeaders?: true
  /** The path parameter that sets the price of a paid operation, in USD. */
  readonly pricedBy?: string
}

/**
 * One operation: one name for a contract entry, a bus subject, a handler file, a span and a metric. Operations without
 * `http` are internal.
 */
export interface Operation<
  Id extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Errors extends readonly RefusalDeclaration[] = readonly RefusalDeclaration[],
> {
  /** `<service>.<operation>`. */
  readonly id: Id
  readonly summary: string
  /** The caller's deadline when the request carries none, in milliseconds. */
  readonly timeoutMs: number
  readonly http?: HttpBinding
  readonly input: Input
  /** What a handler answers; with `stream`, the schema of each chunk. */
  readonly output: Output
  readonly errors: Errors
  readonly stream?: true
  /**
   * The largest request body over HTTP, in bytes, where it exceeds one message of the bus. Others are limited by
   * `MAX_BODY_BYTES` and one message.
   */
  readonly maxRequestBytes?: number
}

/** An operation that is served over HTTP. */
export type Route = Operation & { readonly http: HttpBinding }

export type InputOf<Op extends Operation> = z.output<Op['input']>
export type OutputOf<Op extends Operation> = z.output<Op['output']>
export type RefusalOf<Op extends Operation> = Refusal<Op['errors'][number]['code']>
export type ResultOf<Op extends Operation> = OutputOf<Op> | RefusalOf<Op>

/** Declares an operation, keeping the literal types of its id, its HTTP binding and its refusals. */
export const operation = <
  const Id extends `${string}.${string}`,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Errors extends readonly RefusalDeclaration[],
  const Http extends HttpBinding | undefined = undefined,
  const Stream extends true | undefined = undefined,
>(
  declaration: Omit<Operation<Id, Input, Output, Errors>, 'http' | 'stream'> & {
    readonly http?: Http
    readonly stream?: Stream
  },
): Operation<Id, Input, Output, Errors> &
  (Http extends HttpBinding ? { readonly http: Http } : unknown) &
  (Stream extends true ? { readonly stream: true } : unknown) => declaration as never

/** The service that serves an operation: the part of its id before the dot. */
export const serviceOf = (op: Pick<Operation, 'id'>): string => op.id.slice(0, op.id.indexOf('.'))

/** The bus subject of an operation. */
export const subjectOf = (op: Pick<Operation, 'id'>): string => `rpc.${op.id}`

/** The subject that announces a request larger than a message of the bus. */
export const largeSubjectOf = (op: Pick<Operation, 'id'>): string => `${subjectOf(op)}.large`
