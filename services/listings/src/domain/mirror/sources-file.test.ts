import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSourcesText } from './sources-file.ts'

const source = (more: string) => `sources:\n  - ${more}`
const faults = (text: string) => {
  const read = readSourcesText(text)
  return read.ok ? [] : read.faults
}

describe('readSourcesText', () => {
  test('default: accepts the file that docs/mirror.md shows', () => {
    const page = readFileSync(new URL('../../../../../docs/mirror.md', import.meta.url), 'utf8')
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    expect(readSourcesText(text)).toMatchObject({
      ok: true,
      sources: [
        { name: 'neighbour', kind: 'facilitator', filters: { network: 'eip155:8453' }, intervalHours: 12 },
        { name: 'tides', kind: 'well-known', filters: {}, intervalHours: 6 },
      ],
    })
  })

  test('behavior: an empty file has no sources', () => {
    expect(readSourcesText('')).toEqual({ ok: true, sources: [] })
    expect(readSourcesText('sources: []')).toEqual({ ok: true, sources: [] })
  })

  test.each([
    ['what is no YAML', 'sources: [', /^line 1: /],
    ['an unknown kind', source('{ name: a, kind: gopher, url: https://a.example }'), /^line 2: sources\.0\.kind: /],
    [
      'a URL with credentials',
      source('{ name: a, kind: openapi, url: https://me@a.example }'),
      /sources\.0\.url: must not carry/,
    ],
    ['a missing name', source('{ kind: openapi, url: https://a.example }'), /^line 2: sources\.0\.name: /],
    [
      'a filter that there is not',
      source('{ name: a, kind: openapi, url: https://a.example, filters: { q: x } }'),
      /filters/,
    ],
    ['a member that there is not', source('{ name: a, kind: openapi, url: https://a.example, every: 1 }'), /every/],
    [
      'an interval of nothing',
      source('{ name: a, kind: openapi, url: https://a.example, intervalHours: 0 }'),
      /intervalHours/,
    ],
    [
      'a name twice',
      `${source('{ name: a, kind: openapi, url: https://a.example }')}\n  - { name: a, kind: openapi, url: https://b.example }`,
      /^line 3: sources\.1\.name: is there twice/,
    ],
  ])('error: names %s, with its line', (_what, text, fault) => {
    expect(faults(text).join('\n')).toMatch(fault)
  })

  test('error: text that is not YAML is reported with one line per fault', () => {
    expect(faults('sources: [')).toEqual([expect.stringMatching(/^line 1: [^\n]+$/)])
    expect(faults('sources: []\nsources: []\nsources: []')).toEqual([
      ...[expect.stringMatching(/^line 2: [^\n]+$/), expect.stringMatching(/^line 3: [^\n]+$/)],
    ])
  })

  test('error: a text that is no mapping at all is reported without a line', () => {
    expect(faults('7')).toEqual([expect.stringMatching(/^the file: /)])
  })

  test('error: each alias is named with its line, even an undefined one', () => {
    const text = 'sources:\n  - &a { name: a, kind: openapi, url: https://a.example }\n  - *a\n  - *none\n'
    expect(faults(text)).toEqual([
      ...['line 3: *a: sources are written out, without aliases', expect.stringMatching(/^line 4: \*none: /)],
    ])
  })
})
