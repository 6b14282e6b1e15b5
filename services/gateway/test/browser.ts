import { findChromium } from '@callboard/testkit/servers'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { LocalAccount } from 'viem'

const program = await findChromium()

/** Why no browser is available here; undefined if one is. */
export const noBrowser: string | undefined = 'closed' in program ? program.closed : undefined

export function launchBrowser(): Promise<Browser> {
  if ('closed' in program) throw new Error(program.closed)
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...program.env }).filter((entry): entry is [string, string] => !!entry[1]),
  )
  return chromium.launch({ executablePath: program.file, env })
}

/** How a wallet responds to a request for a signature. */
export type Manner = 'signs' | 'declines' | 'is busy'

/** Adds a wallet with one account to every page of a context, announced per EIP-6963. */
export async function addWallet(context: BrowserContext, account: LocalAccount, manner: { now: Manner }) {
  await context.exposeBinding('askWallet', async (_page, method: string, params: unknown[]) => {
    if (method === 'eth_requestAccounts') return { result: [account.address] }
    if (method === 'eth_chainId') return { result: '0x7a69' }
    if (method !== 'personal_sign') return { code: 4200 }
    if (manner.now === 'declines') return { code: 4001 }
    if (manner.now === 'is busy') return { code: -32_002 }
    return { result: await account.signMessage({ message: { raw: params[0] as `0x${string}` } }) }
  })
  await context.addInitScript(() => {
    type Ask = (method: string, params: unknown[]) => Promise<{ result?: unknown; code?: number }>
    const { askWallet } = window as unknown as { askWallet: Ask }
    const provider = {
      async request({ method, params = [] }: { method: string; params?: unknown[] }) {
        const { result, code } = await askWallet(method, params)
        if (code !== undefined) throw Object.assign(new Error('the wallet refuses'), { code })
        return result
      },
    }
    const info = {
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: 'Test <Wallet>',
      rdns: 'test',
      icon: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    }
    const announce = () =>
      window.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', {
          detail: Object.freeze({ info, provider: Object.freeze(provider) }),
        }),
      )
    window.addEventListener('eip6963:requestProvider', announce)
  })
}

/** Records a page's errors, and every origin that it contacts. */
export function watch(page: Page) {
  const complaints: string[] = []
  const origins = new Set<string>()
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
  })
  return { complaints, origins }
}

/** What axe finds against WCAG 2.2 AA and its own best practices, in light and dark; and what overflows 320 pixels. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      }),
    )
    faults.push(...violations.map(({ id, nodes }) => `${colorScheme}: ${id} at ${nodes[0]?.html}`))
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }))
  if (scrollWidth > 320) faults.push(`${scrollWidth} pixels wide in a window of 320`)
  if (size) await page.setViewportSize(size)
  return faults
}
