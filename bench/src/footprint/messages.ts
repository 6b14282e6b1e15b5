import { connect, type NatsConnection } from '@nats-io/transport-node'

/** Messages published on a bus, counted by a subscriber to everything. */
export class Messages {
  #count = 0
  #bytes = 0
  readonly #connection: NatsConnection

  private constructor(connection: NatsConnection) {
    this.#connection = connection
    connection.subscribe('>', {
      callback: (_, { data }) => {
        this.#count++
        this.#bytes += data.length
      },
    })
  }

  static async of(natsUrl: string): Promise<Messages> {
    const messages = new Messages(await connect({ servers: natsUrl }))
    await messages.#connection.flush()
    return messages
  }

  /** Messages, and the bytes of their payloads, so far. */
  async seen(): Promise<{ readonly count: number; readonly bytes: number }> {
    await this.#connection.flush()
    return { count: this.#count, bytes: this.#bytes }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
