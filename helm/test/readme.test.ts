import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { expect, test } from 'vitest'
import { CHART } from '../src/chart.ts'
import { valuesOf } from './helm.ts'

const readme = readFileSync(join(CHART, 'README.md'), 'utf8')

test('the chart’s README names exactly the existing values and examples', () => {
  const named = (heading: string) => {
    const section = readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
    const cells = section.split('\n').flatMap((line) => line.match(/^\| (`.*?) \|/)?.[1] ?? [])
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).sort()
  }
  expect(named('Values')).toEqual(Object.keys(valuesOf(join(CHART, 'values.yaml'))).sort())
  expect(named('Examples')).toEqual(readdirSync(join(CHART, 'ci')).sort())
})

test('the values of a target that the documents name stand where the chart reads them', () => {
  const values = valuesOf(join(CHART, 'values.yaml'))
  const documents = globSync('docs/{*,rotation/*,runbooks/*}.md', { cwd: ROOT })
  const named = documents.flatMap((document) =>
    [...readFileSync(join(ROOT, document), 'utf8').matchAll(/`(\w+)\.[\w-]+\.(\w+)/g)]
      .map(([path, where = '', member = '']) => ({ document, path, where, member }))
      .filter(({ member }) => member in (values.defaults ?? {})),
  )
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter(({ where }) => !(where in values))).toEqual([])
})
