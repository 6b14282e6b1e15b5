import { agents } from '@callboard/agents'
import { DEVICE_CODE_GRANT } from '@callboard/contract'
import { signedMessage, wallet } from '@callboard/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { addWallet, faultsOf, launchBrowser, type Manner, noBrowser, watch } from './browser.ts'
import { ageSessions, type Edge, startEdge } from './edge.ts'

if (noBrowser) console.warn(`The pages are not tested in a browser: ${noBrowser}.`)

/** An owner's journeys through a real browser, with the real services behind the pages. */
describe.skipIf(noBrowser)('in a browser', { timeout: 60_000 }, () => {
  const owner = wallet(1)
  const manner: { now: Manner } = { now: 'signs' }
  let edge: Edge
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let watched: ReturnType<typeof watch>

  beforeAll(async () => {
    // Sessions are aged directly in the database, which a cached introspection would not show.
    edge = await startEdge(inject('postgresUrl'), { modules: [agents], env: { INTROSPECTION_CACHE_MS: '0' } })
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await edge?.stop()
  })
  beforeEach(async () => {
    manner.now = 'signs'
    context = await browser.newContext()
    await addWallet(context, owner, manner)
    page = await context.newPage()
    watched = watch(page)
  })
  afterEach(() => context.close())

  const post = (path: string, members: Record<string, string>) =>
    fetch(edge.base + path, { method: 'POST', body: new URLSearchParams(members) })

  /** An agent asks to be linked. @returns what it shows its owner, and how it polls */
  async function agentAsks(agent: number) {
    const { nonce } = (await (await fetch(`${edge.base}/api/auth/siwe-nonce?purpose=link`)).json()) as { nonce: string }
    const signed = await signedMessage(wallet(agent), { purpose: 'link', nonce, baseUrl: edge.base })
    const answer = await post('/oauth/device_authorization', {
      ...{ agent_message: signed.message, agent_signature: signed.signature, label: 'a-label', device: 'a-device' },
      ...{ trust_device: 'true', router_allowance_usd: '2.50' },
    })
    const grant = (await answer.json()) as Record<string, string>
    expect(answer.status, JSON.stringify(grant)).toBe(200)
    const { device_code = '', client_id = '', verification_uri_complete: link = '' } = grant
    const poll = () => post('/oauth/token', { grant_type: DEVICE_CODE_GRANT, device_code, client_id })
    return { link, poll, code: grant.user_code ?? '' }
  }

  async function signIn() {
    await page.getByRole('button', { name: 'Sign in with Test <Wallet>' }).click()
    await page.getByRole('button', { name: 'Sign this message' }).click()
  }
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()

  test('an owner follows the agent’s link, signs in, reads, sets a limit and approves; the agent gets its tokens', async () => {
    const agent = await agentAsks(3)
    await page.goto(agent.link)
    expect(await heading()).toBe('Sign in to link an agent')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Sign in with your wallet' }).click()
    await page.getByRole('button', { name: 'Sign in with Test <Wallet>' }).click()
    await page.getByText('Read the message, then sign it.').waitFor()
    expect(await page.locator('#message').textContent()).toContain('Sign in to Callboard as the owner of this wallet.')
    const heard = page.locator('button:focus')
    expect(await heard.textContent()).toBe('Sign this message')
    expect(await heard.getAttribute('aria-describedby'), 'what is signed is read out with the button').toBe('message')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign this message' }).click()
    await page.waitForURL(agent.link)

    expect(await page.locator('strong.code').textContent()).toBe(agent.code)
    expect(await faultsOf(page)).toEqual([])
    await page
      .getByRole('checkbox', { name: /Trust the device/ })
      .isChecked()
      .then((ticked) => expect(ticked).toBe(false))
    await page.getByRole('checkbox', { name: /router.use/ }).check()
    await page.getByLabel(/Daily Router limit/).fill('1.25')
    await page.getByRole('button', { name: 'Approve this agent' }).click()
    await page.getByRole('heading', { name: 'The agent is linked' }).waitFor()
    expect(await page.getByText('A daily Router limit of 1.25 USD').count()).toBe(1)
    expect(await faultsOf(page)).toEqual([])

    const tokens = (await (await agent.poll()).json()) as Record<string, string>
    expect(tokens).toMatchObject({ token_type: 'Bearer', owner_wallet: owner.address, scope: 'mcp:call router.use' })
    expect(watched).toEqual({ complaints: [], origins: new Set([edge.base]) })
  })

  test('an owner who signed in long ago trusts a device: signs again, finds the form as it was left, and approves', async () => {
    const agent = await agentAsks(5)
    await page.goto(`${edge.base}/signin`)
    await signIn()
    await page.getByText('You are signed in as').waitFor()
    const [before] = await context.cookies()
    await ageSessions(edge, 16)
    await page.goto(agent.link)
    await page.getByRole('checkbox', { name: /Trust the device/ }).check()
    await page.getByRole('button', { name: 'Approve this agent' }).click()
    await page.getByRole('heading', { name: 'Sign again to allow this' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await (await agent.poll()).json()).toMatchObject({ error: 'authorization_pending' })

    await page.getByRole('link', { name: 'Sign again with your wallet' }).click()
    await page.getByText('Sign once more with this wallet to continue.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await signIn()
    await page.waitForURL(agent.link)
    await page.getByText('The form is filled in as you left it.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    const ticked = page.getByRole('checkbox', { checked: true })
    expect(await ticked.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value))).toEqual([
      'mcp:call',
      'true',
    ])
    await page.getByRole('button', { name: 'Approve this agent' }).click()
    await page.getByRole('heading', { name: 'The agent is linked' }).waitFor()
    expect(await page.getByText('Trust in the device a-device').count()).toBe(1)

    const after = await context.cookies()
    expect(after.map(({ name }) => name)).toEqual([before?.name])
    expect(after[0]?.value).not.toBe(before?.value)
    const old = await fetch(`${edge.base}/api/auth/session`, {
      headers: { cookie: `${before?.name}=${before?.value}` },
    })
    expect(old.status).toBe(401)
    // The only refusal that a browser reports on its own: the page that asks for a signature is a 403.
    expect(watched.complaints).toEqual([expect.stringContaining('403')])
    expect(watched.origins).toEqual(new Set([edge.base]))
  })

  test('an owner denies without script and with the keyboard alone', async () => {
    const agent = await agentAsks(4)
    await page.goto(`${edge.base}/signin`)
    await signIn()
    await page.getByText('You are signed in as').waitFor()
    const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
    const scriptless = await plain.newPage()
    await scriptless.goto(agent.link)
    const order: string[] = []
    for (let turn = 0; turn < 11; turn += 1) {
      await scriptless.keyboard.press('Tab')
      const focused = scriptless.locator(':focus')
      order.push((await focused.getAttribute('value')) ?? (await focused.textContent()) ?? '')
    }
    expect(order).toEqual([
      ...['Skip to the content', 'Callboard', 'Reference', expect.stringContaining('0x')],
      ...['mcp:call', 'router.use', '0', 'true', 'Not you? Change wallet', 'deny', 'approve'],
    ])
    const [deny, approve] = await Promise.all(
      ['Deny', 'Approve'].map((verb) => scriptless.getByRole('button', { name: `${verb} this agent` }).boundingBox()),
    )
    expect([deny?.width, deny?.height]).toEqual([approve?.width, approve?.height])
    await scriptless.keyboard.press('Shift+Tab')
    await scriptless.keyboard.press('Enter')
    await scriptless.getByRole('heading', { name: 'The agent was denied' }).waitFor()
    expect(await (await agent.poll()).json()).toMatchObject({ error: 'access_denied' })
    await scriptless.goto(agent.link)
    await scriptless.getByRole('heading', { name: 'This code cannot be used' }).waitFor()
    await scriptless.goto(`${edge.base}/signin`)
    await scriptless.getByText('You are signed in as').waitFor()
    expect(await scriptless.locator('main').getByRole('button').count(), 'a button that does nothing').toBe(0)
    await plain.close()
  })

  test.each([
    ['declines', 'You declined in your wallet. Nothing was signed.'],
    ['is busy', 'Your wallet is already asking. Open it to answer.'],
  ] as const)('a wallet that %s gets a calm message, and can be asked again', async (how, sentence) => {
    manner.now = how
    await page.goto(`${edge.base}/signin`)
    await signIn()
    await page.getByText(sentence).waitFor()
    manner.now = 'signs'
    await page.getByRole('button', { name: 'Sign this message' }).click()
    await page.getByText('You are signed in as').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await context.cookies()).toEqual([])
  })

  test('a refused message is answered with the reason', async () => {
    await page.goto(`${edge.base}/signin`)
    await page.getByRole('button', { name: 'Sign in with Test <Wallet>' }).click()
    await page.getByText('Read the message, then sign it.').waitFor()
    const message = (await page.locator('#message').textContent()) ?? ''
    const signature = await owner.signMessage({ message })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ message, signature })
    expect((await fetch(`${edge.base}/api/auth/session`, { method: 'POST', headers, body })).status).toBe(200)
    await page.getByRole('button', { name: 'Sign this message' }).click()
    await page
      .getByText('You are not signed in. The nonce was not issued for login, was already used, or is too old.')
      .waitFor()
    expect(await page.getByRole('button', { name: 'Sign this message' }).count(), 'it would be refused again').toBe(0)
    expect(await page.locator(':focus').textContent()).toBe('Sign in with Test <Wallet>')
    await signIn()
    await page.getByText('You are signed in as').waitFor()
  })

  test('an owner whom the sign-in page cannot sign out is told that they are still signed in', async () => {
    await page.goto(`${edge.base}/signin`)
    await signIn()
    await page.getByText('You are signed in as').waitFor()
    await page.goto(`${edge.base}/signin`)
    for (const fails of [
      () => page.route('**/api/auth/session', (route) => route.abort()),
      () => page.route('**/api/auth/session', (route) => route.fulfill({ status: 503, body: '{}' })),
    ]) {
      await fails()
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByText('Signing out did not work. You are still signed in. Try again.').waitFor()
      await page.unrouteAll()
    }
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'detached' })
    expect(await context.cookies()).toEqual([])
  })

  test('a page opened under another name of this machine is shown at its own address', async () => {
    const elsewhere = edge.base.replace('127.0.0.1', 'localhost')
    await page.goto(`${elsewhere}/signin?return_to=%2Flink`)
    expect(page.url()).toBe(`${edge.base}/signin?return_to=%2Flink`)
    await signIn()
    await page.waitForURL(`${edge.base}/link`)
  })

  test('a browser without a wallet is told that it has none', async () => {
    const bare = await browser.newContext()
    const lonely = await bare.newPage()
    await lonely.goto(`${edge.base}/signin`)
    await lonely.getByRole('heading', { name: 'No wallet was found in this browser' }).waitFor()
    for (const where of ['On a phone:', 'On a computer:', 'The wallet is in another browser']) {
      expect(await lonely.getByText(where).isVisible()).toBe(true)
    }
    expect(await faultsOf(lonely)).toEqual([])
    await bare.close()
  })
})
