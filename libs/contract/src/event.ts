import { z } from 'zod'

/** A fact that happened, under a versioned name. Its data may only gain fields; any other change is a new version. */
export interface EventDeclaration<Id extends string = string, Data extends z.ZodType = z.ZodType> {
  /** `<noun>.<past tense>`, for example `listing.changed`. */
  readonly id: Id
  readonly version: number
  readonly summary: string
  /** The data member that orders the events: two events with the same value arrive in the order they were written. */
  readonly key: string
  readonly data: Data
}

export const event = <const Id extends `${string}.${string}`, Data extends z.ZodType>(
  declaration: EventDeclaration<Id, Data>,
): EventDeclaration<Id, Data> => declaration

export type DataOf<Event extends EventDeclaration> = z.output<Event['data']>

/** The name consumers use: `listing.changed.v1`. */
export const eventName = (event: Pick<EventDeclaration, 'id' | 'version'>): string => `${event.id}.v${event.version}`

/** The bus subject of an event. */
export const eventSubject = (event: Pick<EventDeclaration, 'id' | 'version'>): string => `evt.${eventName(event)}`

/** What is sent: the event's data with its identity. `id` is the `Nats-Msg-Id` and the inbox key. */
export const EventEnvelope = z.object({
  id: z.string().min(1).max(64),
  name: z.string(),
  key: z.string(),
  /** Rises by one per event of a source; consumers that need order compare it within one key. */
  sequence: z.number().int().nonnegative(),
  source: z.string(),
  occurredAt: z.iso.datetime(),
  traceparent: z.string().optional(),
  data: z.unknown(),
})
export type EventEnvelope = z.output<typeof EventEnvelope>

/** An event as its consumer receives it, with its data as declared. */
export type EventOf<Event extends EventDeclaration> = Omit<EventEnvelope, 'data'> & { readonly data: DataOf<Event> }

/** Filters a batch of several kinds of events for those of one kind, in their order. */
export const eventsOf = <Event extends EventDeclaration>(
  event: Event,
  events: readonly EventEnvelope[],
): readonly EventOf<Event>[] => events.filter(({ name }) => name === eventName(event)) as readonly EventOf<Event>[]
