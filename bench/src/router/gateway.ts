import { requestBytes } from './connection.ts'
import { callOf } from './upstream-words.ts'

/** A gateway to language models that is measured, or the upstream itself. */
export interface Gateway {
  readonly name: string
  readonly port: number
  readonly path: string
  /** Credentials and what else its requests carry; connections take them in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** Whose CPU and memory count, by name. */
  readonly processes: Readonly<Record<string, readonly number[]>>
  stop(): Promise<void>
}

interface Asking {
  readonly model: string
  readonly stream: boolean
  /** Which connection asks. */
  readonly at: number
  /** The call's name, where the upstream is to say what becomes of it. */
  readonly call?: string
}

/** A body of some 200 bytes, as a request to a gateway. */
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
