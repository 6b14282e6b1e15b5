import type { Socket } from 'node:net'
import { refusals } from '@callboard/contract'

const { headersTooLarge, invalidRequest } = refusals.edge

/** Answers a request whose head Node could not read: there is no request object yet, so the bytes are written here. */
export function refuseHead(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const { code, status, meaning } = isTooLarge ? headersTooLarge : invalidRequest
  const reason = isTooLarge ? 'Request Header Fields Too Large' : 'Bad Request'
  const message = isTooLarge ? meaning : 'The request is not HTTP.'
  const body = JSON.stringify({ error: code, message, field: 'headers' })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
