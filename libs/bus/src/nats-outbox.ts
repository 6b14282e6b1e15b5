import type { NatsConnection, PublishOptions } from '@nats-io/transport-node'

interface Outgoing {
  readonly subject: string
  readonly payload: Uint8Array
  readonly options: PublishOptions
  /** The most bytes that it takes with its headers. */
  readonly most: number
}

/**
 * Sends the messages of one turn of the event loop in one write. The client writes as early as it can, so a process
 * that answers many at once would issue a write per message, and the server a read: most of the cost of such a message
 * on either side. A single message waits no longer than the rest of its turn.
 */
export class NatsOutbox {
  readonly #connection: NatsConnection
  #waiting: Outgoing[] = []
  #last: (() => void)[] = []
  #isOpen = false

  constructor(connection: NatsConnection) {
    this.#connection = connection
  }

  /** @throws Error, like the client, for a message that cannot be sent: connection closed, or server takes less */
  publish(message: Outgoing): void {
    if (this.#surelyLeaves(message)) {
      this.#waiting.push(message)
      this.#open()
    } else {
      this.leave()
      this.#send(message)
    }
  }

  /** Calls `work` before this turn's messages are sent. */
  endOfTurn(work: () => void): void {
    this.#last.push(work)
    this.#open()
  }

  /** Sends the waiting messages now. */
  leave(): void {
    for (const work of this.#last.splice(0)) work()
    const leaving = this.#waiting
    this.#waiting = []
    // If the connection closed meanwhile, or its server takes less, they are lost, like everything then in flight.
    for (const message of leaving) if (this.#surelyLeaves(message)) this.#send(message)
  }

  /** Otherwise the client refuses it, or may; only its publisher can catch that. */
  #surelyLeaves({ most }: Outgoing): boolean {
    const { info } = this.#connection
    return !this.#connection.isClosed() && (info === undefined || most <= info.max_payload)
  }

  #open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    setImmediate(() => {
      this.#isOpen = false
      this.leave()
    })
  }

  #send({ subject, payload, options }: Outgoing): void {
    this.#connection.publish(subject, payload, options)
  }
}
