import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorize, buy, fromHeader, paymentPayload, type Requirement, toHeader } from '@callboard/conformance'
import { temporaryFolder } from '@callboard/testkit/folder'
import { programHere } from '@callboard/testkit/servers'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Desk, privateKeyOf, ROOT, run } from './desk.ts'
import { Instance } from './instance.ts'
import { devnetWith, LOSSES, losingFacilitator } from './losing-facilitator.ts'

const PAGE = readFileSync(join(ROOT, 'docs/selling-plain.md'), 'utf8')
/** A line of the page that starts with the given text. */
const line = (beginning: string): string => {
  const [found] = PAGE.split('\n').filter((one) => one.startsWith(beginning))
  if (found === undefined) throw new Error(`The page has no line ${beginning}`)
  return found
}

const instance = new Instance()
let provider: Desk
let payTo: string
beforeAll(async () => {
  await instance.start()
  provider = new Desk(instance)
  await provider.run('provider', 'key')
  payTo = await provider.run('provider', 'splitter')
}, 120_000)
afterAll(() => instance.dispose())

/** The program that `go run` would build each time, and leave running when it is itself ended. */
let built: Promise<string> | undefined
async function build(source: string): Promise<string> {
  const file = join(temporaryFolder('callboard-seller-'), 'seller')
  await run('go', ['build', '-o', file, source], provider.env)
  return file
}

/** Starts a seller by its line on the page. @returns the URL that is sold */
async function sell(program: string, file: string, facilitatorUrl?: string): Promise<string> {
  const [, ...words] = line(`PAY_TO=0x… ${program}`).split(' ').slice(1)
  expect(words.at(-1)).toBe(`docs/examples/plain/${file}`)
  if (program === 'go') built ??= build(words.at(-1) ?? '')
  const [started, given] = built && program === 'go' ? [await built, []] : [program, words]
  if (facilitatorUrl === undefined) return provider.serve(started, given, payTo)
  return new Desk(instance, 'typescript', process.execPath, devnetWith(instance, { facilitatorUrl })).serve(
    started,
    given,
    payTo,
  )
}

const buyer = (account: number) => privateKeyToAccount(privateKeyOf(instance, account))

const asking = (url: string, payment: string) => fetch(url, { headers: { 'payment-signature': payment } })

interface Offered {
  readonly error: string
  readonly accepts: readonly [Requirement]
}
const offered = async (url: string) => (await (await fetch(url)).json()) as Offered

