import { withoutCredentials } from '@callboard/evm'
import { SECOND_MS } from '@callboard/values'
import type { EndpointSettings } from './endpoint-settings.ts'
import { ProviderError } from './provider-error.ts'

export interface HttpAnswer {
  readonly status: number
  readonly body: string
  /** From `Retry-After`, in either of its forms. */
  readonly retryAfterMs: number | undefined
}

/**
 * Posts JSON and reads the answer up to the endpoint's limit. Redirects are not followed: the URL is configured. Errors
 * never contain the URL, since it often contains a key.
 * @throws ProviderError `unreachable`, `timeout` or `too_large`; if `signal` aborts, its reason is thrown
 */
export async function post(endpoint: EndpointSettings, body: string, signal: AbortSignal): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(endpoint.timeoutMs)
  try {
    const { url, headers } = withoutCredentials(endpoint.url)
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    return {
      status: response.status,
      body: await boundedText(response, endpoint.maxResponseBytes),
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (signal.aborted) throw signal.reason
    if (timeout.aborted) throw new ProviderError('timeout', `no answer within ${endpoint.timeoutMs} ms`)
    throw new ProviderError('unreachable', 'the endpoint cannot be reached', { cause: error })
  }
}

/** Counts the bytes after decompression. */
async function boundedText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new ProviderError('too_large', `more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** @source RFC 9110, 10.2.3: seconds or an HTTP date */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
