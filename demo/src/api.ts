/** One instance of Callboard as its clients see it: JSON over HTTP, nothing else. */
export class Api {
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl
    this.#headers = headers
  }

  /** The same instance with a credential. */
  with(headers: Readonly<Record<string, string>>): Api {
    return new Api(this.#baseUrl, { ...this.#headers, ...headers })
  }

  get = <T>(path: string): Promise<T> => this.#json<T>('GET', path)
  post = <T>(path: string, body?: unknown): Promise<T> => this.#json<T>('POST', path, body)

  /** Sends a request and gives the whole answer, for those who need its headers. @throws Error naming the refusal */
  async send(method: string, path: string, body?: unknown): Promise<Response> {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(this.#baseUrl + path, {
      method,
      headers: { ...this.#headers, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await this.send(method, path, body)).json()) as T
  }
}
