import { setTimeout as wait } from 'node:timers/promises'
import { noteMade } from './made.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. @throws SyntaxError when it is not */
  json(): unknown
}

export interface Sent {
  /** A form or a `Blob` is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Return a 429 as the answer. Otherwise the client waits and retries, as a polite one does. */
  readonly takes429?: true
}

const MOST_PATIENCE_SECONDS = 30
const MEND =
  'Run the suite after that, or on an instance with a wider limit (RATE_LIMITS, or the setting of this route).'

/** A limit of the instance is used up, by an earlier run perhaps: nothing is known of the route. */
class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

/** A client of the public interface: plain HTTP. */
export class Client {
  readonly baseUrl: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.baseUrl = baseUrl
    this.headers = headers
  }

  /** The same client with more headers on every request. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.baseUrl, { ...this.headers, ...headers })
  }

  get = (path: string, sent?: Sent): Promise<Answer> => this.send('GET', path, sent)
  head = (path: string, sent?: Sent): Promise<Answer> => this.send('HEAD', path, sent)
  post = (path: string, body?: unknown, sent?: Sent): Promise<Answer> => this.send('POST', path, { ...sent, body })
  put = (path: string, body?: unknown, sent?: Sent): Promise<Answer> => this.send('PUT', path, { ...sent, body })
  patch = (path: string, body?: unknown, sent?: Sent): Promise<Answer> => this.send('PATCH', path, { ...sent, body })
  delete = (path: string, sent?: Sent): Promise<Answer> => this.send('DELETE', path, sent)

  async send(method: string, path: string, { body, headers, takes429 }: Sent = {}): Promise<Answer> {
    const isReady = body instanceof URLSearchParams || body instanceof Blob
    const type: Record<string, string> = body === undefined || isReady ? {} : { 'content-type': 'application/json' }
    for (;;) {
      const answer = await fetch(this.baseUrl + path, {
        method,
        headers: { ...type, ...this.headers, ...headers },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: isReady ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const retryAfter = Number(answer.headers.get('retry-after'))
      if (answer.status === 429 && !takes429 && retryAfter > MOST_PATIENCE_SECONDS)
        throw new LimitReached(`${method} ${path}: the instance takes no more of these for ${retryAfter} s. ${MEND}`)
      if (answer.status !== 429 || takes429) {
        const json = () => JSON.parse(text) as unknown
        if (method === 'POST' && answer.status === 201) noteMade(this, path, json)
        return { status: answer.status, headers: answer.headers, text, json }
      }
      await wait(retryAfter * 1000)
    }
  }
}
