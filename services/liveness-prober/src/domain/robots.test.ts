import { describe, expect, test } from 'vitest'
import { ALL_ALLOWED, forbiddenBecause, isAllowed, NONE_ALLOWED, readRobots, unreachable } from './robots.ts'

const allows = (text: string, path: string) => isAllowed(readRobots(text), new URL(path, 'https://a.example'))

describe('readRobots', () => {
  test('default: the rules for all agents apply', () => {
    const text = 'User-agent: *\nDisallow: /private # not this\n\nSitemap: https://a.example/sitemap.xml'
    expect(allows(text, '/private/a')).toBe(false)
    expect(allows(text, '/public')).toBe(true)
  })

  test('behavior: groups that name us replace all others, in any letter case and over several groups', () => {
    const text =
      'User-Agent: CallboardProber\r\nUser-agent: other\r\nDisallow: /a\r\nUser-agent: *\r\nDisallow: /\r\nUser-agent: callboardprober\r\nDisallow: /b'
    expect(['/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([false, false, true])
  })

  test('behavior: a group for other agents does not apply to us', () => {
    expect(allows('User-agent: other\nDisallow: /', '/a')).toBe(true)
  })

  test('behavior: the longest rule applies, and of two equally long ones the one that allows', () => {
    const text = 'User-agent: *\nDisallow: /\nAllow: /paid\nDisallow: /paid/not\nAllow: /paid/not'
    expect(['/', '/paid', '/paid/not'].map((path) => allows(text, path))).toEqual([false, true, true])
  })

  test.each([
    ['/*.json', '/a/b.json?x', false],
    ['/*.json$', '/a/b.json?x', true],
    ['/*.json$', '/a.json/b.json', false],
    ['/a*b*c$', '/a-b-c', false],
    ['/a*b*c$', '/a-c-b', true],
    ['/a$', '/ab', true],
    ['/a?b=1', '/a?b=12', false],
    ['', '/a', true],
  ])('behavior: Disallow %s of %s: allowed %s', (rule, path, allowed) => {
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(allowed)
  })

  test.each([
    ['/private', '/%70riv%61te', false],
    ['/%70riv%61te', '/private', false],
    ['/ä', '/ä/b', false],
    ['/%c3%a4', '/ä', false],
    ['/a b|c', '/a%20b%7cc', false],
    ['/a%2fb', '/a%2Fb', false],
    ['/a%2fb', '/a/b', true],
    ['/%2a', '/b', true],
    ['/\ud800', '/%EF%BF%BD', false],
    ['/100%', '/100%', false],
  ])('behavior: an octet may be encoded or not: Disallow %s of %s: allowed %s', (rule, path, allowed) => {
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(allowed)
  })

  test('behavior: a rule with many stars is matched against a long path without delay', () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(1_000)}$`
    expect(allows(text, `/${'a'.repeat(2_000)}b`)).toBe(true)
  })

  test('behavior: returns the requested delay, and 0 for one that is not a number', () => {
    expect(readRobots('User-agent: *\nCrawl-delay: 2.5').delayMs).toBe(2_500)
    for (const delay of ['soon', '-1', 'Infinity minutes', ''])
      expect(readRobots(`User-agent: *\nCrawl-delay: ${delay}`).delayMs).toBe(0)
  })

  test('behavior: agents that are named in a row share a group, until its first rule', () => {
    const text = 'User-agent: other\nUser-agent: *\nUser-agent: third\nDisallow: /a\nUser-agent: third\nDisallow: /b'
    expect(['/a', '/b'].map((path) => allows(text, path))).toEqual([false, true])
    expect(allows('User-agent: *\nCrawl-delay: 1\nUser-agent: other\nDisallow: /a', '/a')).toBe(true)
  })

  test('behavior: a group that names us and has no rules allows everything', () => {
    expect(allows('User-agent: *\nDisallow: /\nUser-agent: callboardprober', '/a')).toBe(true)
  })

  test('behavior: rules before any agent apply to no one, and a name that only begins like ours is another’s', () => {
    expect(allows('Disallow: /\nUser-agent: *\nAllow: /x', '/a')).toBe(true)
    expect(allows('User-agent: callboardprober2\nDisallow: /', '/a')).toBe(true)
  })

  test('behavior: a group that names us with our version, as our user agent does, is ours', () => {
    for (const name of ['CallboardProber/1.0', 'callboardprober / 2', 'CallboardProber/1.0 (+https://a.example)'])
      expect(allows(`User-agent: ${name}\nDisallow: /a`, '/a')).toBe(false)
  })

  test('behavior: spaces, capitals, comments and a byte order mark do not matter', () => {
    expect(allows('\ufeffUSER-AGENT : * \n  DISALLOW  :  /a  # all of it: yes', '/a')).toBe(false)
    expect(allows('User-agent: *\n# Disallow: /a\n: /a\nDisallow', '/a')).toBe(true)
    expect(readRobots('User-agent: *\rDisallow: /a\r\nAllow: /b').rules).toEqual([
      { allows: false, path: '/a' },
      { allows: true, path: '/b' },
    ])
  })

  test('behavior: the longest of several delays applies, in milliseconds, and is no rule', () => {
    const text = 'User-agent: *\nCrawl-delay: 2\nCrawl-delay: 3\nCrawl-delay: 1\nRequest-rate: 9'
    expect(readRobots(text)).toEqual({ rules: [], delayMs: 3_000 })
  })

  test('behavior: of an endless file 5,000 lines, 1,000 rules and 512 KiB are read', () => {
    const rules = (count: number) => `User-agent: *\n${'Disallow: /a\n'.repeat(count)}`
    expect([rules(999), rules(1_001)].map((text) => readRobots(text).rules.length)).toEqual([999, 1_000])
    const late = (lines: number) => `User-agent: *${'\n'.repeat(lines)}Disallow: /a`
    expect([late(4_999), late(5_000)].map((text) => readRobots(text).rules.length)).toEqual([1, 0])
    const long = (characters: number) => `#${'x'.repeat(characters)}\nUser-agent: *\nDisallow: /a`
    expect([long(1_000), long(524_288)].map((text) => readRobots(text).rules.length)).toEqual([1, 0])
  })

  test.each([
    ['/a', '/b/a', true],
    ['/a$', '/a', false],
    ['/a*', '/a', false],
    ['/*b*b', '/b', true],
    ['/*b*b', '/b/b', false],
    ['/ab*b$', '/ab', true],
    ['/ab*b$', '/abb', false],
    ['*', '/a', false],
    ['$', '/a', true],
    ['/a$b', '/a$b', false],
  ])(
    'behavior: a rule matches from the beginning and in order: Disallow %s of %s: allowed %s',
    (rule, path, allowed) => {
      expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(allowed)
    },
  )

  test('behavior: a later rule that is shorter, or as long but forbids, changes nothing', () => {
    expect(allows('User-agent: *\nAllow: /ab\nDisallow: /a', '/ab')).toBe(true)
    expect(allows('User-agent: *\nAllow: /a\nDisallow: /a', '/a')).toBe(true)
    expect(allows('User-agent: *\nDisallow: /a\nAllow: /a', '/a')).toBe(true)
  })

  test('behavior: a file without rules, or none, forbids nothing; one that cannot be fetched forbids everything', () => {
    expect(readRobots('<html>\u0000</html>')).toEqual(ALL_ALLOWED)
    expect(isAllowed(NONE_ALLOWED, new URL('https://a.example/x'))).toBe(false)
    expect([ALL_ALLOWED, NONE_ALLOWED]).toEqual([
      { rules: [], delayMs: 0 },
      { rules: [{ allows: false, path: '/' }], delayMs: 0 },
    ])
  })
})

