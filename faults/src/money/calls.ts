import { setTimeout as wait } from 'node:timers/promises'
import type { WalkKey } from './accounts.ts'
import type { HandedIn, Payments } from './payments.ts'
import { LAST_WORD, type PlannedCall, requestOf } from './plan.ts'

/** The result of a request for its client. */
export type Seen =
  /** 200, with its last word. */
  | 'whole'
  /** 200, but ended before its last word. */
  | 'cut'
  /** The client left. */
  | 'left'
  /** It did not end within the client's patience. */
  | 'given up'
  /** An error as the answer. */
  | 'refused'
  /** No answer. */
  | 'nothing'

/** One request of a call; a call without an answer is sent again. */
export interface Attempt {
  readonly call: PlannedCall
  readonly keyId: string
  readonly seen: Seen
  /** 0 where none came. */
  readonly status: number
  /** From the response headers; absent where none came, or it was not admitted. */
  readonly callId: string | undefined
  readonly from: number
  readonly to: number
}

const ATTEMPTS = 6
const AGAIN_MS = 150

export interface Calling {
  readonly baseUrl: string
  readonly keys: readonly WalkKey[]
  readonly payments: Payments
  /** Longer than any call of this walk: after it a client gives up on a process that died. */
  readonly patienceMs: number
  /** Ends the walk, and any calls in progress. */
  readonly over: AbortSignal
  /** Stops further calls. */
  readonly enough: AbortSignal
  /** Called with each request when it is done. */
  readonly told: (attempt: Attempt) => void
}

/** Makes the calls of a plan, `atOnce` at a time. */
export async function makeCalls(calling: Calling, plan: readonly PlannedCall[], atOnce: number): Promise<void> {
  const left = plan.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const call of left) {
        if (calling.over.aborted || calling.enough.aborted) return
        await (call.pays ? payAndCall(calling, call) : makeCall(calling, call))
      }
    }),
  )
}

/** Sends a call, and repeats it if the connection failed or a process on its path was down. */
async function makeCall(calling: Calling, call: PlannedCall): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS && !calling.over.aborted; attempt += 1) {
    const { seen, status, isRenewed } = await send(calling, call)
    const isWorthAnother = seen === 'nothing' || status === 503 || status === 504 || isRenewed
    if (!isWorthAnother) return
    await wait(AGAIN_MS * attempt)
  }
}

/** Repeats the same request with the same payment until the payment's outcome is known. */
async function payAndCall(calling: Calling, call: PlannedCall): Promise<void> {
  const { keys, payments } = calling
  const key = keyOf(keys, call)
  const { header, entry } = await payments.sign(key.owner)
  await payments.repeat(entry, async () => {
    const { answer } = await send(calling, call, { header, entry })
    if (!answer) throw new Error('no answer')
    return answer
  })
}

function keyOf(keys: readonly WalkKey[], call: PlannedCall): WalkKey {
  const key = keys[call.key]
  if (!key) throw new Error(`There is no key ${call.key}`)
  return key
}

interface Sent extends Attempt {
  /** The response with its headers; its body has been read. */
  readonly answer: Response | undefined
  /** Whether its caller has since signed in again, because this was refused. */
  readonly isRenewed: boolean
}

async function send(calling: Calling, call: PlannedCall, paying?: { header: string; entry: HandedIn }): Promise<Sent> {
  const { baseUrl, keys, patienceMs, told } = calling
  const key = keyOf(keys, call)
  const { path, body } = requestOf(call)
  const gone = AbortSignal.any([calling.over, AbortSignal.timeout(call.leavesAfterMs ?? patienceMs)])
  const from = performance.now()
  let answer: Response | undefined
  let text: string | undefined
  let credentials: Record<string, string> = {}
  try {
    credentials = await key.headers()
    answer = await fetch(baseUrl + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...credentials,
        ...(paying ? { 'payment-signature': paying.header } : {}),
      },
      body: JSON.stringify(body),
      signal: gone,
    })
    text = await answer.text()
  } catch {}
  const status = answer?.status ?? 0
  const callId = answer?.headers.get('x-callboard-call-id') ?? undefined
  const isGone = gone.aborted && text === undefined
  const seen = isGone ? (call.leavesAfterMs === undefined ? 'given up' : 'left') : seenOf(call, status, text)
  const attempt = { call, keyId: key.id, seen, status, callId, from, to: performance.now() }
  told(attempt)
  const isRenewed = status === 401 && (await key.renew(credentials))
  return { ...attempt, isRenewed, answer: answer && new Response(null, { status, headers: answer.headers }) }
}

function seenOf({ surface, stream }: PlannedCall, status: number, text: string | undefined): Seen {
  if (status === 0) return 'nothing'
  if (status !== 200) return 'refused'
  if (text === undefined) return 'cut'
  return !stream || LAST_WORD[surface].test(text) ? 'whole' : 'cut'
}
