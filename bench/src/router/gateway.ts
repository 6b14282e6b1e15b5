import { requestBytes } from './connection.ts'
import { callOf } from './upstream-words.ts'

/** A measured gateway to language models, or the upstream itself. */
export interface Gateway {
  readonly name: string
  readonly port: number
  readonly path: string
  /** Credentials and other headers of its requests; connections use them in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** The processes whose CPU and memory count, by name. */
  readonly processes: Readonly<Record<string, readonly number[]>>
  stop(): Promise<void>
}

interface Asking {
  readonly model: string
  readonly stream: boolean
  /** The index of the connection that sends it. */
  readonly at: number
  /** The call's name, if the upstream should report what happens to it. */
  readonly call?: string
}

/** A request to a gateway with a body of some 200 bytes. */
export function requestTo({ port, path, headers }: Gateway, { model, stream, at, call }: Asking): Buffer {
  const said = call === undefined ? '' : callOf(call)
  const body = {
    model,
    messages: [
      { role: 'user', content: `${said}What does a listing need before an agent finds it? Say it in a few words.` },
    ],
    max_tokens: 256,
    ...(stream ? { stream: true } : {}),
  }
  return requestBytes({ port, path, headers: headers[at % headers.length] ?? {} }, JSON.stringify(body))
}