describe.each([
  ['node', 'seller.mjs'],
  ['python3', 'seller.py'],
  ['go', 'seller.go'],
])('a seller in %s, without a library', { timeout: 120_000 }, (name, file) => {
  const found = programHere({ name, debianPackage: name })
  const away = 'closed' in found ? found.closed : undefined

  test.skipIf(away)(
    `puts the same offer in header and body, is payable, and sells${away ? ` (${away})` : ''}`,
    async () => {
      const url = await sell(name, file)
      const asked = line('curl -i').replace('http://127.0.0.1:8601/tides', url)
      expect(await run('sh', ['-c', asked], provider.env)).toMatch(/^HTTP\/1\.[01] 402 /)
      const answer = await fetch(url)
      expect(fromHeader(answer.headers.get('payment-required'))).toEqual(await answer.json())
      expect(await provider.run('provider', 'probe', url)).toContain('payable: true')
      expect(await provider.run('buyer', url)).toMatch(/^200 .*Dover/)
      const { body, payer } = await buy(instance.devnet, buyer(7), url)
      expect({ body, payer }).toMatchObject({ body: { port: 'Dover' }, payer: buyer(7).address })
    },
  )

  test.skipIf(away)(
    'sells once per payment, however many requests present it, and never for an invalid one',
    async () => {
      const url = await sell(name, file)
      const { accepts } = await offered(url)
      const [terms] = accepts
      const payment = toHeader(paymentPayload(terms, await authorize(buyer(8), terms)))
      const answers = await Promise.all(Array.from({ length: 6 }, () => asking(url, payment)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 402, 402, 402, 402, 402])
      expect((await asking(url, payment)).status).toBe(402)
      const once = paymentPayload(terms, await authorize(buyer(8), terms))
      const disguised = Array.from({ length: 6 }, (_, n) => {
        const authorization = { from: buyer(8).address, nonce: `0x${String(n).padStart(64, '0')}` }
        return toHeader({ ...once, Payload: { authorization } })
      })
      const sold = await Promise.all(disguised.map((one) => asking(url, one)))
      expect(sold.map(({ status }) => status).toSorted()).toEqual([200, 402, 402, 402, 402, 402])
      const forged = await authorize(buyer(8), terms, { signer: buyer(9) })
      const refused = await asking(url, toHeader(paymentPayload(terms, forged)))
      expect({ status: refused.status, body: await refused.json() }).toMatchObject({
        status: 402,
        body: { error: 'invalid_exact_evm_signature', accepts },
      })
      const cheap = { ...terms, amount: '1' }
      expect((await asking(url, toHeader(paymentPayload(cheap, await authorize(buyer(8), cheap))))).status).toBe(402)
      for (const text of ['%', toHeader({ x402Version: 2 })]) expect((await asking(url, text)).status).toBe(400)
    },
  )

  test.skipIf(away)('says what PAY_TO is, instead of selling to no one', async () => {
    if (name === 'go') built ??= build(`docs/examples/plain/${file}`)
    const [program, given] = name === 'go' ? [(await built) ?? '', []] : [name, [`docs/examples/plain/${file}`]]
    const failed = await run(program, given, { ...provider.env, PAY_TO: '' }).catch(
      ({ stderr }: { stderr: string }) => stderr,
    )
    expect(failed).toContain('PAY_TO is the address of your splitter')
  })

  test.skipIf(away)('sells a payment that was settled although the facilitator’s answers were lost', async () => {
    const facilitator = await losingFacilitator(instance)
    const url = await sell(name, file, facilitator)
    const { accepts } = await offered(url)
    const payment = toHeader(paymentPayload(accepts[0], await authorize(buyer(8), accepts[0])))
    for (const _ of LOSSES) expect((await asking(url, payment)).status).toBe(503)
    const answer = await asking(url, payment)
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200, body: { port: 'Dover' } })
    expect((await asking(url, payment)).status).toBe(402)
  })

  test.skipIf(away)('answers 503 and never 402 while the facilitator does not answer', async () => {
    const url = await sell(name, file, 'http://127.0.0.1:9/x402')
    const { accepts } = await offered(url)
    const answer = await asking(url, toHeader(paymentPayload(accepts[0], await authorize(buyer(8), accepts[0]))))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  })
})

test('a plain seller’s endpoint is listed like any other', { timeout: 60_000 }, async () => {
  const url = await sell('node', 'seller.mjs')
  expect(await provider.run('provider', 'publish', url)).toBe('tide-tables: draft')
  await provider.run('provider', 'deploy')
  expect(await provider.run('provider', 'activate', 'tide-tables')).toContain('live')
})

test('the offer on the page is the one served, and a test runs each command of the page', async () => {
  const url = await sell('node', 'seller.mjs')
  const [shown = ''] = /^{\n.*?^}$/ms.exec(PAGE) ?? []
  const like = (value: unknown): unknown => (value === '0x…' ? expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) : value)
  const expected = JSON.parse(shown, (_key, value) => like(value))
  expect(await offered(url)).toEqual({ ...expected, resource: { ...expected.resource, url } })
  const commands = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'))
  const starts = ['node', 'python3', 'go'].map((name) => line(`PAY_TO=0x… ${name}`))
  const examples = ['provider.ts probe', 'buyer.ts'].map(
    (words) => `npx node docs/examples/typescript/${words} http://127.0.0.1:8601/tides`,
  )
  expect(commands).toEqual([...starts, line('curl -i'), ...examples])
})
