import { SAID_IN, Said } from '../counting/said.ts'
import { type Json, objectIn } from '../domain/json.ts'
import type { Charge, Ending } from '../domain/settlement.ts'
import type { Surface } from '../domain/surface.ts'
import { chatUsage, embeddingsUsage, messagesUsage, responsesUsage, type Usage } from '../domain/usage.ts'
import { errorBody, messageIn } from '../translate/errors.ts'
import type { Answering } from './call.ts'

const USAGE_OF: Readonly<Record<Surface, (json: unknown) => Usage | undefined>> = {
  chat: chatUsage,
  responses: responsesUsage,
  embeddings: embeddingsUsage,
  messages: (json) => messagesUsage(json),
}

/** An answer that came whole. */
export interface WholeAnswer {
  readonly ending: Ending
  readonly charge: Charge
  /** What the client gets, in its own shape. */
  readonly text: string
  readonly contentType: string
}

type Answered = Pick<Answering, 'status' | 'contentType' | 'translation'>

/**
 * How a call ended by its answer, and what its client gets of it: the answer as it came where both have one shape.
 * @param chargeOf what an ending costs; a translated answer tells the usage that is charged
 */
export async function readWhole(
  surface: Surface,
  { status, contentType, translation }: Answered,
  received: string,
  chargeOf: (ending: Ending) => Promise<Charge>,
): Promise<WholeAnswer> {
  const answer = objectIn(received)
  const ending = status < 300 ? endingOf(translation?.wire ?? surface, answer, received) : FAILED
  const charge = await chargeOf(ending)
  if (!translation || ending.kind === 'broken') return { ending, charge, text: received, contentType }
  const put = charge.usage
    ? translation.whole(answer ?? {}, charge.usage)
    : errorBody(surface, status, messageIn(answer))
  if (put) return { ending, charge, text: JSON.stringify(put), contentType: 'application/json' }
  const broken = brokenAfter(received)
  return { ending: broken, charge: await chargeOf(broken), text: received, contentType }
}

const FAILED: Ending = { kind: 'failed_before_output' }
const brokenAfter = ({ length: seen }: string): Ending => ({ kind: 'broken', seen })

/** A page of some proxy, or nothing, is no answer, whatever its status says. */
function endingOf(surface: Surface, answer: Json | undefined, received: string): Ending {
  if (!answer) return brokenAfter(received)
  const usage = USAGE_OF[surface](answer)
  return usage
    ? { kind: 'completed', usage, seen: received.length }
    : { kind: 'completed_without_usage', seen: received.length, said: saidBy(surface, answer) }
}

function saidBy(surface: Surface, answer: Json): string[] {
  const said = new Said()
  SAID_IN[surface](said, answer)
  return said.parts
}
