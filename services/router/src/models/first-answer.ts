import { within } from '@callboard/runtime'
import type { Resources, RouterContext } from '../context.ts'
import type { Candidate } from './candidates.ts'
import { byHealth, type Health } from './health.ts'
import { outcomeOf, outcomeOfError } from './outcome.ts'
import type { UpstreamAnswer, UpstreamCall } from './upstreams.ts'
import { whyFailed } from './why-failed.ts'

/** What it takes to ask an upstream. */
type Asking = Pick<RouterContext, 'clock'> & {
  readonly log: Pick<RouterContext['log'], 'warn'>
  readonly resources: Pick<Resources, 'upstreams' | 'health'>
}

/** A request that any of its candidates may answer. */
export interface Request<One extends Candidate> {
  readonly candidates: readonly One[]
  readonly signal: AbortSignal
  /** The request in the form of one of them. */
  readonly callOf: (candidate: One) => Omit<UpstreamCall, 'signal'>
  /** Whether a status for which the upstream's health is not to blame is accepted; any is, if absent. */
  readonly takes?: (status: number) => boolean
}

/** The answer of an upstream, which begins with its response head. */
interface Answered {
  readonly answer: UpstreamAnswer
  /** Reports that the rest of it is no answer of its API, or ends too early; it may be called again. */
  readonly broke: () => void
}

export interface FirstAnswer<One extends Candidate> extends Answered {
  readonly candidate: One
}

interface Attempt<One extends Candidate> {
  readonly candidate: One
  /** Never rejects. */
  readonly ended: Promise<{ readonly attempt: Attempt<One>; readonly answered: Answered | undefined }>
  abandon(): void
}

/**
 * Asks one upstream after another until one answers; after its response head no other is asked. If an upstream allows
 * hedging and is slow, a second one is asked in parallel: the first head wins and the other call is cancelled.
 * @returns undefined when all failed
 */
export async function firstAnswer<One extends Candidate>(
  ctx: Asking,
  request: Request<One>,
): Promise<FirstAnswer<One> | undefined> {
  const { signal } = request
  const turns = inTurn(byHealth(request.candidates, ctx.resources.health), ctx.resources.health)
  const running = new Set<Attempt<One>>()
  let isLast = false
  const next = () => {
    const turn = turns.next()
    if (turn.done) isLast = true
    else running.add(attemptOf(ctx, request, turn.value))
    return !turn.done
  }
  while (running.size > 0 || next()) {
    const [first] = running
    const mayBeHedged = running.size === 1 && !isLast
    const hedgeAfterMs = mayBeHedged ? first?.candidate.upstream.hedgeAfterMs : undefined
    const anyEnded = Promise.race([...running].map((attempt) => attempt.ended))
    // Undefined: none has ended by the time at which another may be asked.
    const ended = await (hedgeAfterMs === undefined ? anyEnded : within(hedgeAfterMs, anyEnded))
    signal.throwIfAborted()
    if (ended) running.delete(ended.attempt)
    else next()
    if (!ended?.answered) continue
    for (const attempt of running) attempt.abandon()
    return { candidate: ended.attempt.candidate, ...ended.answered }
  }
  return undefined
}

/** Candidates that are ready when their turn comes; if none is, the one to be retried first, as a trial may succeed. */
function* inTurn<One extends Candidate>(candidates: readonly One[], health: Health): Generator<One, undefined> {
  let isAnyAsked = false
  for (const candidate of candidates) {
    if (!health.isReady(candidate)) continue
    isAnyAsked = true
    yield candidate
  }
  const [soonest] = candidates
  if (!isAnyAsked && soonest) yield soonest
  return undefined
}

function attemptOf<One extends Candidate>(ctx: Asking, request: Request<One>, candidate: One): Attempt<One> {
  const own = new AbortController()
  const isHedged = request.candidates.some(({ upstream }) => upstream.hedgeAfterMs !== undefined)
  const signal = isHedged ? AbortSignal.any([request.signal, own.signal]) : request.signal
  const asked = ask(ctx, request, candidate, signal)
  const attempt: Attempt<One> = {
    candidate,
    ended: asked.then((answered) => ({ attempt, answered })),
    abandon() {
      own.abort()
      void asked.then((answered) => answered?.answer.body.on('error', () => {}).destroy())
    },
  }
  return attempt
}

async function ask<One extends Candidate>(
  { resources, log, clock }: Asking,
  { callOf, takes }: Request<One>,
  candidate: One,
  signal: AbortSignal,
): Promise<Answered | undefined> {
  const { upstreams, health } = resources
  const { upstream, model } = candidate
  const renewal = health.begin(candidate)
  const call = { ...callOf(candidate), signal }
  try {
    const answer = await upstreams.send(upstream, call)
    const { statusCode: status, body } = answer
    const outcome = outcomeOf(answer, clock.now())
    health.report(candidate, outcome, renewal)
    if (outcome.kind === 'answered' && (takes?.(status) ?? true)) {
      let isBroken = false
      const broke = () => {
        if (!isBroken) health.report(candidate, { kind: 'broken' }, renewal)
        isBroken = true
      }
      // Whoever reads it says whether that is the upstream's failure: a client that reads nothing makes it give up, too.
      body.on('error', () => {})
      return { answer, broke }
    }
    log.warn({ upstream: upstream.name, model, status }, 'an upstream refused a call')
    // The next upstream is not kept waiting for the rest of an error, which may never come.
    void body.dump()
  } catch (error) {
    health.report(candidate, outcomeOfError(error, call), renewal)
    if (!signal.aborted) {
      log.warn({ ...whyFailed(error), upstream: upstream.name, model }, 'an upstream could not be asked')
    }
  }
  return undefined
}
