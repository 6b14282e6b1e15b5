import { expect, test } from 'vitest'
import { versionCache } from './version-cache.ts'

function making() {
  let made = 0
  return async () => {
    made += 1
    return made
  }
}

test('default: a value is kept until the listing has other versions', async () => {
  const [keep, make] = [versionCache<number>(10), making()]
  expect(await keep('a', '1', make)).toBe(1)
  expect(await keep('a', '1', make)).toBe(1)
  expect(await keep('a', '2', make)).toBe(2)
  expect(await keep('a', '1', make)).toBe(3)
})

test('behavior: every listing has its own, and callers that ask meanwhile wait for the same one', async () => {
  const [keep, make] = [versionCache<number>(10), making()]
  expect(await Promise.all([keep('a', '1', make), keep('a', '1', make), keep('b', '1', make)])).toEqual([1, 1, 2])
})

test('behavior: the listings read last are kept', async () => {
  const [keep, make] = [versionCache<number>(2), making()]
  await keep('a', '1', make)
  await keep('b', '1', make)
  expect(await keep('a', '1', make)).toBe(1)
  expect(await keep('c', '1', make)).toBe(3)
  expect(await keep('a', '1', make)).toBe(1)
  expect(await keep('b', '1', make)).toBe(4)
})

test('behavior: a failure is not kept, and keeps no newer value from being kept', async () => {
  const [keep, make] = [versionCache<number>(10), making()]
  const failing = keep('a', '1', () => Promise.reject(new Error('unavailable')))
  expect(await keep('a', '2', make)).toBe(1)
  await expect(failing).rejects.toThrow('unavailable')
  expect(await keep('a', '2', make)).toBe(1)
  await expect(keep('b', '1', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable')
  expect(await keep('b', '1', make)).toBe(2)
})
