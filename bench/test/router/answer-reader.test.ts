import { expect, test } from 'vitest'
import { AnswerReader } from '../../src/router/answer-reader.ts'

/** Reads an answer in pieces of the given size. @returns after how many bytes it had ended */
function read(answer: string, bytes: number) {
  const body: Buffer[] = []
  const reader = new AnswerReader((piece) => body.push(Buffer.from(piece)))
  const all = Buffer.from(answer)
  for (let at = 0; at < all.length; at += bytes) {
    if (reader.take(all.subarray(at, at + bytes))) {
      return { end: Math.min(at + bytes, all.length), status: reader.status, body: Buffer.concat(body).toString() }
    }
  }
  return { end: undefined, status: reader.status, body: Buffer.concat(body).toString() }
}

const SIZES = [1, 3, 7, 1_000]

test.each(SIZES)('an answer with a length ends with its last byte, in pieces of %i', (bytes) => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
  expect(read(answer, bytes)).toEqual({ end: answer.length, status: 200, body: 'hello' })
})

test.each(SIZES)('an answer in chunks ends with its last chunk, in pieces of %i', (bytes) => {
  const body = '5\r\nhello\r\n0\r\n\r\n'
  const answer = `HTTP/1.1 402 Payment Required\r\ntransfer-encoding: chunked\r\n\r\n${body}`
  expect(read(answer, bytes)).toEqual({ end: answer.length, status: 402, body })
})

test('an answer whose last chunk has not come goes on', () => {
  expect(read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n', 4).end).toBeUndefined()
})
