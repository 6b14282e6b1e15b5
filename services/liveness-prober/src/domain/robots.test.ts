import { describe, expect, test } from 'vitest'
import { ALL_ALLOWED, isAllowed, NONE_ALLOWED, readRobots } from './robots.ts'

const allows = (text: string, path: string) => isAllowed(readRobots(text), new URL(path, 'https://a.example'))

describe('readRobots', () => {
  test('default: what stands for all', () => {
    const text = 'User-agent: *\nDisallow: /private # not this\n\nSitemap: https://a.example/sitemap.xml'
    expect(allows(text, '/private/a')).toBe(false)
    expect(allows(text, '/public')).toBe(true)
  })

  test('behavior: what names us counts alone, in any case and in several groups', () => {
    const text =
      'User-Agent: CallboardProber\r\nUser-agent: other\r\nDisallow: /a\r\nUser-agent: *\r\nDisallow: /\r\nUser-agent: callboardprober\r\nDisallow: /b'
    expect(['/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([false, false, true])
  })

  test('behavior: a group for others says nothing to us', () => {
    expect(allows('User-agent: other\nDisallow: /', '/a')).toBe(true)
  })

  test('behavior: the longest rule counts, and of two as long the one that allows', () => {
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

  test('behavior: a rule of many stars is held against a long path at once', () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(1_000)}$`
    expect(allows(text, `/${'a'.repeat(2_000)}b`)).toBe(true)
  })

  test('behavior: the delay that it asks for; what is no number is none', () => {
    expect(readRobots('User-agent: *\nCrawl-delay: 2.5').delayMs).toBe(2_500)
    for (const delay of ['soon', '-1', 'Infinity minutes', ''])
      expect(readRobots(`User-agent: *\nCrawl-delay: ${delay}`).delayMs).toBe(0)
  })

  test('behavior: a file of rubbish, or none, forbids nothing; one that cannot be had forbids all', () => {
    expect(readRobots('<html>\u0000</html>')).toEqual(ALL_ALLOWED)
    expect(isAllowed(NONE_ALLOWED, new URL('https://a.example/x'))).toBe(false)
  })
})
