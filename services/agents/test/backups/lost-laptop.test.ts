import { randomBytes } from 'node:crypto'
import type { BackupEnvelope, OutputOf, agents as operations } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BASE_URL, signedIn } from '../stage.ts'
import { type Face, openFace } from './over-http.ts'
import * as client from './reference-client.ts'

const OWNER = 5
const AGENT = 2
const DEVICE = 'laptop'
const RELAYS = '/api/agents/backup-relays'
const owner = wallet(OWNER)
const place = { owner: owner.address, device: DEVICE }

let face: Face
beforeAll(async () => {
  face = await openFace()
})
afterAll(() => face.close())

const utf8 = (text: string) => new TextEncoder().encode(text)
const jsonOf = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as unknown
async function ok<T>(answer: Promise<Response>, status = 200): Promise<T> {
  const { status: received, ...given } = await answer.then(async (got) => ({
    status: got.status,
    text: await got.text(),
  }))
  expect(received, given.text).toBe(status)
  return (given.text === '' ? undefined : JSON.parse(given.text)) as T
}

/** A program that asks for something: the keys that it keeps, and the link that it shows. */
async function ask(purpose: client.Asked['purpose']) {
  const asked = { purpose, device: DEVICE }
  const { keys, link, publicKey } = await client.newRelay(asked)
  await ok(face.send('POST', RELAYS, {}, { publicKey, code: link.code, ...asked }), 201)
  return { asked, keys, link, shown: client.linkText(BASE_URL, link) }
}
type Program = Awaited<ReturnType<typeof ask>>
type Result = OutputOf<typeof operations.readRelay>

const poll = ({ link }: Program) => ok<Result>(face.send('GET', `${RELAYS}/${link.code}/result`))
async function receive(program: Program): Promise<Uint8Array> {
  const answer = await poll(program)
  if (answer.status !== 'sealed') throw new Error('The owner has not answered')
  return client.openResult(program.keys, program.asked, program.link, answer.result)
}

/** The owner’s browser, which has only the link and the wallet. */
async function answer(shown: string, browser: Readonly<Record<string, string>>, plaintext: () => Promise<Uint8Array>) {
  const link = client.readLink(shown)
  const path = `${RELAYS}/${link.code}`
  const opened = await ok<OutputOf<typeof operations.openRelay>>(face.send('GET', path, browser))
  const sealed = await client.sealResult(opened, link, await plaintext())
  await ok(face.send('PUT', path, browser, sealed), 204)
}

/** Everything stored of backups and relays, with the bytes unencoded. */
async function stored(): Promise<Buffer> {
  const rows = [...(await face.stage.rows('agents.backup')), ...(await face.stage.rows('agents.relay'))]
  const values = rows.flatMap((row) => Object.values(row))
  return Buffer.concat(values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)))))
}

const spellings = (secret: Uint8Array): Buffer[] => {
  const bytes = Buffer.from(secret)
  return [bytes, ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(bytes.toString(form)))]
}

test('a lost laptop’s agents come back with the wallet alone, and the service never sees a key, code or plaintext', async () => {
  const { tokens } = await face.stage.link(AGENT, signedIn(owner.address), { device: DEVICE })
  const token = { authorization: `Bearer ${tokens.access_token}` }
  const browser = await face.signIn(OWNER)
  const privateKey = randomBytes(32)
  const content = {
    ...{ version: 1, createdAt: '2026-11-22T00:00:00.000Z' },
    agents: [{ wallet: wallet(AGENT).address, label: 'scout', privateKey: `0x${privateKey.toString('hex')}` }],
  }
  const secrets: Uint8Array[] = [privateKey, utf8(JSON.stringify(content)), utf8('createdAt')]
  const found = async () => {
    const all = await stored()
    return secrets.flatMap(spellings).filter((secret) => all.includes(secret))
  }

  const asking = await ask('backup-key')
  expect(await poll(asking)).toMatchObject({ status: 'pending', opened: false })
  const backupKeys = await client.backupKeyOf(owner, BASE_URL)
  const ofKey = utf8(JSON.stringify({ version: 1, publicKey: Buffer.from(backupKeys.publicKey).toString('base64url') }))
  await answer(asking.shown, browser, async () => ofKey)
  secrets.push(ofKey, backupKeys.publicKey, backupKeys.privateKey, utf8(asking.link.code), asking.link.salt)
  secrets.push(asking.keys.privateKey)
  expect(await found()).toEqual([])
  const { publicKey } = jsonOf(await receive(asking)) as { publicKey: string }

  const plaintext = client.plaintextOf(content)
  const envelope = await client.sealEnvelope(new Uint8Array(Buffer.from(publicKey, 'base64url')), place, plaintext)
  await ok(face.send('PUT', '/api/agents/self/backup', { ...token, 'if-none-match': '*' }, envelope))
  await ok(face.send('DELETE', `/api/agents/agent_${wallet(AGENT).address.toLowerCase()}`, browser), 204)
  await ok(face.send('PUT', '/api/agents/self/backup', token, envelope), 401)

  const restoring = await ask('restore')
  await answer(restoring.shown, browser, async () => {
    const { backups } = await ok<OutputOf<typeof operations.listBackups>>(
      face.send('GET', '/api/agents/backups', browser),
    )
    expect(backups).toMatchObject([{ device: DEVICE, recipient: envelope.recipient }])
    const kept = await ok<BackupEnvelope>(face.send('GET', `/api/agents/devices/${DEVICE}/backup`, browser))
    return client.openEnvelope(await client.backupKeyOf(owner, BASE_URL), place, kept)
  })
  secrets.push(utf8(restoring.link.code), restoring.link.salt, restoring.keys.privateKey)
  expect(await found()).toEqual([])
  const restored = await receive(restoring)
  expect(restored).toEqual(plaintext)
  expect(jsonOf(restored)).toEqual(content)
  await ok(face.send('GET', `${RELAYS}/${restoring.link.code}/result`), 404)
  expect(await found()).toEqual([])
  // Checks that the search finds what is there.
  expect((await stored()).includes(Buffer.from(envelope.ciphertext, 'base64url'))).toBe(true)
  expect((await stored()).includes(Buffer.from(restoring.keys.publicKey).toString('base64url'))).toBe(true)
})
