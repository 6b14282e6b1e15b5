import { describe, expect, test } from 'vitest'
import { hold, type Preconditions } from './preconditions.ts'

const TAG = '"tag"'

describe('hold', () => {
  test.each<[string, Preconditions, string | undefined]>([
    ['none, and nothing is stored', {}, undefined],
    ['none, and something is stored', {}, TAG],
    ['If-Match with the stored tag', { ifMatch: TAG }, TAG],
    ['If-Match with a list that has it', { ifMatch: `"a", ${TAG},"b"` }, TAG],
    ['If-Match with empty members in the list', { ifMatch: `, "a" ,, ${TAG} ,` }, TAG],
    ['If-Match with a tag that has a comma in it', { ifMatch: '"a", "b,c"' }, '"b,c"'],
    ['If-Match: * and something is stored', { ifMatch: ' * ' }, TAG],
    ['If-None-Match: * and nothing is stored', { ifNoneMatch: '*' }, undefined],
  ])('default: %s', (_what, asked, stored) => {
    expect(hold(asked, stored)).toBe(true)
  })

  test.each<[string, Preconditions, string | undefined]>([
    ['If-Match with another tag', { ifMatch: '"other"' }, TAG],
    ['If-Match with a tag, and nothing is stored', { ifMatch: TAG }, undefined],
    ['If-Match: * and nothing is stored', { ifMatch: '*' }, undefined],
    ['If-None-Match: * and something is stored', { ifNoneMatch: '*' }, TAG],
    ['both, of which only If-Match holds', { ifMatch: TAG, ifNoneMatch: '*' }, TAG],
    ['both, of which only If-None-Match holds', { ifMatch: TAG, ifNoneMatch: '*' }, undefined],
  ])('behavior: not %s', (_what, asked, stored) => {
    expect(hold(asked, stored)).toBe(false)
  })

  test.each([
    ['the weak tag', `W/${TAG}`],
    ['the tag without quotes', 'tag'],
    ['the tag inside another', '"a "tag" b"'],
    ['a * in a list', `*, ${TAG}`],
    ['a list without a comma', `"a" ${TAG}`],
    ['an open quote', `"a, ${TAG}`],
    ['nothing', ''],
  ])('error: If-Match that is %s matches nothing', (_what, ifMatch) => {
    expect(hold({ ifMatch }, TAG)).toBe(false)
  })
})
