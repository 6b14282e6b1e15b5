export * from './bus.ts'
export type { DeadLetterSink } from './events/dead-letter.ts'
export { EventBatcher, MOST_IN_BATCH } from './events/event-batcher.ts'
export {
  type Backoff,
  type Consumer,
  type ConsumerLag,
  type ConsumerName,
  type Consuming,
  DEFAULT_BACKOFF,
  durableName,
  type EventHandler,
  type EventLog,
  type LogSize,
  PoisonEvent,
  readEvent,
} from './events/events.ts'
export { EVENT_STREAM, STREAM_SETTINGS, type StreamSettings } from './events/stream-declaration.ts'
export { BusFault, type BusFaultKind, isReaderLost } from './fault.ts'
export { ANSWER_BYTES, fitting, fittingPart, jsonBytes } from './fitting.ts'
export { ByteBudget } from './large/byte-budget.ts'
export { LARGE_REQUESTS_BYTES } from './large/large-requests.ts'
export type { CallMeta } from './meta.ts'
export { readNatsServers } from './nats-servers.ts'
export { inboxesOf } from './nats-wire.ts'
export { RawJson } from './raw-json.ts'
export type { IncomingCall, Responder, Served } from './responses.ts'
export type { ReadOptions } from './streams/read-stream.ts'
export type { StreamCall, StreamResponder } from './streams/respond-stream.ts'
export { activeTraceparent, consuming, consumingBatch } from './telemetry.ts'
export { MAX_MESSAGE_BYTES } from './wire.ts'
