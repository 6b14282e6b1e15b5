import { createHash } from 'node:crypto'
import { type EventDeclaration, EventEnvelope, eventName } from '@callboard/contract'
import { decode } from '../wire.ts'

/** An event that could not be handled. */
export interface DeadLetter {
  readonly eventId: string
  readonly name: string
  readonly reason: string
  readonly envelope: unknown
  readonly attempts: number
}

/** Stores an event that could not be handled. Throwing means "ask me again". */
export type DeadLetterSink = (dead: DeadLetter) => Promise<void>

/** Describes an event that its consumer gives up, as far as it can be read. */
export function deadLetterOf(
  event: EventDeclaration,
  payload: Uint8Array,
  { attempts, error }: { readonly attempts: number; readonly error: unknown },
): DeadLetter {
  const reason = error instanceof Error ? error.message : String(error)
  return { ...identify(payload), name: eventName(event), reason, attempts }
}

/** Returns the identity of an event, as far as it can be read. */
export function identify(payload: Uint8Array): Pick<DeadLetter, 'eventId' | 'envelope'> {
  try {
    const envelope = decode(payload)
    const id = EventEnvelope.shape.id.safeParse((envelope as { id?: unknown } | undefined)?.id)
    return { eventId: id.success ? id.data : `unreadable-${digest(payload)}`, envelope: envelope ?? null }
  } catch {
    return {
      eventId: `unreadable-${digest(payload)}`,
      envelope: { unreadable: Buffer.from(payload).toString('base64') },
    }
  }
}

const digest = (payload: Uint8Array) => createHash('sha256').update(payload).digest('hex').slice(0, 16)
