import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { payment } from '../../../test/support/listed.ts'
import { howToPay } from './how-to-pay.ts'

const HOSTILE = `{"q":"'; echo pwned; $(id) \`id\` \\\\ \\" \${x} %s !!"}`
const call = (body?: string) => ({
  method: 'POST' as const,
  url: `https://api.example/ask?q=it's`,
  body,
  payment: payment(),
})

/** The words into which a shell splits a command's arguments. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command.replace(/^\S+ /, '')}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')

describe('howToPay', () => {
  test('a third party’s text is one word of the shell', () => {
    expect(wordsOf(howToPay(call(HOSTILE)).curl)).toEqual([
      ...['-i', '-g', '-X', 'POST', `https://api.example/ask?q=it's`, '-H', 'content-type: application/json'],
      ...['--data-raw', HOSTILE],
    ])
    expect(wordsOf(howToPay(call(HOSTILE)).cli)).toEqual([
      ...['callboard', 'pay', `https://api.example/ask?q=it's`, '-X', 'POST', '-H', 'content-type: application/json'],
      ...['-d', HOSTILE, '--max', '0.01', '--asset', `eip155:8453/${payment().asset}`],
    ])
  })

  test('curl calls a third party’s URL once, though it could be read as a list', () => {
    const { curl } = howToPay({ ...call(), url: 'https://api.example/[1-99999]?q={a,b}' })
    expect(wordsOf(curl)).toContain('-g')
    expect(wordsOf(curl)).toContain('https://api.example/[1-99999]?q={a,b}')
  })

  test('a third party’s text is one literal of TypeScript and of Python', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const body = JSON.stringify({ text })
        const { typescript, python, client } = howToPay(call(body))
        const literal = JSON.stringify(body)
        for (const program of [typescript, client]) expect(program).toContain(`  body: ${literal},\n`)
        expect(python).toContain(`content=${literal})\n`)
        expect(JSON.parse(literal)).toBe(body)
      }),
    )
  })

  test('each pays no more than the listing asks, and only in its token', () => {
    const { typescript, python, client } = howToPay(call())
    expect(client).toContain(`SpendingPolicy.parse({ perCallUsd: "0.01" })`)
    expect(client).toContain(`assets: [{ network: "eip155:8453", asset: "${payment().asset}" }]`)
    expect(typescript).toContain(`maxAmountPerPayment: "10000"`)
    expect(python).toContain(`"max_amount_per_payment": "10000"`)
  })

  test('the limits of an hour and of a day are named where their defaults would not allow one call', () => {
    const limits = (amount: string) => {
      const { client } = howToPay({ ...call(), payment: payment({ amount }) })
      return /SpendingPolicy\.parse\(\{ (.*) \}\)/.exec(client)?.[1]
    }
    expect(limits('1000000')).toBe('perCallUsd: "1"')
    expect(limits('1000001')).toBe('perCallUsd: "1.000001", perHourUsd: "1.000001", perDayUsd: "1.000001"')
  })

  test('a call without a body ends with its URL, or with the options that follow it', () => {
    const { curl, cli, typescript, python, client } = howToPay({ ...call(), url: 'https://api.example/ask' })
    expect(curl).toBe(`curl -i -g -X POST 'https://api.example/ask'`)
    const asset = `eip155:8453/${payment().asset}`
    expect(cli).toBe(`npx callboard pay 'https://api.example/ask' -X POST --max 0.01 --asset '${asset}'`)
    expect(typescript).toContain(`("https://api.example/ask", {\n  method: "POST",\n})\n`)
    expect(client).toContain(`pay(wallet, "https://api.example/ask", {\n  method: "POST",\n})\n`)
    expect(python).toContain(`"POST", "https://api.example/ask")\n`)
  })

  test('a call without a body has neither body nor content type', () => {
    for (const text of Object.values(howToPay(call()))) expect(text).not.toMatch(/content-type|body|content=|--data/)
  })
})
