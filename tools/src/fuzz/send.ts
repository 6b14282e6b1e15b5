import { Agent, request } from 'node:http'

/** A request as it is sent. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Connections are reused, so that the next request meets what one leaves behind. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/**
 * Sends a request unchanged, without following, fixing or decoding anything.
 * @throws Error when there is no answer in time, or the connection ends without one
 */
export function send(baseUrl: string, { method, url, headers, body }: Sent, withinMs: number): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>()
  const { hostname, port } = new URL(baseUrl)
  const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(body.byteLength) }
  const signal = AbortSignal.timeout(withinMs)
  const sent = request(
    { hostname, port, method, path: url, headers: { ...headers, ...length }, agent, signal },
    (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      )
    },
  )
  sent.on('error', (error) => reject(signal.aborted ? new Error(`no answer within ${withinMs / 1000} s`) : error))
  sent.end(body)
  return promise
}

export const closeConnections = (): void => agent.destroy()

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A command that sends the same again. Bytes that a command line cannot hold go through base64. */
export function curlOf(baseUrl: string, { method, url, headers, body }: Sent): string {
  const heads = Object.entries(headers).map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  )
  const command = [
    'curl -sS -i --path-as-is',
    method === 'HEAD' ? '-I' : `-X ${method}`,
    quoted(baseUrl + url),
    ...heads,
  ]
  if (!body) return command.join(' ')
  const text = body.toString()
  if (Buffer.from(text).equals(body) && /^[\x20-\x7e]*$/.test(text)) {
    return [...command, `--data-binary ${quoted(text)}`].join(' ')
  }
  return `base64 -d <<< ${body.toString('base64')} | ${[...command, '--data-binary @-'].join(' ')}`
}
