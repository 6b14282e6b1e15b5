import { expect, test } from 'vitest'
import { returnTo } from './return-to.ts'

const ORIGIN = 'https://callboard.example'

test.each(['/', '/link', '/link?user_code=BCDF-GHJK', '/a//b', '/a?u=https://evil.example'])(
  'behavior: %s is a path of our own',
  (path) => expect(returnTo(path, ORIGIN)).toBe(path),
)

test.each([
  undefined,
  '',
  ['/link', '/link'],
  'link',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  '\\/evil.example',
  '/\t/evil.example',
  ' /link',
  '/a b',
  '/\n/evil.example',
  'javascript:alert(1)',
  `/${'a'.repeat(8_448)}`,
])('error: %j leads nowhere', (asked) => expect(returnTo(asked, ORIGIN)).toBeUndefined())
