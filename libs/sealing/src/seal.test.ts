import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { open, seal, sealingKeyOf } from './seal.ts'
import { NotOurs } from './suite.ts'

const SECRET = 'a'.repeat(43)
const other = randomBytes(32).toString('base64url')

test('the holder of the secret reads what was sealed to its key, and sealing twice never gives the same text', async () => {
  const key = await sealingKeyOf(SECRET)
  const sealed = await Promise.all([seal(key, 'test', 'grüße'), seal(key, 'test', 'grüße')])
  expect(sealed[0]).not.toBe(sealed[1])
  for (const one of sealed) expect(await open(SECRET, 'test', one)).toBe('grüße')
})

test('one secret has one key, of 32 bytes', async () => {
  const key = await sealingKeyOf(SECRET)
  expect(await sealingKeyOf(SECRET)).toBe(key)
  expect(Buffer.from(key, 'base64url')).toHaveLength(32)
})

test.each([
  ['another secret', { secret: other }],
  ['another purpose', { purpose: 'else' }],
  ['a changed byte', { change: (text: string) => `${text.slice(0, -2)}${text.endsWith('AA') ? 'BB' : 'AA'}` }],
  ['nothing', { change: () => '' }],
  ['what is no base64url', { change: () => '%%%' }],
])('a sealed text does not open with %s', async (_what, given) => {
  const {
    secret = SECRET,
    purpose = 'test',
    change = (text: string) => text,
  } = given as {
    secret?: string
    purpose?: string
    change?: (text: string) => string
  }
  const sealed = await seal(await sealingKeyOf(SECRET), 'test', 'text')
  await expect(open(secret, purpose, change(sealed))).rejects.toBeInstanceOf(NotOurs)
})
