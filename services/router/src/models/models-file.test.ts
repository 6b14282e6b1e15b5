import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readModelsText } from './models-file.ts'

const FILE = `upstreams:
  - { name: provider, baseUrl: https://models.example/v1, shape: openai }
models:
  - id: small
    ownedBy: example
    created: 1790000000
    contextTokens: 8192
    maxOutputTokens: 1024
    capabilities: [chat]
    price: { version: '1', prompt: '0.000001', completion: '0.000002' }
    upstreams: [{ upstream: provider }]
`

const faultsOf = (text: string) => {
  const read = readModelsText(text)
  return read.ok ? [] : read.faults
}

describe('readModelsText', () => {
  test('default: reads a file without faults', () => {
    expect(readModelsText(FILE)).toMatchObject({ ok: true, models: { models: [{ id: 'small' }] } })
  })

  test('default: reads the file that docs/router.md shows', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/router.md'), 'utf8')
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    expect(readModelsText(text)).toMatchObject({ ok: true })
  })

  test.each([
    ['a wrong value', FILE.replace("'0.000001'", '0.000001'), 'line 10: models.0.price.prompt: must be decimal text'],
    ['what is missing', FILE.replace('    ownedBy: example\n', ''), 'line 4: models.0.ownedBy: is missing'],
    [
      'a name that there is not',
      FILE.replace('upstream: provider', 'upstream: other'),
      'line 11: models.0.upstreams.0.',
    ],
    ['no price', FILE.replace(/ {4}price.*\n/, ''), 'line 4: models.0.price: is missing'],
    ['text that is no YAML', FILE.replace('[chat]', '[chat'), 'line 10: '],
    ['a key that stands twice', `${FILE}models: []\n`, 'line 12: Map keys must be unique'],
    ['nothing', '', 'file: must be an object'],
  ])('error: %s is reported with its line', (_name, text, fault) => {
    expect(faultsOf(text)).toEqual(expect.arrayContaining([expect.stringContaining(fault)]))
  })
})
