import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RefusalDeclaration, refusals } from '@callboard/contract'
import type { Logger } from '@callboard/runtime'

/**
 * How long a refused client may keep its side of the connection open. Node no longer watches such a connection, and the
 * shutdown would wait for one that asked for a tunnel.
 */
const LINGER_MS = 2_000

const { headersTooLarge, invalidRequest, methodNotAllowed, requestTimeout } = refusals.edge

/** Logs the answers given here, which no request hook sees. */
type Log = Pick<Logger, 'info'>

/** What Node knows of a connection; it looks at the answer in the same way where there is no listener. */
type Connection = Partial<Pick<Socket, 'bytesRead'>> & { readonly _httpMessage?: ServerResponse | null }

/**
 * Answers a request that Node could not read: there is no request object yet, so it writes raw bytes. Within an answer
 * they would look like a part of it, and to a connection without a request like the answer to its next one, so those
 * are only closed.
 */
export const refuseHead =
  (log: Log) =>
  (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
    const { bytesRead, _httpMessage: begun } = socket as Duplex & Connection
    if (bytesRead === 0 || begun?.headersSent) return void socket.destroy()
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const isTooSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isTooLarge) answer(log, socket, { refusal: headersTooLarge, details: { field: 'headers' } })
    else if (isTooSlow) answer(log, socket, { refusal: requestTimeout, details: {} })
    else answer(log, socket, { refusal: invalidRequest, details: NOT_HTTP })
  }

const NOT_HTTP = { field: 'headers', message: 'The request is not HTTP.' }
const NO_PROXY = { message: 'This server is not a proxy.' }

/** Refuses CONNECT; Node passes such connections only to this listener. */
export function refuseTunnels(server: Server, log: Log): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    answer(log, socket, { refusal: methodNotAllowed, details: NO_PROXY, headers: 'allow: \r\n' })
  })
}

interface Answer {
  readonly refusal: RefusalDeclaration
  readonly details: object
  readonly headers?: string
}

function answer(log: Log, socket: Duplex, { refusal, details, headers = '' }: Answer): void {
  const { code, status, meaning } = refusal
  const requestId = randomUUID()
  log.info({ request_id: requestId, operation: 'none', status }, 'answered')
  const body = JSON.stringify({ error: code, message: meaning, ...details })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-request-id: ${requestId}\r\n${headers}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
