import type { InputOf, Operation, OutputOf, RefusalOf, ResultOf } from '@callboard/contract'
import type { Backoff, EventLog } from './events/events.ts'
import { localEvents } from './events/local-events.ts'
import { natsEvents } from './events/nats-events.ts'
import type { StreamSettings } from './events/stream-declaration.ts'
import { HEARTBEAT, type Heartbeat } from './heartbeat.ts'
import { LargeRequests } from './large/large-requests.ts'
import { localWire } from './local-wire.ts'
import type { CallMeta } from './meta.ts'
import { connectNats, natsWire } from './nats-wire.ts'
import { request, requestEncoded } from './requests.ts'
import { type Responder, respond, type Served } from './responses.ts'
import { type ReadOptions, readStream } from './streams/read-stream.ts'
import { respondStream, type StreamResponder } from './streams/respond-stream.ts'
import type { Wire } from './wire.ts'

/** Operations and events between services. Both drivers keep the same guarantees, checked by one test suite. */
export interface Bus {
  readonly driver: 'local' | 'nats'
  readonly connected: boolean
  /** Requests one answer. @throws BusFault when there is none */
  call<Op extends Operation>(op: Op, input: InputOf<Op>, meta: CallMeta, signal?: AbortSignal): Promise<ResultOf<Op>>
  /**
   * Like `call`, for a caller that forwards the answer: an output is returned as the bytes of its JSON, as the
   * handler's process wrote them (none when there is no output), a refusal as an object. @throws BusFault
   */
  callEncoded<Op extends Operation>(
    op: Op,
    input: InputOf<Op>,
    meta: CallMeta,
    signal?: AbortSignal,
  ): Promise<Uint8Array | RefusalOf<Op>>
  /** Reads an answer in chunks; a refusal is the generator's return value. @throws BusFault */
  stream<Op extends Operation>(
    op: Op,
    input: InputOf<Op>,
    meta: CallMeta,
    options?: ReadOptions,
  ): AsyncGenerator<OutputOf<Op>, undefined | RefusalOf<Op>>
  serve<Op extends Operation>(op: Op, responder: Responder<Op>, maxInFlight?: number): Served
  serveStream<Op extends Operation>(op: Op, responder: StreamResponder<Op>, maxInFlight?: number): Served
  readonly events: EventLog
  /** Resolves when every process on the bus can reach what has been served so far. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface BusSettings {
  readonly backoff?: Backoff
  readonly heartbeat?: Heartbeat
  /** How much of this process's memory requests larger than one message may hold, in bytes. */
  readonly largeRequestsBytes?: number | undefined
  /** The settings of the stream, if this process creates or changes it. */
  readonly stream?: StreamSettings | undefined
  /** Called each time the first connection to NATS fails; it is tried again. */
  readonly onUnreachable?: (error: Error) => void
}

const MAX_IN_FLIGHT = 256
/** A stream mostly waits; five times as many as a replica of the Router is scaled by (docs/operating.md). */
const MAX_STREAMS = 1_024

function overWire(driver: Bus['driver'], wire: Wire, events: EventLog, settings: BusSettings): Bus {
  const { heartbeat = HEARTBEAT, largeRequestsBytes } = settings
  const transport = { wire, heartbeat, large: new LargeRequests(largeRequestsBytes) }
  return {
    driver,
    get connected() {
      return wire.connected
    },
    call: (op, input, meta, signal) => request(transport, { op, input, meta }, signal),
    callEncoded: (op, input, meta, signal) => requestEncoded(transport, { op, input, meta }, signal),
    stream: (op, input, meta, options) => readStream(transport, { op, input, meta }, options),
    serve: (op, responder, maxInFlight = MAX_IN_FLIGHT) => respond(transport, op, responder, maxInFlight),
    serveStream: (op, responder, maxInFlight = MAX_STREAMS) => respondStream(transport, op, responder, maxInFlight),
    events,
    settle: () => wire.flush(),
    close: () => wire.close(),
  }
}

/** The bus of one process. */
export const localBus = (settings: BusSettings = {}): Bus =>
  overWire('local', localWire(), localEvents(settings.backoff), settings)

/**
 * The bus over NATS with JetStream; waits for the first connection.
 * @param servers comma-separated URLs, as `NATS_URL` carries them
 */
export async function natsBus(
  servers: string | (() => string),
  name: string,
  settings: BusSettings = {},
): Promise<Bus> {
  const connection = await connectNats(servers, name, settings.onUnreachable)
  return overWire(
    'nats',
    natsWire(connection, name),
    natsEvents(connection, settings.backoff, settings.stream),
    settings,
  )
}
