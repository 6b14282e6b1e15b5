import { describe, expect, test } from 'vitest'
import { largeFunctions } from './large-functions.ts'
import { measureFile } from './measure-file.ts'
import { measures } from './measures.ts'
import { page } from './page.ts'

describe('measureFile', () => {
  const measured = (text: string) => measureFile('a.ts', text)

  test('default: counts lines, and does not count re-exports', () => {
    expect(measured("import { a } from './b.ts'\nexport { a }\nexport * from './c.ts'\n")).toMatchObject({
      lines: 3,
      exports: 0,
      documented: 0,
    })
  })

  test('an export counts as documented if its own comment is right before it', () => {
    const text = `/** One. */
export const one = 1, two = 2
// Not this.
export type Three = 3
/** Of something else. */
const other = 4
export interface Five {}
/** Six. */
export default other
`
    expect(measured(text)).toMatchObject({ exports: 5, documented: 3 })
  })

  test('every form of function is counted: over 40 lines, over three parameters', () => {
    const long = `${'\n'.repeat(40)}`
    const text = `function a(b: 1, c: 2, d: 3, e: 4) {}
const f = () => {${long}}
class G { h() {${'\n'.repeat(39)}} }
export const i = function (j = (k: 1) => k) {}
`
    expect(measured(text)).toMatchObject({ functions: 5, longFunctions: 1, wideFunctions: 1 })
  })
})

test('largeFunctions: lists long and wide functions with place, lines, parameters and first line', () => {
  const text = `const few = (a: 1) => a
function wide(b: 1, c: 2, d: 3, e: 4) {}
  const long = () => {${'\n'.repeat(40)}}
`
  expect(largeFunctions(['a.ts'], () => text)).toEqual([
    'a.ts:2  1  4  function wide(b: 1, c: 2, d: 3, e: 4) {}',
    'a.ts:3  41  0  const long = () => {',
  ])
})

test('measures: counts tests in both places, circles and full folders, per workspace', () => {
  const texts: Record<string, string> = {
    'libs/one/package.json': '{}',
    'libs/one/src/a.ts': 'export const a = 1\n',
    'libs/one/src/b.ts': '/** B. */\nexport const b = 1\n\n\n',
    'libs/one/src/b.test.ts': '\n\n',
    'libs/one/src/made.generated.ts': '\n\n\n\n\n',
    'libs/one/test/stage.ts': '\n',
    'libs/two/package.json': '{}',
    'libs/two/src/c.ts': '\n\n\n\n\n\n\n\n',
  }
  const graph = new Map([
    ['libs/one/src/a.ts', ['libs/one/src/b.ts']],
    ['libs/one/src/b.ts', ['libs/one/src/a.ts']],
  ])
  const measured = measures(Object.keys(texts), graph, (path) => texts[path] ?? '')
  expect(measured).toMatchObject([
    { workspace: 'libs/two', files: 1, lines: 8 },
    {
      workspace: 'libs/one',
      files: 2,
      lines: 5,
      median: 1,
      p90: 4,
      longest: 4,
      testLines: 3,
      circles: 1,
      documented: 1,
    },
  ])
  const duplicates = [['libs/one/a.ts', 'libs/two/b.ts']] as const
  const now = { commit: 'now', day: '2026-11-22', workspaces: measured, duplicates }
  const today = page([now], [{ request: 'GET /x', files: 7 }])
  expect(today).toContain('| `GET /x` | 7 |')
  expect(today).toContain('- `libs/one/a.ts` and `libs/two/b.ts`')
  expect(today).toContain('| libs/one | 2 | 5 | 1/4/4 | 50 % | 0 | 0 | 0.60 | 1 | 0 |')
  expect(page([{ ...now, commit: 'abc1234' }, now], [])).toContain('| abc1234 | 2026-11-22 | 3 | 13 | 50 % |')
})
