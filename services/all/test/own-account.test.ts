import { join } from 'node:path'
import { signedMessage, until, wallet } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { faultsOf, launchBrowser, noBrowser } from '../../gateway/test/browser.ts'
import { Desk, privateKeyOf, run } from './desk.ts'
import { Instance } from './instance.ts'

const instance = new Instance()
beforeAll(() => instance.start(), 120_000)
afterAll(() => instance.dispose())

const text = (html: string) => html.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
const unescaped = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const tokenIn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** An owner in a browser without script, with a wallet of the chain. */
async function signIn(account: number) {
  const { baseUrl } = instance
  const { nonce } = (await (await fetch(`${baseUrl}/api/auth/siwe-nonce?purpose=login`)).json()) as { nonce: string }
  const answer = await fetch(`${baseUrl}/api/auth/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await signedMessage(wallet(account), { purpose: 'login', nonce, baseUrl })),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const open = async (path: string) => (await fetch(baseUrl + path, { headers: { cookie } })).text()
  const send = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ csrf: tokenIn(await open(path)), ...fields })
    return fetch(baseUrl + path, { method: 'POST', body, headers: { cookie, origin: baseUrl } })
  }
  return { cookie, open, send }
}

type Owner = Awaited<ReturnType<typeof signIn>>

/** The lines to copy from the page: how to request a top-up, and how to buy it with the command and with a program. */
async function lines({ open }: Owner): Promise<string[]> {
  const found = [...(await open('/account/router')).matchAll(/<pre>(.*?)<\/pre>/gs)]
  return found.map(([, line = '']) => unescaped(line))
}

test('the page’s commands buy balance of the amount that the owner chooses, and the page shows what is left', {
  timeout: 60_000,
}, async () => {
  const owner = await signIn(6)
  expect(text(await owner.open('/account'))).toContain('Balance left 0 USD. You have not bought any yet.')
  const made = await (await owner.send('/account', { do: 'make-key', what: 'key', label: 'top-up' })).text()
  const CALLBOARD_API_KEY = /<pre>(cb_[\w-]+)<\/pre>/.exec(made)?.[1] ?? ''
  const [curl = '', cli = '', typescript = ''] = await lines(owner)
  const desk = new Desk(instance)
  expect(await run('sh', ['-c', curl], { ...desk.env, CALLBOARD_API_KEY })).toMatch(/^HTTP\/1.1 402/)

  const CALLBOARD_CONFIG_DIR = temporaryFolder('callboard-payer-')
  const bundle = join(inject('programs'), 'callboard.mjs')
  const npx = `npx() { shift; "${process.execPath}" "${bundle}" "$@"; }`
  const policy = `echo '{"perCallUsd":"1"}' > "$CALLBOARD_CONFIG_DIR/policy.json"`
  const payer = { CALLBOARD_CONFIG_DIR, CALLBOARD_API_KEY, CALLBOARD_AGENT_KEY: privateKeyOf(instance, 8) }
  expect(await run('sh', ['-c', `${npx}; ${policy}; ${cli}`], { ...desk.env, ...payer })).toContain(
    '"status":"accepted"',
  )

  const PRIVATE_KEY = privateKeyOf(instance, 9)
  expect(await desk.runText(typescript, { PRIVATE_KEY, CALLBOARD_API_KEY })).toMatch(/^200 .*"status":"accepted"/)
  for (const path of ['/account', '/account/router'])
    expect(text(await owner.open(path))).toContain('Balance left 2 USD of 2 bought; 0 spent.')

  const page = text(await owner.open('/account/router'))
  for (const limit of ['perCallUsd', 'perHourUsd', 'perDayUsd', 'maxAmountPerPayment', '1000000 is 1 USD'])
    expect(page.split('await wrapFetch')[0]).toContain(limit)
  const larger = `echo '{"perCallUsd":"5","perHourUsd":"6","perDayUsd":"6"}' > "$CALLBOARD_CONFIG_DIR/policy.json"`
  const buysFive = (command: string) => command.replaceAll('top-up/1', 'top-up/5')
  expect(await run('sh', ['-c', `${npx}; ${larger}; ${buysFive(cli)}`], { ...desk.env, ...payer })).toContain('"usd":5')
  const program = buysFive(typescript).replace('"1000000"', '"5000000"')
  expect(await desk.runText(program, { PRIVATE_KEY, CALLBOARD_API_KEY })).toMatch(/^200 .*"usd":5/)
})

test('a listing shows where it is found, what keeps it out elsewhere and the fix, and can be taken offline', {
  timeout: 60_000,
}, async () => {
  const [desk, owner] = [new Desk(instance), await signIn(4)]
  expect(text(await owner.open('/account/listings'))).toContain('You have no listings here.')
  await desk.run('provider', 'key')
  const url = await desk.sell(await desk.run('provider', 'splitter'))
  await desk.run('provider', 'publish', url)
  expect(text(await owner.open('/account/listings'))).toMatch(
    /Tide tables draft .* Not shown anywhere: It is a draft\. Activate it: POST \/api\/call\/listings\/tide-tables\/status/,
  )
  await desk.run('provider', 'deploy')
  await desk.run('provider', 'activate', 'tide-tables')
  const page = async () => text(await owner.open('/account/listings'))
  await until('the directory has it', async () => /Shown in search including unreviewed listings/.test(await page()))
  expect(await page()).toMatch(/Not shown in search or the list of services: It is not verified\. .* Ask for a review/)
  expect(text(await owner.open('/account'))).toMatch(/Listings Tide tables live not reviewed tide-tables , 1 endpoint/)

  const csrf = tokenIn(await owner.open('/account/listings'))
  const taken = await owner.send('/account/listings', { suspend: 'tide-tables' })
  expect({ status: taken.status, said: text(await taken.text()) }).toEqual({
    status: 200,
    said: expect.stringMatching(/“Tide tables” is offline\..* Tide tables suspended .*: It is offline\./),
  })
  expect((await owner.send('/account/listings', { csrf, suspend: 'tide-tables' })).status).toBe(409)
  expect((await owner.send('/account/listings', { csrf, suspend: 'x402-decode' })).status).toBe(404)
  const entry = await fetch(`${instance.baseUrl}/api/calls/tide-tables`)
  expect(entry.status).toBe(404)
})

test('an owner ends everything that acts for them in one step, and takes their listings and postings offline', {
  timeout: 60_000,
}, async () => {
  const [desk, owner] = [new Desk(instance), await signIn(4)]
  await desk.run('provider', 'key')
  const url = await desk.sell(await desk.run('provider', 'splitter'))
  // Listed by the test before; its seller is gone.
  const earlier = `${instance.baseUrl}/api/call/listings/tide-tables`
  await fetch(earlier, { method: 'DELETE', headers: { authorization: `Bearer ${desk.key}` } })
  const [slug = ''] = (await desk.run('provider', 'publish', url)).split(':')
  await desk.run('provider', 'deploy')
  await desk.run('provider', 'activate', slug)
  const made = async (fields: Record<string, string>) =>
    /<pre>(cb_[\w-]+)<\/pre>/.exec(await (await owner.send('/account', { do: 'make-key', ...fields })).text())?.[1] ??
    ''
  const apiKey = await made({ what: 'key', label: 'lost' })
  const routerKey = await made({ what: 'router-key', label: 'lost', source: 'compute' })
  const statusWith = async (path: string, bearer: string) =>
    (await fetch(instance.baseUrl + path, { headers: { authorization: `Bearer ${bearer}` } })).status
  const statuses = async () => [
    await statusWith('/api/call/listings/mine', apiKey),
    await statusWith('/v1/key', routerKey),
  ]
  expect(await statuses()).toEqual([200, 200])
  const posted = await fetch(`${instance.baseUrl}/api/call/postings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ kind: 'open_request', title: 'Send me your key', description: 'Not the owner’s words.', category: 'data' },
      ...{
        amountUsd: '250',
        contactUrl: 'https://thief.example/',
        accepts: [{ network: 'eip155:31337', asset: USDC }],
      },
    }),
  })
  const { posting } = (await posted.json()) as { posting: { id: string } }
  const postingStatus = async () => (await fetch(`${instance.baseUrl}/api/call/postings/${posting.id}`)).status
  await until('the posting is shown', async () => (await postingStatus()) === 200)
  expect(text(await owner.open('/account/end?what=everything'))).toContain('can sign in again')
  const answer = await owner.send('/account', { do: 'end-everything', listings: 'true' })
  expect({ status: answer.status, said: text(await answer.text()) }).toEqual({
    status: 200,
    said: expect.stringMatching(
      /Ended: \d+ sessions?, 0 agents, 1 Router key, \d API keys, 0 trusted devices, 1 listing, 1 posting, 0 programs\. Nothing acts/,
    ),
  })
  expect(await statuses()).toEqual([401, 401])
  expect(text(await owner.open('/account'))).toContain('Sign in to see your account')
  const gone = async () => (await fetch(`${instance.baseUrl}/api/calls/${slug}`)).status === 404
  await until('the directory shows it no more', gone)
  await until('nor the posting', async () => (await postingStatus()) === 404)
})

