import { setTimeout as wait } from 'node:timers/promises'
import {
  type ConnectionOptions,
  connect,
  type Msg,
  type NatsConnection,
  headers as natsHeaders,
  nuid,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { NatsOutbox } from './nats-outbox.ts'
import { readNatsServers } from './nats-servers.ts'
import { HEADER_BYTES, MAX_MESSAGE_BYTES, type Wire, type WireMessage, type WireSubscription } from './wire.ts'

/** The prefix of a process's answer subjects: below its own name, so that a server can keep others from listening. */
export const inboxesOf = (name: string): string => `_INBOX.${name}`

/** A server that leaves two pings unanswered hangs: after nine seconds the client tries another, or the same again. */
const HANGS = { pingInterval: 3_000, maxPingOut: 2 }
/** The pause before a connection is tried again. */
const AGAIN_MS = 250
/** How long a server may take to establish a connection. */
const GREETING_MS = 5_000

/**
 * Connects to NATS permanently: it waits for the first connection and reconnects forever, even from a server that
 * hangs. `noAsyncTraces` saves a third of a request's CPU by not recording a stack for each.
 * @param servers as a function, it is asked for user and password at each connection
 * @param onUnreachable called each time the first connection fails; it is tried again
 */
export async function connectNats(
  servers: string | (() => string),
  name: string,
  onUnreachable: (error: Error) => void = () => {},
): Promise<NatsConnection> {
  for (;;) {
    const options = {
      ...signingIn(servers),
      ...{ name, inboxPrefix: inboxesOf(name), noAsyncTraces: true, timeout: GREETING_MS, ignoreClusterUpdates: false },
      ...{ ...HANGS, maxReconnectAttempts: -1, reconnectTimeWait: AGAIN_MS },
      // A password is replaced at the server first; it is refused until it reaches us too.
      ignoreAuthErrorAbort: true,
    }
    try {
      return await connect(options)
    } catch (error) {
      onUnreachable(error as Error)
      await wait(AGAIN_MS)
    }
  }
}

function signingIn(text: string | (() => string)): ConnectionOptions {
  if (typeof text === 'string') return readNatsServers(text)
  const { user, pass: _, ...servers } = readNatsServers(text())
  if (user === undefined) return servers
  const authenticator = usernamePasswordAuthenticator(
    () => readNatsServers(text()).user ?? '',
    () => readNatsServers(text()).pass ?? '',
  )
  return { ...servers, authenticator }
}

/** `NATS/1.0` and two line ends for the block; `: ` and a line end per header; the most UTF-8 bytes per UTF-16 unit. */
const HEADER_FRAME_BYTES = 12
const HEADER_LINE_BYTES = 4
const MOST_BYTES_OF_A_CHARACTER = 3

/** Subjects and queue groups over core NATS. All inboxes of a process share one subscription. */
export function natsWire(connection: NatsConnection, name: string): Wire {
  const prefix = `${inboxesOf(name)}.${nuid.next()}`
  const inboxes = new Map<string, (message: WireMessage) => void>()
  const outbox = new NatsOutbox(connection)
  let connected = true
  void followStatus(connection, (state) => {
    connected = state
  })
  connection.subscribe(`${prefix}.*`, {
    callback: (error, message) => {
      if (error === null) inboxes.get(message.subject)?.(fromNats(message))
    },
  })

  const subscribeInbox = (subject: string, onMessage: (message: WireMessage) => void): WireSubscription => {
    inboxes.set(subject, onMessage)
    return {
      async stop() {
        inboxes.delete(subject)
      },
    }
  }

  return {
    publish(subject, payload, headers, reply) {
      const carried = natsHeaders()
      let most = HEADER_FRAME_BYTES + payload.length
      for (const [name, value] of Object.entries(headers)) {
        carried.append(name, value)
        most += HEADER_LINE_BYTES + MOST_BYTES_OF_A_CHARACTER * (name.length + value.length)
      }
      outbox.publish({
        subject,
        payload,
        most,
        options: reply === undefined ? { headers: carried } : { headers: carried, reply },
      })
    },
    subscribe(subject, queue, onMessage) {
      if (subject.startsWith(`${prefix}.`)) return subscribeInbox(subject, onMessage)
      const subscription = connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (error, message) => {
          if (error === null) onMessage(fromNats(message))
        },
      })
      return { stop: () => subscription.drain() }
    },
    inbox: () => `${prefix}.${nuid.next()}`,
    endOfTurn: (work) => outbox.endOfTurn(work),
    flush() {
      outbox.leave()
      return connection.flush()
    },
    get connected() {
      return connected && !connection.isClosed()
    },
    get mostBytes() {
      return Math.min(MAX_MESSAGE_BYTES, (connection.info?.max_payload ?? Number.POSITIVE_INFINITY) - HEADER_BYTES)
    },
    get closed() {
      return connection.isClosed()
    },
    close() {
      outbox.leave()
      return connection.close()
    },
  }
}

function fromNats(message: Msg): WireMessage {
  const headers: Record<string, string> = {}
  for (const [name, [value]] of message.headers ?? []) headers[name] = value ?? ''
  return {
    subject: message.subject,
    payload: message.data,
    headers,
    reply: message.reply,
    noResponder: message.headers?.code === 503 && message.data.length === 0,
  }
}

async function followStatus(connection: NatsConnection, onChange: (connected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') onChange(false)
    if (status.type === 'reconnect') onChange(true)
  }
}
