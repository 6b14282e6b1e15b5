import { DAY_MS, isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { ended, MOST_OPEN_MS, openUntil, type Posting, recordOf, snapshotOf, statusAt } from './posting.ts'

const NOW = Date.parse('2026-11-20T12:30:00.000Z')

describe('the time until which a posting is open', () => {
  test('is thirty days by default', () => {
    expect(openUntil(undefined, NOW)).toBe(NOW + 30 * DAY_MS)
  })

  test('is the requested time, up to the latest that is allowed', () => {
    for (const until of [NOW + 1, NOW + DAY_MS, NOW + MOST_OPEN_MS]) expect(openUntil(isoTime(until), NOW)).toBe(until)
  })

  test('error: now, the past and a time too far ahead are refused with the latest allowed time', () => {
    for (const until of [NOW, NOW - 1, NOW + MOST_OPEN_MS + 1]) {
      expect(openUntil(isoTime(until), NOW)).toMatchObject({
        refusal: 'invalid_request',
        field: 'expiresAt',
        message: expect.stringContaining(isoTime(NOW + MOST_OPEN_MS)),
      })
    }
  })
})

test('an open posting expires at its end time, and time changes no other status', () => {
  expect(statusAt({ status: 'open', expiresAt: NOW + 1 }, NOW)).toBe('open')
  expect(statusAt({ status: 'open', expiresAt: NOW }, NOW)).toBe('expired')
  expect(statusAt({ status: 'closed', expiresAt: NOW }, NOW)).toBe('closed')
  expect(statusAt({ status: 'taken_down', expiresAt: NOW }, NOW)).toBe('taken_down')
})

test('ended: the reason for the end is kept, and where it was posted from is not', () => {
  expect(ended('taken_down', 'It is spam.')).toStrictEqual({
    ...{ status: 'taken_down', endedBecause: 'It is spam.', postedFrom: null },
  })
  expect(ended('closed', null)).toMatchObject({ status: 'closed', endedBecause: null })
})

describe('what is shown of a posting', () => {
  const accepts = [{ network: 'eip155:8453', asset: '0x01' }] as unknown as Posting['accepts']
  const posting: Posting = {
    ...{ id: 'posting_1', version: 3, kind: 'service_offer', owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    ...{ title: 'Translation', description: 'By hand', category: 'data', amountUsd: '250', accepts },
    ...{ contactUrl: 'https://poster.example', status: 'open', endedBecause: null, hasVerifiedListing: true },
    ...{ postedFrom: '192.0.2.0/24', createdAt: NOW - 2, updatedAt: NOW - 1, expiresAt: NOW },
  }
  const shown = {
    ...{ id: 'posting_1', kind: 'service_offer', title: 'Translation', description: 'By hand', category: 'data' },
    ...{ amountUsd: '250', accepts, contactUrl: 'https://poster.example', hasVerifiedListing: true },
    postedBy: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    createdAt: '2026-11-20T12:29:59.998Z',
    updatedAt: '2026-11-20T12:29:59.999Z',
    expiresAt: '2026-11-20T12:30:00.000Z',
  }

  test('is its current status and why it ended, to its owner', () => {
    expect(recordOf(posting, NOW - 1)).toStrictEqual({ ...shown, status: 'open', endedBecause: null })
    expect(recordOf({ ...posting, endedBecause: 'It is spam.' }, NOW)).toMatchObject({
      ...{ status: 'expired', endedBecause: 'It is spam.' },
    })
  })

  test('is its version and its stored status, but not where it was posted from, to other services', () => {
    expect(snapshotOf(posting)).toStrictEqual({ ...shown, version: 3, status: 'open' })
  })
})
