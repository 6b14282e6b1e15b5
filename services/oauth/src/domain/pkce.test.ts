import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isChallenge, proves } from './pkce.ts'

/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** What a client that ignores the rules sends: the digest of any text. */
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

describe('isChallenge', () => {
  test.each([CHALLENGE, '-'.repeat(43), '_'.repeat(43), `AZaz09${'x'.repeat(37)}`])('default: %s', (text) => {
    expect(isChallenge(text)).toBe(true)
  })

  test.each([
    ['a character short', CHALLENGE.slice(1)],
    ['a character more', `${CHALLENGE}M`],
    ['padding', `${CHALLENGE}=`],
    ['a line break behind it', `${CHALLENGE}\n`],
    ['a space before it', ` ${CHALLENGE}`],
    ['the alphabet of plain base64', `${CHALLENGE.slice(2)}+/`],
    ['nothing', ''],
  ])('error: not %s', (_what, text) => {
    expect(isChallenge(text)).toBe(false)
  })
})

describe('proves', () => {
  test('default: accepts the pair of RFC 7636', () => {
    expect(proves(VERIFIER, CHALLENGE)).toBe(true)
  })

  test.each(['-._~'.repeat(11), 'A'.repeat(43), 'z'.repeat(128)])(
    'default: %s proves its own challenge',
    (verifier) => {
      expect(proves(verifier, challengeOf(verifier))).toBe(true)
    },
  )

  test.each([
    ['the challenge itself, by the method plain', CHALLENGE],
    ['another verifier', `e${VERIFIER.slice(1)}`],
    ['one that has more behind it', `${VERIFIER}a`],
    ['nothing', ''],
  ])('behavior: not %s', (_what, verifier) => {
    expect(proves(verifier, CHALLENGE)).toBe(false)
  })

  test.each([
    ['one of 42 characters', 'a'.repeat(42)],
    ['one of 129 characters', 'a'.repeat(129)],
    ['one with a space before it', ` ${VERIFIER}`],
    ['one with a line break behind it', `${VERIFIER}\n`],
    ['one with a character that is not unreserved', `${VERIFIER}+`],
    ['nothing', ''],
  ])('behavior: not %s, even if the challenge was made from it', (_what, verifier) => {
    expect(proves(verifier, challengeOf(verifier))).toBe(false)
  })

  test('behavior: a verifier proves only its own challenge', () => {
    const verifier = fc.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/)
    fc.assert(
      fc.property(verifier, verifier, (one, other) => {
        expect(proves(one, challengeOf(other))).toBe(one === other)
      }),
    )
  })
})
