import type { Operation } from '@callboard/contract'
import { expect } from 'vitest'
import type { Answer } from '../actors/client.ts'
import { seen } from '../coverage/seen.ts'
import { expectEdge, expectLimits } from './expectations.ts'

/** One server-sent event. */
export interface Frame {
  /** Absent where the stream gives no event name. */
  readonly event: string | undefined
  readonly data: string
}

/** The answer is the operation's success as a stream of server-sent events. @returns all of its events */
export function acceptedStream(op: Operation, answer: Answer): Frame[] {
  if (!op.http) throw new Error(`${op.id} has no HTTP face`)
  expect(answer.status, answer.text).toBe(op.http.ok)
  seen.noteAnswer(op.id)
  expectEdge(op, answer)
  expectLimits(op.http, answer)
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream\b/)
  expect(answer.headers.get('cache-control')).toMatch(/\bno-store\b/)
  expect(answer.text.endsWith('\n\n'), 'the last event is whole').toBe(true)
  return framesOf(answer.text)
}

/** Leaves out comments, which only keep a connection open. */
function framesOf(text: string): Frame[] {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    const valuesOf = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    const data = valuesOf('data')
    return data.length > 0 ? [{ event: valuesOf('event')[0], data: data.join('\n') }] : []
  })
}
