import { expect, test } from 'vitest'
import { ownWordsFault } from './own-words.ts'

test.each([
  'Callboard',
  'callboard',
  'CALL BOARD',
  'The Callboard app',
  'callboard-cli',
  'Cal1b0ard',
  'СаllЬоаrd',
  'Ｃａｌｌｂｏａｒｄ',
  'Cállböard',
  'c.a.l.l.b.o.a.r.d',
])('%s: looks like our own name', (name) => {
  expect(ownWordsFault(name)).toBe('looks like the name of this service')
})

test.each(['Support', 'support-team', 'Official Support', 'The Security Team', 'аdmin', 'Verified'])(
  '%s: says that it speaks for us',
  (name) => {
    expect(ownWordsFault(name)).toBe('says that it speaks for this service')
  },
)

test.each(['Claude Code', 'Acme support bot', 'Security scanner 3', 'a-label', 'Bulletin board', '', 'laptop-7'])(
  '“%s”: is an ordinary name',
  (name) => {
    expect(ownWordsFault(name)).toBeUndefined()
  },
)
