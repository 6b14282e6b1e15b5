import { setTimeout as wait } from 'node:timers/promises'
import {
  type Addressed,
  type DeadLetter,
  deadLetters,
  discardDeadLetter,
  type Env,
  readable,
  type ServiceModule,
} from '@callboard/runtime'
import { askReplay, replayEnd } from '@callboard/store'
import { importServices } from '../services.ts'
import { besideTables, readEach, unreadLine } from '../tables-beside.ts'
import { printable, printableJson } from './printable.ts'

const REASON_SHOWN = 200

const consumersOfAll = async () => (await importServices()).filter(({ consumes }) => consumes.length > 0)

/** An event that a service gave up; undefined where no such service has consumers. @param by the operator */
export async function addressedTo(service: string, eventId: string, by: string): Promise<Addressed | undefined> {
  const module = (await consumersOfAll()).find(({ name }) => name === service)
  return module && { module, eventId, by }
}

/** Prints one line for each event that was given up. @returns the exit code */
export async function list(env: Env): Promise<number> {
  const consumers = await consumersOfAll()
  return besideTables(env, async ({ of }) => {
    const { rows, unread } = await readEach(consumers, async (service) =>
      (await deadLetters(of(service))).map((letter) => ({ ...letter, service: service.name })),
    )
    for (const { service, eventId, name, diedAt, attempts, reason } of rows) {
      const why = printable(reason).slice(0, REASON_SHOWN)
      console.log(`${service} ${eventId} ${name} ${diedAt.toISOString()} after ${attempts} attempts: ${why}`)
    }
    console.log([...unreadLine(unread), `${rows.length} kept`].join('\n'))
    return 0
  })
}

/** Prints an event that was given up, and why. @returns the exit code */
export async function show(env: Env, { module, eventId }: Addressed): Promise<number> {
  return besideTables(env, async ({ of }) => {
    const letters = await deadLetters(of(module), eventId)
    if (letters.length === 0) console.error(`${module.name} keeps no event ${eventId}.`)
    for (const letter of letters) console.log(linesOf(module, letter).join('\n'))
    return letters.length === 0 ? 1 : 0
  })
}

function linesOf(module: ServiceModule, letter: DeadLetter): string[] {
  const { consumer, eventId, diedAt, attempts, reason, envelope } = letter
  const read = readable(module, letter)
  return [
    `${module.name} gave up ${eventId} of ${consumer} at ${diedAt.toISOString()} after ${attempts} attempts`,
    `because: ${printable(reason)}`,
    ...contentOf(envelope),
    read.ok
      ? `to hand it to its consumer again: npm run operator -- dead-letters replay ${module.name} ${eventId}`
      : `it cannot be replayed, because ${printable(read.why)}`,
    `to give it up for good: npm run operator -- dead-letters discard ${module.name} ${eventId} --reason TEXT`,
  ]
}

/** The event as received, as JSON, or as text and its bytes. */
function contentOf(envelope: unknown): string[] {
  const { unreadable } = (envelope ?? {}) as { unreadable?: unknown }
  if (typeof unreadable !== 'string') return [printableJson(envelope, 2)]
  const bytes = Buffer.from(unreadable, 'base64')
  return [`${bytes.length} bytes that are no JSON: ${printable(bytes.toString('utf8'))}`, `in base64: ${unreadable}`]
}

/** Gives an event up for good. @returns the exit code */
export async function discard(env: Env, addressed: Addressed, reason: string | undefined): Promise<number> {
  const { module, eventId } = addressed
  if (!reason?.trim()) {
    console.error('dead-letters discard needs a reason: --reason TEXT says why the event is given up for good.')
    return 2
  }
  return besideTables(env, async ({ of }) => {
    await discardDeadLetter(of(module), addressed, reason)
    console.log(`${module.name}: ${eventId} is given up; what it held stands in the record of what operators did`)
    return 0
  })
}

/** Enough for a running process of the service, even where notifications do not arrive. */
const TAKEN_UP_WITHIN_MS = 30_000
const LOOK_MS = 100

/**
 * Hands an event to its consumer again. A process of the service does it, which has the settings and the resources that
 * its consumer needs.
 * @returns the exit code
 */
export async function replay(env: Env, { module, eventId, by }: Addressed): Promise<number> {
  const { name } = module
  return besideTables(env, async ({ of }) => {
    const db = of(module)
    if ((await deadLetters(db, eventId)).length === 0) throw new Error(`${name} keeps no event ${eventId}.`)
    await askReplay(db, eventId, by)
    const end = performance.now() + TAKEN_UP_WITHIN_MS
    for (let ended = await replayEnd(db, eventId); performance.now() < end; ended = await replayEnd(db, eventId)) {
      if (ended?.failure) throw new Error(ended.failure)
      if (ended) {
        console.log(`${name}: ${eventId} is handled`)
        return 0
      }
      await wait(LOOK_MS)
    }
    console.error(
      `No process of ${name} has taken ${eventId} up yet: it is handed to its consumer as soon as one runs.`,
    )
    return 1
  })
}
