import { Refused } from './errors.ts'
import type { Json } from './json.ts'
import type { Line } from './line.ts'
import type { Trial } from './trouble.ts'

/** One event of a stream. */
export interface Frame {
  readonly event?: string
  readonly data: Json | '[DONE]'
}

/** A complete answer: a JSON body, or the frames of a stream and the frame that reports a break. */
export type Reply = { readonly body: Json } | { readonly frames: readonly Frame[]; readonly broken: Frame }

interface Manner {
  readonly trial: Trial
  readonly headers: Readonly<Record<string, string>>
  /** Records a frame as sent. */
  readonly onFrame: () => void
}

const SLOW_FIRST_MS = 2_000
const JSON_TYPE = { 'content-type': 'application/json' }
const STREAM_TYPE = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
const LONG = Buffer.alloc(64 * 1024, 'x')
/** An endless line ends after this many bytes if the client keeps reading; then the connection is closed. */
const ENDLESS_BYTES = 64 * 1024 * 1024

/**
 * Sends an answer at the requested pace and with the requested trouble.
 * @throws Refused 500 for an unstreamed call whose trouble is an error in the stream; AbortError when the client left
 */
export async function deliver(line: Line, reply: Reply, manner: Manner): Promise<void> {
  const { trouble, delayMs } = manner.trial
  if (trouble === 'reset') return line.reset()
  if (trouble === 'silence') return untilGone(line)
  await line.wait(trouble === 'slow-first' ? (delayMs ?? SLOW_FIRST_MS) : (delayMs ?? 0))
  if ('frames' in reply) return stream(line, reply, manner)
  if (trouble === 'error-in-stream') throw new Refused(500, 'The answer broke off.')
  await whole(line, Buffer.from(JSON.stringify(reply.body)), manner)
}

async function whole(line: Line, bytes: Buffer, { trial, headers }: Manner): Promise<void> {
  line.open(200, { ...headers, ...JSON_TYPE })
  if (trial.trouble === 'endless-line') return endlessly(line, '{"object":"')
  if (trial.trouble === 'die-in-stream') {
    await line.write(bytes.subarray(0, bytes.length >> 1))
    return line.die()
  }
  await send(line, bytes, trial)
  line.end()
}

async function stream(
  line: Line,
  { frames, broken }: Extract<Reply, { frames: unknown }>,
  manner: Manner,
): Promise<void> {
  const { trial, headers, onFrame } = manner
  const { trouble, delayMs = 0 } = trial
  line.open(200, { ...headers, ...STREAM_TYPE })
  if (trouble === 'endless-line') return endlessly(line, 'data: {"object":"')
  const breaks = trouble === 'die-in-stream' || trouble === 'error-in-stream'
  const sent = breaks ? frames.slice(0, Math.ceil(frames.length / 2)) : frames
  const paced = trouble !== 'slow-first' && delayMs > 0
  for (const [at, frame] of sent.entries()) {
    if (paced && at > 0) await line.wait(delayMs)
    await send(line, Buffer.from(lines(frame)), trial)
    onFrame()
  }
  if (trouble === 'die-in-stream') return line.die()
  if (trouble === 'error-in-stream') await line.write(lines(broken))
  line.end()
}

const lines = ({ event, data }: Frame): string =>
  `${event ? `event: ${event}\n` : ''}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`

async function send(line: Line, bytes: Buffer, { trouble }: Trial): Promise<void> {
  for (const part of trouble === 'split-utf8' ? insideCharacters(bytes) : [bytes]) await line.write(part)
}

/** Cuts after the first byte of every multi-byte character. */
function insideCharacters(bytes: Buffer): readonly Buffer[] {
  const cuts = [...bytes.keys()].filter((at) => Number(bytes[at]) >= 0xc0).map((at) => at + 1)
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index]))
}

async function endlessly(line: Line, start: string): Promise<void> {
  await line.write(start)
  for (let sent = 0; sent < ENDLESS_BYTES; sent += LONG.length) await line.write(LONG)
  line.die()
}

const untilGone = (line: Line): Promise<void> =>
  new Promise((resolve) => line.gone.addEventListener('abort', () => resolve(), { once: true }))
