export * from './bus.ts'
export {
  type Backoff,
  type Burial,
  type Consumer,
  type Consuming,
  DEFAULT_BACKOFF,
  durableName,
  type EventHandler,
  type EventLog,
  PoisonEvent,
  readEvent,
} from './events.ts'
export * from './fault.ts'
export type { CallMeta } from './meta.ts'
export type { IncomingCall, Responder, Served } from './requests.ts'
export type { StreamResponder } from './streams.ts'
export { activeTraceparent, processing } from './telemetry.ts'
export { MAX_MESSAGE_BYTES } from './wire.ts'
