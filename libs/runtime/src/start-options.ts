import type { Clock } from '@callboard/values'
import type { Env } from './settings/config.ts'
import type { Logger } from './telemetry/log.ts'

export interface StartOptions {
  readonly env: Env
  readonly log?: Logger
  readonly clock?: Clock
  /** Waits between attempts at an event; tests shorten them. */
  readonly eventBackoff?: readonly number[]
  /** False: no event waits to be batched, for tests that send many. */
  readonly eventsLinger?: boolean
  /**
   * Serves operations within the process and nothing else: no events, no jobs, no edge, no migrations, and not the bus
   * at `NATS_URL`, whose requests are for the instance. For a command that works on the tables of an instance which may
   * be running at the same time.
   */
  readonly operationsOnly?: boolean
  /** Opens everything but serves nothing: for a command whose tables must not answer requests yet. */
  readonly servesNothing?: boolean
}

/** Whether it runs next to the processes of an instance. */
export const isCommand = ({ operationsOnly, servesNothing }: StartOptions): boolean =>
  operationsOnly === true || servesNothing === true
