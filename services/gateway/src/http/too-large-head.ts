import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RefusalDeclaration, refusals } from '@callboard/contract'

const { headersTooLarge, invalidRequest, methodNotAllowed } = refusals.edge

/** Answers a request whose head Node could not read: there is no request object yet, so the bytes are written here. */
export function refuseHead(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  if (isTooLarge) write(socket, headersTooLarge, { field: 'headers' })
  else write(socket, invalidRequest, { field: 'headers', message: 'The request is not HTTP.' })
}

/** Refuses CONNECT, whose connections Node hands to this listener alone. */
export function refuseTunnels(server: Server): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    write(socket, methodNotAllowed, { message: 'This server is no proxy.' }, 'allow: \r\n')
  })
}

function write(socket: Duplex, { code, status, meaning }: RefusalDeclaration, details: object, headers = ''): void {
  const body = JSON.stringify({ error: code, message: meaning, ...details })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-request-id: ${randomUUID()}\r\n${headers}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
