import type { EventDeclaration, EventEnvelope, Operation } from '@callboard/contract'
import type { Migrations, Restored } from '@callboard/store'
import type { z } from 'zod'
import type { ConfigSchema } from './config.ts'
import type { AnyContext, BatchConsumer, Calling, EventConsumer, Handler, Job, ServiceContext } from './context.ts'

/** The operations among the exports of a contract file. */
type OperationsOf<Module> = {
  [Key in keyof Module as Module[Key] extends Operation ? Key : never]: Module[Key] extends Operation
    ? Module[Key]
    : never
}

/** A consumer bound to its event: one that takes it by itself, or one that takes it together with others. */
export type Consumption = { readonly event: EventDeclaration } & (
  | { readonly consume: (data: never, ctx: never) => Promise<void>; readonly batch?: undefined }
  | { readonly batch: Batch }
)

/** Events that a consumer takes together, in one transaction. */
export interface Batch {
  /** How long one waits for others, because nothing waits for it. Milliseconds. */
  readonly lingerMs: number
  readonly consume: (events: readonly EventEnvelope[], ctx: never) => Promise<void>
}

/** Binds a consumer to the event it handles; they have to fit. */
export const on = <Event extends EventDeclaration, K extends AnyContext, Own>(
  event: Event,
  consume: EventConsumer<Event, K, Own>,
): Consumption => ({ event, consume: consume as (data: never, ctx: never) => Promise<void> })

/**
 * Binds a consumer to events that it takes together, whichever of them wait: for what is counted and shown, and what many
 * payments cause. One by one they are handled in the same way.
 */
export function onBatch<K extends AnyContext, Own>(
  events: readonly EventDeclaration[],
  lingerMs: number,
  consume: BatchConsumer<K, Own>,
): Consumption[] {
  const batch: Batch = { lingerMs, consume: consume as Batch['consume'] }
  return events.map((event) => ({ event, batch }))
}

/** A service's own door while it is open. */
export interface Edge {
  /** Goes on serving, and sends its clients elsewhere for what comes next. */
  drain(): void
  /** Closes it; resolves when nothing is in flight behind it, or at the deadline. */
  close(deadlineMs: number): Promise<void>
}

/** What is known of a restore. */
export interface AfterRestore extends Pick<Restored, 'to'> {
  /** Only looks: says what would be done. */
  readonly looks: boolean
}

/** What a service may do, is, and needs. Read a service from here. */
export interface ServiceDeclaration<
  Config extends ConfigSchema,
  Own,
  Resources,
  Module,
  Calls extends readonly Operation[],
> {
  readonly name: string
  readonly config: Config
  /** Its own tables; absent for a service without any. */
  readonly migrations?: Migrations
  /** Opens what it holds for its whole life; `close` is called when it stops. */
  readonly open?: (
    ctx: ServiceContext<z.output<Config>, Own, undefined>,
  ) => Promise<Resources & { close?: () => Promise<void> }>
  /** The contract file whose operations it serves. */
  readonly operations: Module
  readonly serves: {
    readonly [Key in keyof OperationsOf<Module>]: Handler<
      OperationsOf<Module>[Key] extends Operation ? OperationsOf<Module>[Key] : never,
      ServiceContext<z.output<Config>, Own, Resources>,
      Calls[number]
    >
  }
  readonly consumes?: readonly Consumption[]
  readonly publishes?: readonly EventDeclaration[]
  readonly jobs?: readonly Job<ServiceContext<z.output<Config>, Own, Resources>, Calls[number]>[]
  /** Whether one of its replicas leads each chain, for which every one holds a session of Postgres. */
  readonly leadsChains?: boolean
  /**
   * What has to be done before it serves again on tables that stand earlier than they once stood. It may be repeated.
   * @returns what was done, in words for the operator
   */
  readonly afterRestore?: (
    ctx: ServiceContext<z.output<Config>, Own, Resources>,
    restored: AfterRestore,
  ) => Promise<readonly string[]>
  /** Opens the service's own door (the gateway's HTTP port) once every service of the process serves. */
  readonly edge?: (ctx: ServiceContext<z.output<Config>, Own, Resources> & Calling<Calls[number]>) => Promise<Edge>
}

/**
 * The operations of others that a service calls: the one declaration from which come what its handlers, jobs and door can
 * call and NATS's permissions. Absent only where it calls none.
 */
type Declared<Calls extends readonly Operation[]> = Calls extends readonly []
  ? { readonly calls?: Calls }
  : { readonly calls: Calls }

/** A service as the runtime holds it: the types of its inside are its own affair. */
export interface ServiceModule {
  readonly name: string
  readonly config: ConfigSchema
  readonly migrations?: Migrations
  readonly open?: (ctx: never) => Promise<{ close?: () => Promise<void> }>
  readonly operations: Readonly<Record<string, Operation>>
  readonly serves: Readonly<Record<string, (input: never, ctx: never) => Promise<unknown>>>
  readonly calls: readonly Operation[]
  readonly consumes: readonly Consumption[]
  readonly publishes: readonly EventDeclaration[]
  readonly jobs: readonly { readonly name: string; readonly run: (ctx: never, signal: AbortSignal) => Promise<void> }[]
  readonly leadsChains?: boolean
  readonly afterRestore?: (ctx: never, restored: AfterRestore) => Promise<readonly string[]>
  readonly edge?: (ctx: never) => Promise<Edge>
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && 'input' in value

/** Declares a service. */
export function service<
  Config extends ConfigSchema,
  Own,
  Resources,
  Module extends object,
  Calls extends readonly Operation[] = readonly [],
>(declaration: ServiceDeclaration<Config, Own, Resources, Module, Calls> & Declared<Calls>): ServiceModule {
  const operations = Object.fromEntries(
    Object.entries(declaration.operations).filter(([, value]) => isOperation(value)),
  )
  return {
    ...declaration,
    operations,
    calls: declaration.calls ?? [],
    consumes: declaration.consumes ?? [],
    publishes: declaration.publishes ?? [],
    jobs: declaration.jobs ?? [],
  } as ServiceModule
}
