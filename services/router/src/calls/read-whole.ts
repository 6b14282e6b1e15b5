import { errorIn, type Failure, failureOf } from '../domain/answered/error-in.ts'
import { SAID_IN, Said } from '../domain/answered/said.ts'
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

/** The list in which an answer has what its client asked for; an object without it is none of the API. */
const LIST_OF: Readonly<Record<Surface, string>> = {
  chat: 'choices',
  responses: 'output',
  embeddings: 'data',
  messages: 'content',
}

/** An answer that arrived complete. */
export interface WholeAnswer {
  readonly ending: Ending
  /** Set if the answer is an error, whatever its HTTP status. */
  readonly failed?: Failure | undefined
  readonly charge: Charge
  /** The answer in the client's own shape. */
  readonly text: string
  readonly contentType: string
}

type Answered = Pick<Answering, 'status' | 'contentType' | 'translation'>

/**
 * Reads from an answer how its call ended and what the client gets: the answer unchanged if both share one shape.
 * @param chargeOf the charge for an ending; a translated answer states the usage that is charged
 */
export async function readWhole(
  surface: Surface,
  { status, contentType, translation }: Answered,
  received: string,
  chargeOf: (ending: Ending) => Promise<Charge>,
): Promise<WholeAnswer> {
  const answer = objectIn(received)
  const failed = answer && failureIn(answer)
  const ending = status < 300 ? endingOf(translation?.wire ?? surface, failed ? undefined : answer, received) : FAILED
  const charge = await chargeOf(ending)
  if (!translation || ending.kind === 'broken') return { ending, failed, charge, text: received, contentType }
  const put = charge.usage
    ? translation.whole(answer ?? {}, charge.usage)
    : errorBody(surface, status, messageIn(answer))
  if (put) return { ending, charge, text: JSON.stringify(put), contentType: 'application/json' }
  const broken = brokenAfter(received)
  return { ending: broken, charge: await chargeOf(broken), text: received, contentType }
}

const FAILED: Ending = { kind: 'failed_before_output' }
const brokenAfter = ({ length: seen }: string): Ending => ({ kind: 'broken', seen })

/** @param answer undefined for a proxy's error page, an empty body, or an error, whatever its status says */
function endingOf(surface: Surface, answer: Json | undefined, received: string): Ending {
  // Some providers call a failure a success, and name it in members of their own.
  if (!answer || !Array.isArray(answer[LIST_OF[surface]])) return brokenAfter(received)
  const [usage, seen] = [USAGE_OF[surface](answer), received.length]
  if (!usage) return { kind: 'completed_without_usage', seen, said: saidBy(surface, answer) }
  const isWhole = usage.inputTokens > 0 && usage.outputTokens > 0
  return { kind: 'completed', usage, seen, ...(isWhole ? {} : { said: saidBy(surface, answer) }) }
}

/** A failure is named in the body, whatever the HTTP status; a response has a status of its own. */
function failureIn(answer: Json): Failure | undefined {
  const error = errorIn(answer)
  return error || answer.status === 'failed' ? failureOf(error) : undefined
}

function saidBy(surface: Surface, answer: Json): string[] {
  const said = new Said()
  SAID_IN[surface](said, answer)
  return said.parts
}
