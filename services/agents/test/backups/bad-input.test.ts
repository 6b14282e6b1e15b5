import { randomBytes } from 'node:crypto'
import { MAX_SEALED_BYTES } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedIn } from '../stage.ts'
import { type Face, openFace } from './over-http.ts'
import { anEnvelope, someCode, someKey, someSealed } from './sealed.ts'

const OWNER = 5
let face: Face
let agent: Record<string, string>
let browser: Readonly<Record<string, string>>
beforeAll(async () => {
  face = await openFace()
  const { tokens } = await face.stage.link(2, signedIn(wallet(OWNER).address), { device: 'laptop' })
  agent = { authorization: `Bearer ${tokens.access_token}` }
  browser = await face.signIn(OWNER)
})
afterAll(() => face.close())

const RELAYS = '/api/agents/backup-relays'
const bytes = (length: number) => randomBytes(length).toString('base64url')
const ZERO = 'A'.repeat(43)
const TAG_BYTES = 16

async function refused(answer: Response, field: string) {
  expect(answer.status).toBe(400)
  const body = await answer.json()
  expect(body).toMatchObject({ error: 'invalid_request', field, message: expect.stringContaining(`${field}: `) })
}

type Wrong = [what: string, change: Record<string, unknown>, field?: string]

const keys = (field: string): Wrong[] => [
  [`${field} of 31 bytes`, { [field]: bytes(31) }],
  [`${field} of 33 bytes`, { [field]: bytes(33) }],
  [`${field} with padding`, { [field]: `${bytes(32)}=` }],
  [`${field} that is base64 and not base64url`, { [field]: `+/${someKey().slice(2)}` }],
  [`${field} with bits behind its last byte`, { [field]: `${someKey().slice(0, -1)}B` }],
  [`${field} that is no text`, { [field]: 1 }],
  [`no ${field}`, { [field]: undefined }],
]

const SEALED: Wrong[] = [
  ['version 2', { version: 2 }],
  ['version 0', { version: 0 }],
  ['version "1"', { version: '1' }],
  ['no version', { version: undefined }],
  ...keys('enc'),
  ['enc that is all zeros', { enc: ZERO }],
  ['a ciphertext that is a byte too long', { ciphertext: bytes(MAX_SEALED_BYTES + TAG_BYTES + 1) }],
  ['a ciphertext that is a tag alone', { ciphertext: bytes(TAG_BYTES) }],
  ['an empty ciphertext', { ciphertext: '' }],
  ['a ciphertext with padding', { ciphertext: `${bytes(100)}==` }],
  ['a ciphertext with a line break', { ciphertext: `${bytes(99)}\n` }],
  ['a ciphertext that no bytes give', { ciphertext: 'a'.repeat(101) }],
  ['no ciphertext', { ciphertext: undefined }],
  ['a member that is not known', { plaintext: 'hello' }],
]

const fieldOf = ([, change, field]: Wrong) => field ?? Object.keys(change)[0] ?? ''

describe('storeBackup', () => {
  const store = (body: object) => face.send('PUT', '/api/agents/self/backup', agent, body)

  test.each<Wrong>([...SEALED, ...keys('recipient')])(
    '400 invalid_request: %s; nothing is stored',
    async (...wrong) => {
      await refused(await store({ ...anEnvelope(), ...wrong[1] }), fieldOf(wrong))
      expect(await face.stage.rows('agents.backup')).toEqual([])
    },
  )

  test('the longest envelope is stored and read back whole', async () => {
    const envelope = anEnvelope(MAX_SEALED_BYTES + TAG_BYTES)
    const answer = await store(envelope)
    expect(answer.status).toBe(200)
    const read = await face.send('GET', '/api/agents/devices/laptop/backup', browser)
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(await read.json()).toEqual(envelope)
    expect((await face.send('DELETE', '/api/agents/devices/laptop/backup', browser)).status).toBe(204)
  })

  test('400 invalid_request: text that cannot be a device’s name', async () => {
    for (const method of ['GET', 'DELETE']) {
      await refused(await face.send(method, '/api/agents/devices/Not%20One/backup', browser), 'device')
    }
  })
})

describe('createRelay', () => {
  test.each<Wrong>([
    ...keys('publicKey'),
    ['a public key that is all zeros', { publicKey: ZERO }],
    ['a code of 21 characters', { code: 'a'.repeat(21) }],
    ['a code of 129 characters', { code: 'a'.repeat(129) }],
    ['a code with other characters', { code: `${'a'.repeat(30)}/` }],
    ['a code that is no text', { code: 1 }],
    ['another purpose', { purpose: 'else' }],
    ['a device that none can be called', { device: 'Not One' }],
    ['a member that is not known', { owner: 'me' }],
  ])('400 invalid_request: %s; nothing is stored', async (...wrong) => {
    const body = { publicKey: someKey(), code: someCode(), device: 'laptop', purpose: 'restore', ...wrong[1] }
    await refused(await face.send('POST', RELAYS, {}, body), fieldOf(wrong))
    expect(await face.stage.rows('agents.relay')).toEqual([])
  })
})

describe('an open relay', () => {
  const code = someCode()
  beforeAll(async () => {
    const body = { publicKey: someKey(), code, device: 'laptop', purpose: 'restore' }
    expect((await face.send('POST', RELAYS, {}, body)).status).toBe(201)
    expect((await face.send('GET', `${RELAYS}/${code}`, browser)).status).toBe(200)
  })

  test.each<Wrong>(SEALED)('400 invalid_request: %s; it can still be sealed', async (...wrong) => {
    const path = `${RELAYS}/${code}`
    await refused(await face.send('PUT', path, browser, { ...someSealed(), ...wrong[1] }), fieldOf(wrong))
    const result = await face.send('GET', `${path}/result`)
    expect(await result.json()).toMatchObject({ status: 'pending', opened: true })
  })

  test('400 invalid_request: text in the path that cannot be a code', async () => {
    for (const wrong of ['short', 'a'.repeat(129), `${'a'.repeat(30)}.`, `${'a'.repeat(30)}%00`]) {
      await refused(await face.send('GET', `${RELAYS}/${wrong}`, browser), 'code')
      await refused(await face.send('PUT', `${RELAYS}/${wrong}`, browser, someSealed()), 'code')
      await refused(await face.send('GET', `${RELAYS}/${wrong}/result`), 'code')
    }
  })
})
