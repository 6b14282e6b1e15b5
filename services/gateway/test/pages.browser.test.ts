import { randomBytes } from 'node:crypto'
import { agents } from '@callboard/agents'
import { DEVICE_CODE_GRANT, oauth as operations } from '@callboard/contract'
import { granted, signedMessage, wallet } from '@callboard/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { faultsOf, launchBrowser, noBrowser, watch } from './browser.ts'
import { catalogStandIn, SIGNED } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

/** A small phone. */
const PHONE = { width: 360, height: 640 }

/** The pages as people see them, with scripts disabled wherever a page needs none. */
describe.skipIf(noBrowser)('in a browser', { timeout: 60_000 }, () => {
  let edge: Edge
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let watched: ReturnType<typeof watch>
  let consent: string

  beforeAll(async () => {
    edge = await startEdge(inject('postgresUrl'), { modules: [agents, catalogStandIn().module] })
    browser = await launchBrowser()
    const client = granted(
      await edge.services.call(operations.register, {
        client_name: 'A program whose name is as long as names of programs are',
        redirect_uris: ['https://helper.example.com/callback'],
        token_endpoint_auth_method: 'none',
      }),
    )
    consent = `/oauth/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: client.client_id, scope: 'mcp:call router.use call.publish' },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    })}`
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await edge?.stop()
  })
  beforeEach(async () => {
    context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    await signIn(context)
    page = await context.newPage()
    watched = watch(page)
  })
  afterEach(() => context.close())

  async function signIn(to: BrowserContext) {
    const [name = '', value = ''] = (await edge.signIn(1)).split('=')
    await to.addCookies([{ name, value, url: edge.base }])
  }

  /** An agent asks for every scope. @returns the page of the decision */
  const linkPath = async (agent: number) => `/link?user_code=${(await agentAsks(agent)).user_code}`

  async function agentAsks(agent: number) {
    const { nonce } = (await (await fetch(`${edge.base}/api/auth/siwe-nonce?purpose=link`)).json()) as { nonce: string }
    const signed = await signedMessage(wallet(agent), { purpose: 'link', nonce, baseUrl: edge.base })
    const answer = await fetch(`${edge.base}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ agent_message: signed.message, agent_signature: signed.signature, trust_device: 'true' },
        ...{ label: 'an-agent-with-a-long-label-of-32', device: 'a-device-with-a-long-label-of-32' },
        ...{ scope: 'mcp:call router.use call.publish', router_allowance_usd: '2.50' },
      }),
    })
    return (await answer.json()) as Record<'user_code' | 'client_id' | 'device_code', string>
  }

  /** An approved agent stores bytes that look like a sealed backup. */
  async function storeBackup({ client_id, device_code }: { client_id: string; device_code: string }) {
    const body = new URLSearchParams({ grant_type: DEVICE_CODE_GRANT, device_code, client_id })
    const tokens = await fetch(`${edge.base}/oauth/token`, { method: 'POST', body })
    const { access_token } = (await tokens.json()) as { access_token: string }
    const some = (bytes: number) => randomBytes(bytes).toString('base64url')
    const stored = await fetch(`${edge.base}/api/agents/self/backup`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, enc: some(32), recipient: some(32), ciphertext: some(100) }),
    })
    expect(stored.status).toBe(200)
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  test.each([
    ['linking', () => linkPath(3)],
    ['consent', async () => consent],
  ])('the buttons of the %s page are within the first two screens of a small phone', async (_which, path) => {
    await page.goto(edge.base + (await path()))
    const buttons = page.locator('.choices button')
    expect(await buttons.count()).toBe(2)
    for (const one of await buttons.all()) {
      const box = await one.boundingBox()
      expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThanOrEqual(2 * PHONE.height)
    }
  })

  test('what an owner linked is ended without script, by keyboard alone', async () => {
    await page.goto(edge.base + (await linkPath(4)))
    await button('Approve this agent').press('Enter')
    await page.getByRole('link', { name: 'Your account page' }).press('Enter')
    await page.getByRole('heading', { name: 'an-agent-with-a-long-label-of-32' }).waitFor()
    await page.getByRole('button', { name: /^End an-agent-with-a-long-label-of-32 0x\w{4}…\w{4}$/ }).press('Enter')
    await page.getByRole('heading', { name: /^End the agent/ }).waitFor()
    await button('End it').press('Enter')
    await page.getByRole('status').getByText('Its tokens and Router keys stopped working.').waitFor()
    expect(await page.getByText('No agent acts for you.').count()).toBe(1)
    expect(watched).toEqual({ complaints: [], origins: new Set([edge.base]) })
  })

  test('the backup of a device is deleted without script, by keyboard alone', async () => {
    const agent = await agentAsks(6)
    await page.goto(`${edge.base}/link?user_code=${agent.user_code}`)
    await button('Approve this agent').press('Enter')
    await page.getByRole('heading', { name: 'The agent is linked' }).waitFor()
    await storeBackup(agent)
    const scripted = await browser.newContext()
    await signIn(scripted)
    const seen = await scripted.newPage()
    for (const path of ['/account', '/account/end?what=backup&id=a-device-with-a-long-label-of-32']) {
      await seen.goto(edge.base + path)
      expect(await faultsOf(seen), path).toEqual([])
    }
    await scripted.close()
    await page.goto(`${edge.base}/account`)
    await button('Delete the backup of a-device-with-a-long-label-of-32').press('Enter')
    await page.getByRole('heading', { name: /^End the backup of/ }).waitFor()
    await button('End it').press('Enter')
    await page.getByRole('status').getByText('It is deleted.').waitFor()
    expect(await page.getByText('None of your agents has stored a backup of its device.').count()).toBe(1)
    expect(watched).toEqual({ complaints: [], origins: new Set([edge.base]) })
  })

  test('an API key is made without script, and the page links back to where it is listed', async () => {
    await page.goto(`${edge.base}/account`)
    await page.getByText('Make an API key').click()
    await page.getByLabel('A name to recognise it by').first().fill('my program')
    await button('Make the API key').click()
    await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
    expect(await page.locator('pre').first().textContent()).toMatch(/^cb_key_/)
    await page.getByRole('link', { name: 'Back to your account' }).click()
    await page.getByRole('heading', { name: 'my program' }).waitFor()
    expect(watched).toEqual({ complaints: [], origins: new Set([edge.base]) })
  })

  test('the directory is searched without script, by keyboard alone', async () => {
    await page.goto(edge.base)
    await page.getByRole('searchbox').fill('weather')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Results for “weather”' }).waitFor()
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Weather forecast',
      'Weather history',
    ])
    expect(watched).toEqual({ complaints: [], origins: new Set([edge.base]) })
  })

  test('a call’s own page is reached from its listing, by keyboard alone, and asks nobody else', async () => {
    await page.goto(`${edge.base}/call/forecast`)
    await page.getByRole('link', { name: /^This call on a page of its own/ }).press('Enter')
    await page.getByRole('heading', { name: 'How to call it and pay' }).waitFor()
    expect(await page.locator('pre.whole').count()).toBe(5)
    await page.locator('pre.whole').first().click()
    expect(watched).toEqual({ complaints: [], origins: new Set([edge.base]) })
  })

  test('the first tab stop of every page skips to its content', async () => {
    await page.goto(`${edge.base}/account`)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    expect(await page.locator(':focus').boundingBox()).toMatchObject({ x: 0, y: 0 })
  })

  test('each page fits into 320 pixels, in light and dark, without a fault found by axe', async () => {
    const scripted = await browser.newContext()
    await signIn(scripted)
    await edge.newKey((await scripted.cookies()).map(({ name, value }) => `${name}=${value}`).join())
    const seen = await scripted.newPage()
    const paths = [
      ...['/', '/?q=weather', '/?q=nothing-like-it', '/account', '/account/end?what=sessions', '/link', '/signin'],
      ...[
        '/docs',
        '/call/forecast',
        SIGNED,
        SIGNED.replace('sig=good', 'sig=unpayable'),
        SIGNED.replace('sig=good', 'sig=bad'),
        '/activity',
        `/activity?address=0x${'aa'.repeat(20)}`,
        await linkPath(5),
        consent,
        `${consent}+everything`,
      ],
    ]
    for (const path of paths) {
      await seen.goto(edge.base + path)
      if (path === '/account') await seen.getByText('Make an API key').click()
      expect(await faultsOf(seen), path).toEqual([])
    }
    await scripted.close()
  })
})
