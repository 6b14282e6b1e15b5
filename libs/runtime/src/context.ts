import type { Bus, CallMeta, IncomingCall, StreamCall, Written } from '@callboard/bus'
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
import type { Counters, Db, Notifications, Tables, Tx } from '@callboard/store'
import type { Clock } from '@callboard/values'
import type { Transaction } from 'kysely'
import type pg from 'pg'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

/**
 * What a running service has at hand: its configuration, its tables, the shared counters, time and ids, and what it
 * opened for itself (`resources`). Handlers, consumers and jobs all get it.
 */
export interface ServiceContext<Config = unknown, Own = unknown, Resources = unknown> {
  readonly name: string
  readonly config: Config
  readonly db: Db<Own>
  readonly pool: pg.Pool
  /** Connections that keep their session while they are held, for locks that end with it. */
  readonly sessions: pg.Pool
  /** What tells of commits, by all replicas; one connection for the whole process. */
  readonly notifications: Notifications
  readonly counters: Counters
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Where it says what `/readyz` reports of its own resources. */
  readonly readiness: Readiness
  readonly resources: Resources
  /** The bus as it is, for the edge alone; everything else calls through `call`. */
  readonly bus: Bus
  /** A fresh random id. */
  newId(): string
  /** Writes a declared event in the transaction of the rows it speaks of. */
  publish<Event extends EventDeclaration>(
    tx: Transaction<Tables<Own>>,
    event: Event,
    data: DataOf<Event>,
  ): Promise<void>
  /** The same for many events of one kind, in their order and in one statement. */
  publishAll<Event extends EventDeclaration>(
    tx: Transaction<Tables<Own>>,
    event: Event,
    data: readonly DataOf<Event>[],
  ): Promise<void>
}

/** Any service's context. Tables are invariant, so only `any` stands for all of them. */
// biome-ignore lint/suspicious/noExplicitAny: no other type is a supertype of every Kysely<Tables>
export type AnyContext = ServiceContext<unknown, any, unknown>

/** Calls one of the declared operations, with the caller, the request id and the time that are left. */
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

/**
 * The handler of one operation. A handler that is missing, a refusal that is not declared and a call that is not
 * declared do not compile.
 */
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
    : ResultOf<Op> | Written<OutputOf<Op>>
>

export type ConsumerContext<K extends AnyContext, Own> = K & {
  /** The transaction in which the event is claimed: its effects are there once, or not at all. */
  readonly tx: Tx<Own>
  readonly envelope: EventEnvelope
}

/** The consumer of one event. Throwing means "again, later". */
export type EventConsumer<Event extends EventDeclaration, K extends AnyContext, Own> = (
  data: DataOf<Event>,
  ctx: ConsumerContext<K, Own>,
) => Promise<void>

/** The consumer of events that it takes together. Throwing means "each by itself, then". */
export type BatchConsumer<K extends AnyContext, Own> = (
  events: readonly EventEnvelope[],
  ctx: K & { readonly tx: Tx<Own> },
) => Promise<void>

/** Work that goes on beside requests until the signal aborts. */
export interface Job<K extends AnyContext, out Callees extends Operation = never> {
  readonly name: string
  readonly run: (ctx: K & Calling<Callees>, signal: AbortSignal) => Promise<void>
}
