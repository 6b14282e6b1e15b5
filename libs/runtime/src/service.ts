import type { EventDeclaration, EventEnvelope, Operation } from '@callboard/contract'
import type { Migrations, Restored, SupersededEvents } from '@callboard/store'
import type { z } from 'zod'
import type { AnyContext, BatchConsumer, Calling, EventConsumer, Handler, Job, ServiceContext } from './context.ts'
import type { ConfigSchema } from './settings/config.ts'

/** The operations exported by a contract file. */
type OperationsOf<Module> = {
  [Key in keyof Module as Module[Key] extends Operation ? Key : never]: Module[Key] extends Operation
    ? Module[Key]
    : never
}

/** A consumer bound to its event: one that takes events singly, or in batches. */
export type Consumption = { readonly event: EventDeclaration } & (
  | { readonly consume: (data: never, ctx: never) => Promise<void>; readonly batch?: undefined }
  | { readonly batch: Batch }
)

/** Events that a consumer takes in one transaction. */
export interface Batch {
  /** How long an event waits for others, since nothing waits for it. Milliseconds. */
  readonly lingerMs: number
  readonly consume: (events: readonly EventEnvelope[], ctx: never) => Promise<void>
}

/** Binds a consumer to the event it handles; their types must match. */
export const on = <Event extends EventDeclaration, K extends AnyContext, Own>(
  event: Event,
  consume: EventConsumer<Event, K, Own>,
): Consumption => ({ event, consume: consume as (data: never, ctx: never) => Promise<void> })

/**
 * Binds a consumer to several events, which it takes in any mixture as a batch: for what is counted and shown, and what
 * many payments cause. Handled singly, the effects are the same.
 */
export function onBatch<K extends AnyContext, Own>(
  events: readonly EventDeclaration[],
  lingerMs: number,
  consume: BatchConsumer<K, Own>,
): Consumption[] {
  const batch: Batch = { lingerMs, consume: consume as Batch['consume'] }
  return events.map((event) => ({ event, batch }))
}

/** A service's own entry point while it is open. */
export interface Edge {
  /** Keeps serving, but sends its clients elsewhere for further requests. */
  drain(): void
  /** Closes it; resolves when nothing is in flight, or at the deadline. */
  close(deadlineMs: number): Promise<void>
}

/** What is known about a restore. */
export interface AfterRestore extends Pick<Restored, 'to'> {
  /** Dry run: only reports what would be done. */
  readonly dryRun: boolean
}

/** What a service may do, is, and needs. Start here to read a service. */
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
  /** Of which of these its outbox keeps only the last ones, once the bus keeps no earlier one (docs/adr/0141). */
  readonly supersedes?: readonly SupersededEvents[]
  readonly jobs?: readonly Job<ServiceContext<z.output<Config>, Own, Resources>, Calls[number]>[]
  /** Whether one of its replicas leads each chain, for which each replica holds a session of Postgres. */
  readonly leadsChains?: boolean
  /**
   * The work needed before it serves again on tables at an earlier state than before. It may be repeated.
   * @returns what was done, in words for the operator
   */
  readonly afterRestore?: (
    ctx: ServiceContext<z.output<Config>, Own, Resources>,
    restored: AfterRestore,
  ) => Promise<readonly string[]>
  /** Opens the service's own entry point (the gateway's HTTP port) once every service of the process serves. */
  readonly edge?: (ctx: ServiceContext<z.output<Config>, Own, Resources> & Calling<Calls[number]>) => Promise<Edge>
}

/**
 * The operations of others that a service calls: the one declaration that decides what its handlers, jobs and edge may
 * call, and NATS's permissions. Absent only where it calls none.
 */
type Declared<Calls extends readonly Operation[]> = Calls extends readonly []
  ? { readonly calls?: Calls }
  : { readonly calls: Calls }

/** A service as the runtime sees it, without its internal types. */
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
  readonly supersedes: readonly SupersededEvents[]
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
    supersedes: declaration.supersedes ?? [],
    jobs: declaration.jobs ?? [],
  } as ServiceModule
}
