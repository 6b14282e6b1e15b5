import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Hex } from '@callboard/values'
import { secp256k1 } from '@noble/curves/secp256k1'
import { privateKeyToAddress } from 'viem/accounts'

/** A request to a double. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer: status and text. */
export type Answer = readonly [number, string]

/** A server on loopback that imitates a signing service, with a configurable failure. */
export interface Double {
  readonly url: string
  /** `away`: it answers 503 · `silent`: it never answers · `other_key`: it signs with another key. */
  mode: 'well' | 'away' | 'silent' | 'other_key'
  /** The number of signatures it made. */
  readonly given: () => number
  /** What was wrong with its requests. */
  readonly faults: string[]
  close(): Promise<void>
}

const OTHER_KEY = Buffer.alloc(32, 7)

/**
 * Starts a double that signs digests with a key.
 * @param answer makes its answers; `sign` makes the signature over a digest of 32 bytes, half of the time with the
 * larger s, as a KMS does; a throw is a fault of the caller
 */
export async function startDouble(
  key: Hex,
  answer: (
    asked: Asked,
    sign: (digest: Uint8Array) => InstanceType<typeof secp256k1.Signature>,
  ) => Answer | Promise<Answer>,
): Promise<Double> {
  let given = 0
  const faults: string[] = []
  const sign = (digest: Uint8Array) => {
    if (digest.length !== 32) throw new Error(`a digest of ${digest.length} bytes`)
    given += 1
    const made = secp256k1.sign(digest, double.mode === 'other_key' ? OTHER_KEY : Buffer.from(key.slice(2), 'hex'))
    return given % 2 === 1 ? new secp256k1.Signature(made.r, secp256k1.CURVE.n - made.s) : made
  }
  const server = createServer(async (request, response) => {
    const asked = await askedBy(request)
    if (double.mode === 'silent') return
    const [status, text] = double.mode === 'away' ? ([503, ''] as const) : await judged(asked)
    const type = text.startsWith('{') ? 'application/json' : 'text/plain'
    // Google's metadata server identifies itself by this header.
    response.writeHead(status, { 'content-type': type, 'metadata-flavor': 'Google' }).end(text)
  })
  const judged = async (asked: Asked): Promise<Answer> => {
    try {
      return await answer(asked, sign)
    } catch (error) {
      faults.push((error as Error).message)
      return [400, '']
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: Double = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'well',
    given: () => given,
    faults,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const body = (await buffer(request)).toString()
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return { method: request.method ?? '', path: request.url ?? '', headers, body }
}

export const addressOf = (key: Hex) => privateKeyToAddress(key)

/** @throws Error that says what differs */
export function demand(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what} is ${String(found)}, not ${String(wanted)}`)
}
