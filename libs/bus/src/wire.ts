import { RawJson } from './raw-json.ts'

/** A message as both drivers carry it: bytes and text headers, as in NATS. */
export interface WireMessage {
  readonly subject: string
  readonly payload: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** The subject for an answer. */
  readonly reply?: string | undefined
  /** Set on the broker's own notice that the subject of a request has no subscriber. */
  readonly noResponder?: boolean
}

export interface WireSubscription {
  /** No message is delivered after this resolves. */
  stop(): Promise<void>
}

/** What both drivers provide: subjects, queue groups, replies, the no-responder notice. */
export interface Wire {
  publish(subject: string, payload: Uint8Array, headers: Readonly<Record<string, string>>, reply?: string): void
  /** With `queue`, one subscriber of that name gets each message; without, all do. */
  subscribe(subject: string, queue: string | undefined, onMessage: (message: WireMessage) => void): WireSubscription
  /** A fresh, unique subject. */
  inbox(): string
  /** Calls `work` when this turn of the event loop ends, before the messages it publishes are sent. */
  endOfTurn(work: () => void): void
  /** Resolves when everything published so far has been sent. */
  flush(): Promise<void>
  readonly connected: boolean
  /** The largest payload that a message may have now, in bytes. */
  readonly mostBytes: number
  /** True once closed. Publishing then throws, and no subscriber can receive it. */
  readonly closed: boolean
  close(): Promise<void>
}

/** What the headers of a message may take. */
export const HEADER_BYTES = 64 * 1024
/** The largest message of either driver, in bytes: NATS's default `max_payload` less room for headers. */
export const MAX_MESSAGE_BYTES = 1024 * 1024 - HEADER_BYTES

const decoder = new TextDecoder()

/** A Buffer, because Node encodes a short text into one in a tenth of the time of a TextEncoder. */
export const encode = (value: unknown): Uint8Array =>
  Buffer.from(value instanceof RawJson ? value.json : JSON.stringify(value))
export const decode = (payload: Uint8Array): unknown =>
  payload.length === 0 ? undefined : JSON.parse(decoder.decode(payload))

export const NOTHING = new Uint8Array(0)
