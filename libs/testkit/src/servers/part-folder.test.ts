import { existsSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { installOnce } from './install-once.ts'
import { partFolder } from './part-folder.ts'
import { programHere } from './programs.ts'

const YESTERDAY = Date.now() / 1_000 - 24 * 3_600

test('what a killed process left of a place is removed, also where the place is there; what is being made is not', async () => {
  const folder = temporaryFolder('callboard-parts-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const place = join(folder, 'redis')
  await installOnce(place, async () => {})
  const [left, made, ofAnother] = [partFolder(place), partFolder(place), partFolder(join(folder, 'redis-server'))]
  for (const part of [left, ofAnother]) utimesSync(part, YESTERDAY, YESTERDAY)
  await installOnce(place, async () => {})
  expect([left, made, ofAnother, place].map((one) => existsSync(one))).toEqual([false, true, true, true])
})

test('a download that was killed is removed by the next run that looks for the program', () => {
  const cache = temporaryFolder('callboard-parts-')
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  const left = partFolder(join(cache, 'debian-redis-server'))
  utimesSync(left, YESTERDAY, YESTERDAY)
  programHere({ name: 'redis-server', debianPackage: 'redis-server' }, cache)
  expect(existsSync(left)).toBe(false)
})
