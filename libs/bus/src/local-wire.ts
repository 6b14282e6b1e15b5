import { randomUUID } from 'node:crypto'
import { MAX_MESSAGE_BYTES, NOTHING, type Wire, type WireMessage, type WireSubscription } from './wire.ts'

interface Subscriber {
  readonly queue: string | undefined
  readonly deliver: (message: WireMessage) => void
}

/** Subjects and queue groups inside one process. Messages are the same bytes that NATS would carry. */
export function localWire(): Wire {
  const subscribers = new Map<string, Set<Subscriber>>()
  const turns = new Map<string, number>()
  let closed = false

  /** The next member in turn of each queue group, and every subscriber without a group. */
  function receivers(subject: string): readonly Subscriber[] {
    const all = [...(subscribers.get(subject) ?? [])]
    if (all.length < 2) return all
    const groups = Map.groupBy(all, (subscriber) => subscriber.queue)
    const chosen = groups.get(undefined) ?? []
    for (const [queue, members] of groups) {
      if (queue === undefined) continue
      const turn = turns.get(`${subject} ${queue}`) ?? 0
      turns.set(`${subject} ${queue}`, turn + 1)
      const member = members[turn % members.length]
      if (member) chosen.push(member)
    }
    return chosen
  }

  function publish(subject: string, payload: Uint8Array, headers: Readonly<Record<string, string>>, reply?: string) {
    const chosen = receivers(subject)
    if (chosen.length === 0 && reply !== undefined) {
      const notice: WireMessage = { subject: reply, payload: NOTHING, headers: {}, noResponder: true }
      for (const subscriber of receivers(reply)) queueMicrotask(() => subscriber.deliver(notice))
      return
    }
    for (const subscriber of chosen) queueMicrotask(() => subscriber.deliver({ subject, payload, headers, reply }))
  }

  function subscribe(
    subject: string,
    queue: string | undefined,
    onMessage: (message: WireMessage) => void,
  ): WireSubscription {
    let open = true
    const subscriber: Subscriber = { queue, deliver: (message) => open && onMessage(message) }
    const ofSubject = subscribers.get(subject) ?? new Set()
    subscribers.set(subject, ofSubject.add(subscriber))
    return {
      async stop() {
        ofSubject.delete(subscriber)
        if (ofSubject.size === 0) subscribers.delete(subject)
        // Messages already handed to this subscriber still arrive: microtasks run in order.
        await undefined
        open = false
      },
    }
  }

  return {
    publish,
    subscribe,
    inbox: () => `_INBOX.${randomUUID()}`,
    endOfTurn: setImmediate,
    flush: async () => {},
    connected: true,
    mostBytes: MAX_MESSAGE_BYTES,
    get closed() {
      return closed
    },
    async close() {
      closed = true
      subscribers.clear()
    },
  }
}