test.each([
  ['another browser makes', () => signIn(5)],
  ['a thief makes with this browser’s own cookie', (owner: Owner) => owner],
])('no key survives that %s while its owner ends everything', { timeout: 60_000 }, async (_who, thiefOf) => {
  const owner = await signIn(5)
  const thief = await thiefOf(owner)
  const { baseUrl } = instance
  const headers = { cookie: thief.cookie, origin: baseUrl, 'content-type': 'application/json' }
  const made: string[] = []
  let isOver = false
  const making = (async () => {
    while (!isOver) {
      const answer = await fetch(`${baseUrl}/api/keys`, { method: 'POST', headers, body: '{"label":"more"}' })
      if (answer.status === 201) made.push(((await answer.json()) as { key: string }).key)
    }
  })()
  await until('the thief has a key', () => made.length > 0)
  const answer = await owner.send('/account', { do: 'end-everything' })
  expect({ status: answer.status, said: text(await answer.text()) }).toMatchObject({ status: 200 })
  isOver = true
  await making
  const worth = made.map(async (key) => {
    const { status } = await fetch(`${baseUrl}/api/call/listings/mine`, { headers: { authorization: `Bearer ${key}` } })
    return status
  })
  expect(new Set(await Promise.all(worth))).toEqual(new Set([401]))
})

test.skipIf(noBrowser)(
  'account pages fit into 320 pixels, in light and dark, without an axe violation',
  {
    timeout: 60_000,
  },
  async () => {
    const browser = await launchBrowser()
    try {
      const [name = '', value = ''] = (await signIn(4)).cookie.split('=')
      const context = await browser.newContext()
      await context.addCookies([{ name, value, url: instance.baseUrl }])
      const page = await context.newPage()
      const ends = '/account/end?what=everything'
      for (const path of ['/account', '/account/router', '/account/listings', ends, '/stake', '/docs/probes']) {
        await page.goto(instance.baseUrl + path)
        expect(await faultsOf(page), path).toEqual([])
      }
    } finally {
      await browser.close()
    }
  },
)
