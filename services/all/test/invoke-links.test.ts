import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findPython } from '@callboard/testkit/servers'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Desk, EXAMPLES, privateKeyOf, ROOT, run } from './desk.ts'
import { type Received, startHostileSeller } from './hostile-seller.ts'
import { environment, Instance } from './instance.ts'

const python = await findPython(join(EXAMPLES, 'python/requirements.txt'))

const instance = new Instance()
let seller: Awaited<ReturnType<typeof startHostileSeller>>
let desk: Desk
beforeAll(async () => {
  await instance.start()
  desk = new Desk(instance)
  await desk.run('provider', 'key')
  await desk.run('provider', 'deploy')
  seller = await startHostileSeller(instance.devnet, await desk.run('provider', 'splitter'))
}, 120_000)
afterAll(async () => {
  await seller?.close()
  await instance.dispose()
})

/** Every character that a shell, a program or HTML may read as more than text, as far as a URL may have it. */
const PATH = `/it's/$(touch pwned)/;touch+pwned;&&|/"x"/\`id\`/%00%0a/[1-3]/{a,b}/<i>/\${x}/%2527?q='$(touch\${IFS}pwned)'&b=\`id\`&c="\\x"&d=</pre><script>alert(1)</script>&e=\${HOME}!!`
const BODY = { q: `'; touch pwned; $(touch pwned) \`touch pwned\` \\ \\" \${process.exit(1)} %s !! </pre><script>` }

async function ask(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${desk.key}`, 'content-type': 'application/json' }
  const answer = await fetch(instance.baseUrl + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect([path, answer.ok, answer.ok || (await answer.clone().text())]).toEqual([path, true, true])
  return answer.json()
}

/** Lists one call of the seller and takes it live. @returns its slug, and its link as the directory shows it */
async function list(name: string, operation: { method: string; url: string; sample?: object }) {
  const owner = privateKeyToAccount(privateKeyOf(instance, 4))
  const { message } = await ask('GET', `/api/call/listings/payout-nonce?wallet=${owner.address}`)
  const { listing } = await ask('POST', '/api/call/listings', {
    ...{ name, description: `${name} <b>`, category: 'data', operations: [{ name: 'Call <b>', ...operation }] },
    ...{ payoutWallet: owner.address, network: instance.devnet.network, message },
    signature: await owner.signMessage({ message }),
  })
  await ask('POST', `/api/call/listings/${listing.slug}/status`, { action: 'activate' })
  const found = async () => {
    const { items } = await ask('GET', `/api/call/discovery?includeUnverified=true&q=${name}`)
    return (items as { ref: string; action: { href: string } }[]).find(({ ref }) => ref === listing.slug)
  }
  await until('it is found', async () => (await found()) !== undefined, 30_000)
  return { slug: listing.slug as string, href: (await found())?.action.href ?? '' }
}

/** The texts to copy of a page, as its reader gets them. */
async function textsOf(href: string): Promise<string[]> {
  const html = await (await fetch(instance.baseUrl + href)).text()
  const read = (text: string) => text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => CHARACTERS[name] ?? '')
  return [...html.matchAll(/<pre class="whole">([^<]*)<\/pre>/g)].map(([, text = '']) => read(text))
}
const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** A buyer’s folder, in which packages are found as in ours. */
function buyersFolder(): string {
  const folder = temporaryFolder('callboard-buyer-')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs a text of the page in a buyer's folder. @returns what it printed */
async function runIn(folder: string, [program, ...words]: [string, ...string[]]): Promise<string> {
  const key = privateKeyOf(instance, 8)
  const keys = { PRIVATE_KEY: key, CALLBOARD_AGENT_KEY: key, CALLBOARD_CONFIG_DIR: folder }
  const env = { ...environment(), ...('env' in python ? python.env : {}), ...keys }
  return run('sh', ['-c', 'cd "$1"; shift; exec "$@"', 'sh', folder, program, ...words], env)
}

const inNode = (text: string): [string, ...string[]] => [process.execPath, '--input-type=module', '-e', text]
const npx = () => `npx() { shift; "${process.execPath}" "${join(inject('programs'), 'callboard.mjs')}" "$@"; }`

const byBuyers = (received: readonly Received[]) => received.filter(({ userAgent }) => !userAgent.includes('Callboard'))

test.each([
  ['POST', { sample: { body: BODY } }, JSON.stringify(BODY)],
  ['GET', {}, ''],
])(
  'every text of the page of a hostile %s call makes that call and no other, and pays it once',
  { timeout: 120_000 },
  async (method, more, body) => {
    const url = new URL(PATH, seller.origin).href
    const { href } = await list(`hostile${method}`, { method, url, ...more })
    const before = byBuyers(seller.received).length
    const [cli = '', client = '', typescript = '', inPython = '', curl = '', ...others] = await textsOf(href)
    expect([others, byBuyers(seller.received).length]).toEqual([[], before])
    const folder = buyersFolder()
    const asked = { method, url: url.slice(seller.origin.length), body }
    const lastOf = async (words: [string, ...string[]]) => {
      const printed = await runIn(folder, words)
      const { userAgent: _, ...last } = byBuyers(seller.received).at(-1) as Received
      return { printed, last }
    }

    const offered = await lastOf(['sh', '-c', curl])
    expect(offered).toEqual({ printed: expect.stringMatching(/^HTTP\/1\.1 402 /), last: { ...asked, isPaid: false } })
    const sold = { ...asked, isPaid: true }
    const byCommand = await lastOf(['sh', '-c', `${npx()}; ${cli}`])
    expect(byCommand).toEqual({ printed: '{"sold":true}', last: sold })
    expect(await lastOf(inNode(client))).toEqual({ printed: '200 settled {"sold":true}', last: sold })
    expect(await lastOf(inNode(typescript))).toEqual({ printed: '200 {"sold":true}', last: sold })
    if ('file' in python)
      expect(await lastOf([python.file, '-c', inPython])).toEqual({ printed: '200 {"sold":true}', last: sold })
    expect(readdirSync(folder)).not.toContain('pwned')
  },
)

test('a link ends with its listing, and opens again with it; one that was changed opens nothing', {
  timeout: 60_000,
}, async () => {
  const { slug, href } = await list('ending', { method: 'GET', url: `${seller.origin}/ending` })
  const opened = (path: string) => fetch(instance.baseUrl + path)
  const statusOf = async () => (await opened(href)).status
  expect(await statusOf()).toBe(200)
  const changed = await opened(href.replace('method=GET', 'method=POST'))
  expect([changed.status, await changed.text()]).toEqual([400, expect.stringContaining(`href="/call/${slug}"`)])
  await ask('POST', `/api/call/listings/${slug}/status`, { action: 'suspend' })
  await until('it is offline', async () => (await statusOf()) === 404, 30_000)
  for (const action of ['revise', 'activate']) await ask('POST', `/api/call/listings/${slug}/status`, { action })
  await until('it is live', async () => (await statusOf()) === 200, 30_000)
})
