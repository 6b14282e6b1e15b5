import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_ANSWER_BYTES, TooLong } from './answered/gathered-bytes.ts'
import { SseScanner } from './sse.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function scan(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]) {
  const scanner = new SseScanner()
  const frames = []
  let from = 0
  for (let at = 0; from < bytes.length; at += 1) {
    const to = from + Math.max(1, sizes[at % sizes.length] ?? 1)
    frames.push(...scanner.push(bytes.subarray(from, to)))
    from = to
  }
  return [...frames, ...scanner.end()]
}

describe('SseScanner', () => {
  test.each(['\n', '\r\n', '\r'])('default: reads events, comments and names, with %j', (end) => {
    const lines = [
      ': hello',
      '',
      'event: delta',
      'data: {"a":1}',
      '',
      'data:one',
      'data:  two',
      'id: 7',
      '',
      'data',
      '',
      '',
    ]
    const frames = scan(bytesOf(lines.join(end)))
    expect(frames.map(({ event, data }) => [event, data])).toEqual([
      [undefined, undefined],
      ['delta', '{"a":1}'],
      [undefined, 'one\n two'],
      [undefined, ''],
    ])
    expect(frames[1]?.raw).toBe(`event: delta${end}data: {"a":1}${end}${end}`)
  })

  test.each(['data: a\n\r\ndata: b\r\n\n', 'data: a\r\r\ndata: b\n\r', 'data: a\r\n\rdata: b\r\r\n'])(
    'behavior: line ends may differ from line to line: %j',
    (text) => {
      expect(scan(bytesOf(text)).map(({ data }) => data)).toEqual(['a', 'b'])
      expect(scan(bytesOf(text), [1])).toEqual(scan(bytesOf(text)))
    },
  )

  test('behavior: an event is emitted with its last byte', () => {
    const scanner = new SseScanner()
    expect(scanner.push(bytesOf('data: a\n'))).toEqual([])
    expect(scanner.push(bytesOf('\n'))).toHaveLength(1)
    expect(scanner.push(bytesOf('data: b\r\n\r'))).toEqual([])
    expect(scanner.push(bytesOf('\n'))).toEqual([{ raw: 'data: b\r\n\r\n', event: undefined, data: 'b' }])
    expect(scanner.end()).toEqual([])
  })

  test('behavior: an event without its blank line is emitted at the end', () => {
    expect(scan(bytesOf('data: [DONE]'))).toEqual([{ raw: 'data: [DONE]', event: undefined, data: '[DONE]' }])
    expect(scan(bytesOf('data: a\r\r'))).toEqual([{ raw: 'data: a\r\r', event: undefined, data: 'a' }])
  })

  test('behavior: a byte order mark stays in the stream and is not part of a name', () => {
    expect(scan(bytesOf('\uFEFFdata: a\n\n'))).toEqual([{ raw: '\uFEFFdata: a\n\n', event: undefined, data: 'a' }])
  })

  test('behavior: however the stream is split, its events are the same, and together they are the whole stream', () => {
    const piece = fc.constantFrom(
      'data: ',
      'event: x',
      ':',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '€',
      '😀',
      '{"a":"é"}',
      '\uFEFF',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
        (pieces, sizes) => {
          const text = pieces.join('')
          const frames = scan(bytesOf(text), sizes)
          expect(frames.map(({ raw }) => raw).join('')).toBe(text)
          expect(frames).toEqual(scan(bytesOf(text)))
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['one that does not end', ''],
    ['one that ends', '\n\n'],
  ])('error: an event exceeds the longest answer: %s', (_name, end) => {
    expect(() => scan(bytesOf(`data: ${'a'.repeat(MAX_ANSWER_BYTES)}${end}`), [65_536])).toThrow(TooLong)
    expect(() => scan(bytesOf(`data: ${'a'.repeat(MAX_ANSWER_BYTES)}${end}`))).toThrow(TooLong)
  })

  test('behavior: an event that comes byte by byte takes no more memory than one that comes at once', () => {
    const scanner = new SseScanner()
    const byte = bytesOf('a')
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external
    const before = used()
    for (let at = 0; at < 1_000_000; at += 1) scanner.push(byte)
    expect(used() - before).toBeLessThan(150_000_000)
    expect(scanner.end()[0]?.raw).toHaveLength(1_000_000)
  })

  test('behavior: many events in one chunk do not count as one long event', () => {
    expect(scan(bytesOf(`data: ${'a'.repeat(1024)}\n\n`.repeat(2_000)))).toHaveLength(2_000)
  })
})
