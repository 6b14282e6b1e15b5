import type { Hex } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { written } from './domain/block-read.ts'
import { type Certificate, checked } from './domain/certificate.ts'
import { readCertificate } from './read-certificate.ts'

const NETWORK = 'eip155:8453'
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const read = {
  from: 7,
  to: 7,
  endpoint: '1:rpc.example',
  how: 'block',
  parentHash: hash(6),
  hashes: [hash(7)],
} as const
const genuine: Certificate = {
  ...{ format: 'callboard-certificate/1', network: NETWORK, from: 7, to: 7, inner: [] },
  reads: [written(NETWORK, { ...read, logs: 0 }, undefined, '2026-11-20T12:00:00.000Z')],
}
const problemOf = (certificate: unknown) => {
  try {
    return readCertificate(JSON.stringify(certificate)) && 'none'
  } catch (error) {
    return String(error)
  }
}

describe('readCertificate', () => {
  test('default: a certificate as it is printed', () => {
    expect(readCertificate(JSON.stringify(genuine, null, 1))).toEqual(genuine)
    expect(checked(readCertificate(JSON.stringify(genuine))).holds).toBe(true)
  })

  test.each<[string, object, string]>([
    ['a range of nothing', { to: 6, reads: [] }, 'to: is below from'],
    ['a height that is no number, of which no block would be missing', { to: '26_000_000', reads: [] }, 'to: '],
    ['text that acts on a terminal', { network: `${NETWORK}\u001b[2K` }, 'network: '],
    ['an endpoint of two lines', { reads: [{ ...genuine.reads[0], endpoint: '1:a\nblock' }] }, 'reads.0.endpoint: '],
    ['members moved by the end of a line', { reads: [{ ...genuine.reads[0], from: '7\n7' }] }, 'reads.0.from: '],
    ['another format', { format: 'callboard-certificate/2' }, 'format: '],
    ['no reads', { reads: undefined }, 'reads: '],
  ])('error: %s', (_, change, problem) => {
    expect(problemOf({ ...genuine, ...change })).toContain(`It is no certificate: ${problem}`)
  })

  test('error: what is not JSON', () => {
    expect(() => readCertificate('Every block was read.')).toThrow('It is no certificate: it is not JSON.')
  })

  test('behavior: a range of any length is refused at its first missing block', () => {
    const endless = readCertificate(JSON.stringify({ ...genuine, to: Number.MAX_SAFE_INTEGER }))
    expect(checked(endless)).toEqual({ holds: false, because: 'block 8 was not read' })
  })
})
