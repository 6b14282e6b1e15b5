import { createHmac } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listingChanged, catalog as operations } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCatalog, type TestCatalog } from './support/catalog.ts'
import { snapshot } from './support/facts.ts'

const [OLD, NEW] = ['the old key of the tests is long enough', 'the new key of the tests is long enough']
const folder = temporaryFolder('callboard-link-keys-')
const path = join(folder, 'keys')
let catalog: TestCatalog

beforeAll(async () => {
  writeFileSync(path, OLD)
  catalog = await startCatalog({ LINK_SIGNING_KEY: '', LINK_SIGNING_KEY_FILE: path, SECRETS_LOOK_MS: '20' })
  for (const slug of ['a', 'b']) await catalog.deliver(listingChanged, snapshot(slug))
})
afterAll(async () => {
  await catalog.stop()
  rmSync(folder, { recursive: true })
})

const first = () => catalog.ask(operations.discovery, { limit: '1' })
const opens = async (cursor: string | null) =>
  !isRefusal(await catalog.askAnyway(operations.discovery, { limit: '1', cursor: cursor ?? '' }))
const signedBy = async () => {
  const [query = '', sig] = ((await first()).items[0]?.action.href ?? '').slice('/call/invoke?'.length).split('&sig=')
  const by = (key: string) =>
    createHmac('sha256', key).update(`callboard-invoke/1\n${query}`).digest('base64url') === sig
  return [OLD, NEW].filter(by)
}
const linkOf = async () => (await first()).items[0]?.action.href ?? ''
const opensLink = async (href: string) => {
  const members = Object.fromEntries(new URLSearchParams(href.split('?')[1]))
  return !isRefusal(await catalog.askAnyway(operations.readInvokeLink, members as never))
}
let times = 0
const rotate = async (...keys: string[]) => {
  writeFileSync(path, keys.join())
  times += 1
  await until('the new text serves', async () => {
    const { values } = (await catalog.services.metrics.registry
      .getSingleMetric('callboard_secrets_rotated_total')
      ?.get()) ?? { values: [] }
    return values[0]?.value === times
  })
}

test('a key rotates while cursors and links are in use: the first one signs, all open them, and a removed one opens none', async () => {
  const old = (await first()).nextCursor
  const oldLink = await linkOf()
  expect(await signedBy()).toEqual([OLD])

  await rotate(OLD, NEW)
  expect(await signedBy()).toEqual([OLD])
  expect(await opens(old)).toBe(true)

  await rotate(NEW, OLD)
  expect(await signedBy()).toEqual([NEW])
  const fresh = (await first()).nextCursor
  expect([await opens(old), await opens(fresh)]).toEqual([true, true])
  const freshLink = await linkOf()
  expect(freshLink).not.toBe(oldLink)
  expect([await opensLink(oldLink), await opensLink(freshLink)]).toEqual([true, true])

  await rotate(NEW)
  expect([await opens(old), await opens(fresh)]).toEqual([false, true])
  expect([await opensLink(oldLink), await opensLink(freshLink)]).toEqual([false, true])
})