describe('forbiddenBecause', () => {
  const url = new URL('https://a.example/x')

  test('default: is nothing if no rule matches', () => {
    expect(forbiddenBecause(ALL_ALLOWED, url)).toBeUndefined()
  })

  test('behavior: is the rule that forbids it', () => {
    expect(forbiddenBecause(readRobots('User-agent: *\nDisallow: /x'), url)).toBe('robots_disallowed')
    expect(forbiddenBecause(NONE_ALLOWED, url)).toBe('robots_disallowed')
  })

  test.each(['timeout', 'connection_reset', 'not_http', 'unreachable', undefined] as const)(
    'behavior: is that robots.txt cannot be read, because of %s',
    (failure) => expect(forbiddenBecause(unreachable(failure), url)).toBe('robots_unreachable'),
  )

  test.each([
    ...(['dns', 'dns_no_such_name', 'dns_no_address', 'connect_timeout', 'connection_refused', 'no_route'] as const),
    ...(['tls_expired', 'tls_not_yet_valid', 'tls_wrong_host', 'tls_self_signed', 'tls_untrusted'] as const),
    ...(['tls_handshake', 'refused_target'] as const),
  ])('behavior: is the failure that affects the whole origin: %s', (failure) => {
    expect(forbiddenBecause(unreachable(failure), url)).toBe(failure)
    expect(isAllowed(unreachable(failure), url)).toBe(false)
  })
})
