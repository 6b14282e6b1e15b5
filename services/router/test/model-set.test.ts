import { mkdirSync, renameSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { expect, test } from 'vitest'
import { ModelSet } from '../src/models/model-set.ts'
import { modelsFile, sold } from './models-file.ts'

const FILE = JSON.stringify(modelsFile('http://127.0.0.1:1/v1', [sold('small', 'ok')]))
let writes = 0

/** Writes a file so that the change is noticed, even within the resolution of the file system's clock. */
function write(file: string, text: string): void {
  writeFileSync(file, text)
  writes += 1
  utimesSync(file, new Date(), new Date(1_700_000_000_000 + writes * 1_000))
}

test('when a file appears, breaks, is fixed and disappears, the models last read whole are sold', async () => {
  const file = join(temporaryFolder('callboard-models-'), 'router.models.yaml')
  const models = new ModelSet(file)
  expect([await models.reload(), models.current.all]).toEqual(['unchanged', []])

  write(file, FILE)
  expect(await models.reload()).toBe('loaded')
  expect(await models.reload()).toBe('unchanged')
  const [model] = models.current.all

  write(file, FILE.replace('"prompt":"0.000001"', '"prompt":0.000001'))
  expect(await models.reload()).toEqual({
    faults: [expect.stringMatching(/^line 1: models\.0\.price\.prompt: must be decimal text/)],
  })
  write(file, ': {')
  expect(await models.reload()).toMatchObject({ faults: [expect.stringMatching(/^line 1: /)] })
  expect(models.current.all).toEqual([model])

  write(file, FILE)
  expect(await models.reload()).toBe('loaded')
  rmSync(file)
  expect(await models.reload()).toBe('unchanged')
  expect(models.current.all).toEqual([model])
})

test('a file that could not be read when it changed is read again', async () => {
  const file = join(temporaryFolder('callboard-models-'), 'router.models.yaml')
  const changedAt = new Date(1_600_000_000_000)
  // A folder has a time of change, and cannot be read.
  mkdirSync(file)
  utimesSync(file, changedAt, changedAt)
  const models = new ModelSet(file)
  const faults = [expect.stringMatching(/^EISDIR/)]
  expect([await models.reload(), await models.reload()]).toEqual([{ faults }, 'unchanged'])
  rmdirSync(file)
  writeFileSync(file, FILE)
  utimesSync(file, changedAt, changedAt)
  expect(await models.reload()).toBe('loaded')
})

test('a file of the same time is read if another replaced it, or if its first reading found only a part', async () => {
  const file = join(temporaryFolder('callboard-models-'), 'router.models.yaml')
  // Reproducible builds and some deployments give every file one time.
  const always = new Date(0)
  const put = (text: string) => {
    writeFileSync(`${file}.new`, text)
    utimesSync(`${file}.new`, always, always)
    renameSync(`${file}.new`, file)
  }
  const models = new ModelSet(file)
  put(FILE)
  expect(await models.reload()).toBe('loaded')
  put(FILE.replaceAll('"small-ok"', '"large-ok"'))
  expect([await models.reload(), models.current.all.map(({ id }) => id)]).toEqual(['loaded', ['large-ok']])
  for (const text of ['', FILE]) {
    writeFileSync(file, text)
    utimesSync(file, always, always)
    await models.reload()
  }
  expect(models.current.all.map(({ id }) => id)).toEqual(['small-ok'])
})
