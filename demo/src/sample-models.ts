import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answering } from './models/answering.ts'
import { type Call, type OpenCall, openLine } from './models/line.ts'

export type { Call } from './models/line.ts'
export { TROUBLES, type Trouble } from './models/trouble.ts'

export interface SampleModelsOptions {
  /** The first free port when absent. */
  readonly port?: number
  readonly host?: '127.0.0.1'
  /** A different seed gives different texts for the same prompts. */
  readonly seed?: number
  /** Required with every request, as bearer or `x-api-key`; any is accepted when absent. */
  readonly apiKey?: string
}

export interface SampleModels {
  /** Ends in `/v1`, which is omitted for Anthropic's clients. */
  readonly url: string
  /** Every request since the start, in order; the entries change while they are answered. */
  readonly calls: readonly Call[]
  readonly close: () => Promise<void>
}

/**
 * A sample provider of language models: a real HTTP server that speaks the APIs of OpenAI and Anthropic, counts tokens
 * as they do, and answers with sentences of a small Markov chain. Upstream failures are available on request: see
 * `TROUBLES`.
 */
export async function startSampleModels(options: SampleModelsOptions = {}): Promise<SampleModels> {
  const { port = 0, host = '127.0.0.1', seed = 1, apiKey } = options
  const calls: OpenCall[] = []
  const answer = answering({ seed, apiKey })
  const server = createServer((req, res) => {
    const { pathname: path } = new URL(req.url ?? '/', 'http://sample')
    const { headers } = req
    const call: OpenCall = {
      ...{ path, headers, body: undefined, status: 0, frames: 0, aborted: false, abortedAtMs: undefined },
    }
    calls.push(call)
    void answer(req, openLine(res, call), call)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host}:${taken}/v1`,
    calls,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
