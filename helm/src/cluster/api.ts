import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'

/** How to reach the API server, and as whom. */
export interface Access {
  readonly url: string
  /** A file with the server's certificate. */
  readonly caFile: string
  readonly token: string
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an API server answers is judged where it is read
  readonly body: any
  /** The server's warnings, such as an unknown field. */
  readonly warnings: readonly string[]
}

/** A client of a Kubernetes API server. */
export class KubeApi {
  readonly #access: Access
  readonly #agent: Agent

  constructor(access: Access) {
    this.#access = access
    this.#agent = new Agent({ ca: readFileSync(access.caFile), keepAlive: true })
  }

  /** Sends one request, and returns an answer of any status. @param body is sent as JSON */
  async ask(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    const response = await this.#send(method, path, body === undefined ? undefined : JSON.stringify(body), type)
    const said = await text(response)
    const isJson = response.headers['content-type']?.includes('json') ?? false
    const { warning } = response.headers
    const warnings = typeof warning === 'string' ? [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)] : []
    return {
      status: response.statusCode ?? 0,
      body: isJson ? JSON.parse(said) : said,
      warnings: warnings.map(([, words = '']) => words.replaceAll('\\"', '"')),
    }
  }

  /** @throws Error with the server's message where it does not answer with 2xx */
  async must(method: string, path: string, body?: object, type?: string): Promise<Answer['body']> {
    const answer = await this.ask(method, path, body, type)
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body?.message ?? answer.body}`)
    return answer.body
  }

  get = (path: string): Promise<Answer['body']> => this.must('GET', path)

  patch = (path: string, body: object): Promise<Answer['body']> =>
    this.must('PATCH', path, body, 'application/merge-patch+json')

  /** Watches a collection from now on. @returns a function that stops it */
  async watch(path: string, take: (object: Answer['body']) => void): Promise<() => void> {
    const { metadata, items } = await this.get(path)
    for (const item of items) take(item)
    const response = await this.#send('GET', `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`)
    let rest = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { type, object } = JSON.parse(line)
        if (type === 'ADDED' || type === 'MODIFIED') take(object)
      }
    })
    response.on('error', () => {})
    return () => void response.destroy()
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(method: string, path: string, body?: string, type?: string): Promise<IncomingMessage> {
    const { url, token } = this.#access
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    }
    return new Promise((resolve, reject) => {
      request(url + path, { method, headers, agent: this.#agent }, resolve)
        .once('error', reject)
        .end(body)
    })
  }
}
