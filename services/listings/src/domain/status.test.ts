import { readFileSync } from 'node:fs'
import { ListingStatus, StatusAction } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { type Action, notApplicable, TRANSITIONS, transition } from './status.ts'

const ACTIONS: readonly Action[] = [...StatusAction.options, 'verify', 'reject', 'take_down', 'reopen']

/** The table in the form of README.md. */
function readmeTable(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cell = (status: ListingStatus, action: Action) => {
    const next = TRANSITIONS[status][action]
    return next ? `${next.status}, ${next.verification}` : '–'
  }
  return [
    row(['', ...ACTIONS.map((action) => `\`${action}\``)]),
    row(['---', ...ACTIONS.map(() => '---')]),
    ...ListingStatus.options.map((status) => row([`\`${status}\``, ...ACTIONS.map((action) => cell(status, action))])),
  ].join('\n')
}

describe('TRANSITIONS', () => {
  test('default: README.md shows this table', () => {
    expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(readmeTable())
  })

  test('behavior: only a live listing is requested or verified', () => {
    const all = ListingStatus.options.flatMap((status) => ACTIONS.map((action) => TRANSITIONS[status][action]))
    expect(all.filter((next) => next && next.status !== 'live' && next.verification !== 'none')).toEqual([])
  })
})

describe('transition', () => {
  test('behavior: a review is requested once, and granted once', () => {
    expect(transition({ status: 'live', verification: 'none', rejection: null }, 'request_verification')).not.toBeNull()
    expect(
      transition({ status: 'live', verification: 'requested', rejection: null }, 'request_verification'),
    ).toBeNull()
    expect(transition({ status: 'live', verification: 'verified', rejection: null }, 'request_verification')).toBeNull()
    expect(transition({ status: 'live', verification: 'verified', rejection: null }, 'verify')).toBeNull()
  })

  test('behavior: an owner can revise a rejected listing, but only the operator lets it be activated', () => {
    const rejected = { status: 'rejected', verification: 'none', rejection: {} } as const
    const revised = { ...rejected, status: 'draft' } as const
    expect(transition(rejected, 'revise')).toEqual({ status: 'draft', verification: 'none' })
    expect(transition(revised, 'activate')).toBeNull()
    expect(transition(revised, 'reopen')).toEqual({ status: 'draft', verification: 'none' })
    expect(transition({ ...revised, rejection: null }, 'activate')).not.toBeNull()
    expect(transition({ ...revised, rejection: null }, 'reopen')).toBeNull()
  })

  test('behavior: an owner can revise a listing that was taken down, but only the operator lets it be activated', () => {
    const live = { status: 'live', verification: 'verified', rejection: null } as const
    expect(transition(live, 'take_down')).toEqual({ status: 'suspended', verification: 'none' })
    const suspended = { status: 'suspended', verification: 'none', rejection: { kind: 'suspended' } } as const
    expect(transition(suspended, 'take_down')).toBeNull()
    expect(transition(suspended, 'activate')).toBeNull()
    expect(transition(suspended, 'revise')).toEqual({ status: 'draft', verification: 'none' })
    expect(transition({ ...suspended, status: 'draft' }, 'activate')).toBeNull()
    expect(transition(suspended, 'reopen')).toEqual({ status: 'draft', verification: 'none' })
    expect(transition({ ...suspended, status: 'draft' }, 'reopen')).toEqual({ status: 'draft', verification: 'none' })
  })

  test('behavior: the operator can take down a listing that is already suspended, and reopen it only then', () => {
    const suspended = { status: 'suspended', verification: 'none', rejection: null } as const
    expect(transition(suspended, 'reopen')).toBeNull()
    expect(transition(suspended, 'take_down')).toEqual({ status: 'suspended', verification: 'none' })
  })

  test('behavior: an action that may happen once happens once, whatever the table says of the status', () => {
    const live = { status: 'live', verification: 'none', rejection: null } as const
    expect(transition(live, 'request_verification')).toEqual({ status: 'live', verification: 'requested' })
    expect(transition({ ...live, verification: 'requested' }, 'verify')).toEqual({
      status: 'live',
      verification: 'verified',
    })
    expect(transition(live, 'verify')).toEqual({ status: 'live', verification: 'verified' })
  })

  test.each(['suspend', 'reject', 'take_down'] as const)(
    'behavior: a verified listing loses its verification by %s',
    (action) => {
      const verified = { status: 'live', verification: 'verified', rejection: null } as const
      expect(transition(verified, action)?.verification).toBe('none')
    },
  )
})

describe('notApplicable', () => {
  const suspended = { status: 'suspended', verification: 'none' } as const

  test('default: names the state, and the actions that apply', () => {
    expect(notApplicable('activate', suspended, (action) => action === 'revise')).toBe(
      'The action activate does not apply to a listing that is suspended. Possible now: revise.',
    )
    expect(notApplicable('activate', { status: 'live', verification: 'requested' }, () => true)).toBe(
      'The action activate does not apply to a listing that is live with verification requested. Possible now: activate, request_verification, suspend, revise.',
    )
  })

  test('behavior: names none where none applies', () => {
    expect(notApplicable('suspend', suspended, () => false)).toBe(
      'The action suspend does not apply to a listing that is suspended.',
    )
  })
})
