import { describe, expect, test } from 'vitest'
import { isCurrent, NEXT, type RelayFacts, type RelayStatus, relayStatusOf } from './relay-state.ts'

const [ONE, TWO] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
const END = 600_000
const at = new Date(1_000)
const created: RelayFacts = { owner: null, expires_at: new Date(END), sealed_at: null, read_at: null }
const opened: RelayFacts = { ...created, owner: ONE }
const sealed: RelayFacts = { ...opened, sealed_at: at }
const read: RelayFacts = { ...sealed, read_at: at }

describe('relayStatusOf', () => {
  test.each<[string, RelayFacts | undefined, string, RelayStatus]>([
    ['no owner has opened', created, ONE, 'created'],
    ['the owner has opened', opened, ONE, 'opened'],
    ['the owner has sealed', sealed, ONE, 'sealed'],
    ['another has opened', opened, TWO, 'of another'],
    ['another has sealed', sealed, TWO, 'of another'],
    ['was read', read, ONE, 'over'],
    ['was read, to another', read, TWO, 'over'],
    ['does not exist', undefined, ONE, 'over'],
  ])('default: a relay that %s', (_what, relay, owner, status) => {
    expect(relayStatusOf(relay, owner, END - 1)).toBe(status)
  })

  test('behavior: in any state, a relay is over at its end', () => {
    for (const relay of [created, opened, sealed, read]) {
      expect(relayStatusOf(relay, ONE, END)).toBe('over')
      expect(isCurrent(relay, END)).toBe(false)
    }
  })
})

describe('NEXT', () => {
  const no = (refusal: string) => ({ refusal })

  test.each<[RelayStatus, unknown, unknown]>([
    ['created', 'opened', no('relay_unopened')],
    ['opened', 'opened', 'sealed'],
    ['of another', no('relay_of_another'), no('relay_of_another')],
    ['sealed', 'sealed', no('relay_sealed')],
    ['over', no('not_found'), no('not_found')],
  ])('default: a relay that is %s', (status, open, seal) => {
    expect(NEXT[status]).toEqual({ open, seal })
  })

  test('behavior: the outcome of an action is the relay’s next status, and a relay is sealed once', () => {
    expect(NEXT[relayStatusOf(opened, ONE, 0)].seal).toBe(relayStatusOf(sealed, ONE, 0))
    expect(NEXT[relayStatusOf(created, ONE, 0)].open).toBe(relayStatusOf(opened, ONE, 0))
    expect(NEXT[relayStatusOf(sealed, ONE, 0)].open).toBe(relayStatusOf(sealed, ONE, 0))
  })
})
