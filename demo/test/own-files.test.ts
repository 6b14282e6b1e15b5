import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sellAsBefore, sellSampleModels } from '../src/models-file.ts'
import { ownText } from '../src/own-file.ts'
import { startSampleModels } from '../src/sample-models.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder('callboard-own-files-')
  file = join(folder, 'router.models.yaml')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const OF_AN_OPERATOR = '# my models\nupstreams: []\nmodels: []\n'

test('a file is the demonstration’s where there is none, or a demonstration wrote it; an operator’s is not', async () => {
  expect(await ownText(file)).toBe('')
  await sellSampleModels(file, 'http://127.0.0.1:9/v1')
  expect(await ownText(file)).toContain('sample-small')
  await sellAsBefore(file, '')
  expect(await ownText(file)).toContain('models: []')
  writeFileSync(file, OF_AN_OPERATOR)
  expect(await ownText(file)).toBeUndefined()
})

test('a second demonstration leaves the Router what the first one sells, until that is over', async () => {
  const first = await startSampleModels()
  onTestFinished(() => first.close().catch(() => {}))
  await sellSampleModels(file, first.url)
  const before = (await ownText(file)) ?? ''
  await sellSampleModels(file, 'http://127.0.0.1:9/v1')
  await sellAsBefore(file, before)
  expect(readFileSync(file, 'utf8')).toBe(before)
  await first.close()
  await sellSampleModels(file, 'http://127.0.0.1:9/v1')
  await sellAsBefore(file, before)
  expect(readFileSync(file, 'utf8')).toContain('models: []')
})

test('what an operator wrote meanwhile stays', async () => {
  await sellSampleModels(file, 'http://127.0.0.1:9/v1')
  writeFileSync(file, OF_AN_OPERATOR)
  await sellAsBefore(file, '')
  expect(readFileSync(file, 'utf8')).toBe(OF_AN_OPERATOR)
  expect(existsSync(`${file}.new`)).toBe(false)
})
