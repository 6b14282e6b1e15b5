import type { Bus, CallMeta, IncomingCall, RawJson, StreamCall } from '@callboard/bus'
import type {
  DataOf,
  EventDeclaration,
  EventEnvelope,
  InputOf,
  Operation,
  OutputOf,
  RefusalOf,
  ResultOf,
} from '@callboard/contract'
import type { Counters, Db, Notifications, Statement, Tables, Tx } from '@callboard/store'
import type { Clock } from '@callboard/values'
import type { Transaction } from 'kysely'
import type pg from 'pg'
import type { Readiness } from './health/readiness.ts'
import type { Logger } from './telemetry/log.ts'
import type { Metrics } from './telemetry/metrics.ts'

/**
 * What a running service works with: its configuration, its tables, the shared counters, time and ids, and what it
 * opened for itself (`resources`). Handlers, consumers and jobs all receive it.
 */
export interface ServiceContext<Config = unknown, Own = unknown, Resources = unknown> {
  readonly name: string
  readonly config: Config
  readonly db: Db<Own>
  readonly pool: pg.Pool
  /** Connections that keep their session while held, for locks that end with it. */
  readonly sessions: pg.Pool
  /** Reports commits of all replicas; one connection for the whole process. */
  readonly notifications: Notifications
  readonly counters: Counters
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Where the service registers what `/readyz` reports about its own resources. */
  readonly readiness: Readiness
  readonly resources: Resources
  /** The bus itself, only for the edge; everything else uses `call`. */
  readonly bus: Bus
  /** A fresh random id. */
  newId(): string
  /** Writes a declared event in the transaction of the rows it describes. */
  publish<Event extends EventDeclaration>(
    tx: Transaction<Tables<Own>>,
    event: Event,
    data: DataOf<Event>,
  ): Promise<void>
  /** The same for many events of one kind, in order and in one statement. */
  publishAll<Event extends EventDeclaration>(
    tx: Transaction<Tables<Own>>,
    event: Event,
    data: readonly DataOf<Event>[],
  ): Promise<void>
  /** What `publishAll` sends, to be sent with other statements. */
  publication<Event extends EventDeclaration>(event: Event, data: readonly DataOf<Event>[]): Statement<unknown>
}

/** Any service's context. Tables are invariant, so only `any` stands for all of them. */
// biome-ignore lint/suspicious/noExplicitAny: no other type is a supertype of every Kysely<Tables>
export type AnyContext = ServiceContext<unknown, any, unknown>

/** Calls one of the declared operations, with the caller, the request id and the remaining time. */
export type Call<Callees extends Operation> = <Op extends Callees>(
  op: Op,
  input: InputOf<Op>,
  options?: Partial<Pick<CallMeta, 'timeoutMs' | 'payment'>>,
) => Promise<ResultOf<Op>>

/** `call`, for a service that declares calls. */
export type Calling<Callees extends Operation> = [Callees] extends [never] ? unknown : { readonly call: Call<Callees> }

export type HandlerContext<K extends AnyContext, Callees extends Operation = never> = K &
  IncomingCall &
  Calling<Callees>

/** The handler of one operation. A missing handler, an undeclared refusal and an undeclared call do not compile. */
export type Handler<
  Op extends Operation,
  K extends AnyContext = ServiceContext,
  out Callees extends Operation = never,
> = (
  input: InputOf<Op>,
  ctx: HandlerContext<K, Callees> & (Op extends { readonly stream: true } ? StreamCall : unknown),
) => Promise<
  Op extends { readonly stream: true }
    ? AsyncIterable<OutputOf<Op>> | RefusalOf<Op>
    : ResultOf<Op> | RawJson<OutputOf<Op>>
>

export type ConsumerContext<K extends AnyContext, Own> = K & {
  /** The transaction in which the event is claimed: its effects are applied exactly once, or not at all. */
  readonly tx: Tx<Own>
  readonly envelope: EventEnvelope
}

/** The consumer of one event. Throwing means "again, later". */
export type EventConsumer<Event extends EventDeclaration, K extends AnyContext, Own> = (
  data: DataOf<Event>,
  ctx: ConsumerContext<K, Own>,
) => Promise<void>

/** The consumer of batched events. Throwing means "each alone, then". */
export type BatchConsumer<K extends AnyContext, Own> = (
  events: readonly EventEnvelope[],
  ctx: K & { readonly tx: Tx<Own> },
) => Promise<void>

/** Work that runs alongside requests until the signal aborts. */
export interface Job<K extends AnyContext, out Callees extends Operation = never> {
  readonly name: string
  readonly run: (ctx: K & Calling<Callees>, signal: AbortSignal) => Promise<void>
}
