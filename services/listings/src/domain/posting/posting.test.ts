import { DAY_MS, isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { ended, MOST_OPEN_MS, openUntil, type Posting, recordOf, snapshotOf, statusAt } from './posting.ts'

const NOW = Date.parse('2026-11-20T12:30:00.000Z')

describe('until when it is open', () => {
  test('thirty days when nothing is said', () => {
    expect(openUntil(undefined, NOW)).toBe(NOW + 30 * DAY_MS)
  })

  test('as long as is said, up to the last moment that may be', () => {
    for (const until of [NOW + 1, NOW + DAY_MS, NOW + MOST_OPEN_MS]) expect(openUntil(isoTime(until), NOW)).toBe(until)
  })

  test('error: now, the past, and what lies too far ahead are refused with the last moment that may be', () => {
    for (const until of [NOW, NOW - 1, NOW + MOST_OPEN_MS + 1]) {
      expect(openUntil(isoTime(until), NOW)).toMatchObject({
        refusal: 'invalid_request',
        field: 'expiresAt',
        message: expect.stringContaining(isoTime(NOW + MOST_OPEN_MS)),
      })
    }
  })
})

test('time ends what is open, from its last moment on, and nothing else', () => {
  expect(statusAt({ status: 'open', expiresAt: NOW + 1 }, NOW)).toBe('open')
  expect(statusAt({ status: 'open', expiresAt: NOW }, NOW)).toBe('expired')
  expect(statusAt({ status: 'closed', expiresAt: NOW }, NOW)).toBe('closed')
  expect(statusAt({ status: 'taken_down', expiresAt: NOW }, NOW)).toBe('taken_down')
})

test('ended: what ends a posting is kept, and from where it came is not', () => {
  expect(ended('taken_down', 'It is spam.')).toStrictEqual({
    ...{ status: 'taken_down', endedBecause: 'It is spam.', postedFrom: null },
  })
  expect(ended('closed', null)).toMatchObject({ status: 'closed', endedBecause: null })
})

describe('what is shown of it', () => {
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

  test('its owner sees what it is now, and why it ended', () => {
    expect(recordOf(posting, NOW - 1)).toStrictEqual({ ...shown, status: 'open', endedBecause: null })
    expect(recordOf({ ...posting, endedBecause: 'It is spam.' }, NOW)).toMatchObject({
      ...{ status: 'expired', endedBecause: 'It is spam.' },
    })
  })

  test('other services are told its version and the status that is held, and nothing of where it came from', () => {
    expect(snapshotOf(posting)).toStrictEqual({ ...shown, version: 3, status: 'open' })
  })
})
