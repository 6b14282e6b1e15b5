import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { oauth as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { addWallet, faultsOf, launchBrowser, noBrowser, watch } from './browser.ts'
import { ageSessions, type Edge, startEdge } from './edge.ts'

/** The program's page when its owner returns. */
const ARRIVED = '<!doctype html><html lang="en"><title>Arrived</title><link rel="icon" href="data:,"><h1>Arrived</h1>'

describe.skipIf(noBrowser)('the consent page in a browser', { timeout: 60_000 }, () => {
  let edge: Edge
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let watched: ReturnType<typeof watch>
  let program: Server
  let redirectUri: string
  let asking: string

  beforeAll(async () => {
    edge = await startEdge(inject('postgresUrl'), { env: { INTROSPECTION_CACHE_MS: '0' } })
    browser = await launchBrowser()
    program = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(ARRIVED),
    )
    await new Promise<void>((listening) => program.listen(0, '127.0.0.1', listening))
    redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
    const client = granted(
      await edge.services.call(operations.register, {
        client_name: 'Some program',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      }),
    )
    asking = `${edge.base}/oauth/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, state: 'kept' },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    })}`
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    program?.close()
    await edge?.stop()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    const [name = '', value = ''] = (await edge.signIn(1)).split('=')
    await context.addCookies([{ name, value, url: edge.base }])
    await addWallet(context, wallet(1), { now: 'signs' })
    page = await context.newPage()
    watched = watch(page)
    await page.goto(asking)
  })
  afterEach(() => context.close())

  /** The browser is at the program with an answer, and had no errors and no requests to other hosts. */
  async function expectArrived(parameter: 'code' | 'error') {
    await page.waitForURL(`${redirectUri}?*`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Arrived')
    const { searchParams } = new URL(page.url())
    expect(searchParams.get(parameter)).toBeTruthy()
    expect(searchParams.get('state')).toBe('kept')
    expect([...watched.origins]).toEqual([edge.base, new URL(redirectUri).origin])
  }

  test('allowed: the browser follows to the program on this computer, without complaints', async () => {
    await page.getByRole('button', { name: 'Allow this program' }).click()
    await expectArrived('code')
    expect(watched.complaints).toEqual([])
  })

  test('denied: the browser stays here, and goes to the program only on another click', async () => {
    await page.getByRole('button', { name: 'Deny this program' }).click()
    await page.getByRole('heading', { name: 'The program was denied' }).waitFor()
    expect([...watched.origins]).toEqual([edge.base])
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: /^Go back to 127\.0\.0\.1/ }).click()
    await expectArrived('error')
    expect(watched.complaints).toEqual([])
  })

  test('an invalid request: the same, with what is wrong', async () => {
    await page.goto(`${asking}&scope=everything`)
    await page.getByRole('heading', { name: 'The program’s request is not valid' }).waitFor()
    expect([...watched.origins]).toEqual([edge.base])
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: /^Go back to 127\.0\.0\.1/ }).click()
    await expectArrived('error')
  })

  test('to publish listings, an owner who signed in long ago signs again, finds their ticks, and continues', async () => {
    await ageSessions(edge, 16)
    const publishing = `${asking}&scope=${encodeURIComponent('mcp:call call.publish')}`
    await page.goto(publishing)
    expect(await page.getByRole('checkbox', { name: /call.publish/ }).isChecked()).toBe(false)
    await page.getByRole('checkbox', { name: /mcp:call/ }).uncheck()
    await page.getByRole('checkbox', { name: /call.publish/ }).check()
    await page.getByRole('button', { name: 'Allow this program' }).click()
    await page.getByRole('heading', { name: 'Sign again to allow this' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Sign again with your wallet' }).click()
    await page.getByRole('button', { name: 'Sign in with Test <Wallet>' }).click()
    await page.getByRole('button', { name: 'Sign this message' }).click()
    await page.waitForURL(publishing)
    expect(await faultsOf(page)).toEqual([])
    expect(await page.getByRole('checkbox', { name: /mcp:call/ }).isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Allow this program' }).click()
    await page.waitForURL(`${redirectUri}?*`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
  })

  test('fits into 320 pixels, in light and dark, without a fault found by axe', async () => {
    expect(await faultsOf(page)).toEqual([])
  })

  test('by keyboard: first what can be ticked, then deny before allow', async () => {
    const focused: string[] = []
    for (let stop = 0; stop < 10; stop += 1) {
      await page.keyboard.press('Tab')
      focused.push(
        await page.evaluate(() => {
          const element = document.activeElement
          return element instanceof HTMLInputElement ? element.value : (element?.textContent ?? '')
        }),
      )
    }
    expect(focused).toEqual([
      ...['Skip to the content', 'Callboard', 'Reference', expect.stringContaining('0x')],
      ...['mcp:call', 'router.use', 'your account page', 'Not you? Change wallet'],
      ...['Deny this program', 'Allow this program'],
    ])
  })
})
