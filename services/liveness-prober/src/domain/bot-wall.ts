import type { ProbeFinding } from '@callboard/contract'
import { type Answer, firstValue, isPage } from './answer.ts'

export type BotWallFinding = Extract<ProbeFinding, `bot_wall${string}`>

/**
 * Which bot wall answered in the origin's place; undefined for what the origin answers itself, also where it stands behind
 * a wall that let the request pass. An offer of the origin counts before this: no wall makes one.
 */
export const botWallOf = (answer: Answer): BotWallFinding | undefined =>
  WALLS.find(([, isItsAnswer]) => isItsAnswer(read(answer)))?.[0]

/** An answer as walls are told by it. */
interface Seen {
  readonly status: number
  readonly header: (name: string) => string
  /** The beginning of a web page; empty for anything else. */
  readonly page: string
  /** The beginning of the body, of whatever kind. */
  readonly text: string
}

const read = ({ status, headers, bodyText }: Answer): Seen => ({
  status,
  header: (name) => firstValue(headers[name]).toLowerCase(),
  page: isPage(headers) ? bodyText : '',
  text: bodyText,
})

/** A wall that asks a browser to prove itself does so at any status: AWS WAF with 202, Vercel with 429. */
const isChallenge = (action: string): boolean => action === 'challenge' || action === 'captcha'

/** What Cloudflare says in plain text to clients that want no page: refused by address, agent, country or rule. */
const CLOUDFLARE_CODES = /^error code: 10(0[5-9]|10|12|20)\b/i
const CLOUDFLARE_PAGE = /just a moment|attention required|cf-error-details|cf-chl-|challenge-platform/i

const AKAMAI_PAGE = /access denied.*(reference.{0,12}(#|&#35;)|errors\.edgesuite\.net)/is

const AWS_PAGE = /request blocked.*cloudfront|awswaf\.com/is

const VERCEL_PAGE = /vercel security checkpoint/i

/** Where DataDome's captcha is; it names it in pages and in JSON. */
const DATADOME = /captcha-delivery\.com/i

const OTHER_PAGES = /_incapsula_|incapsula incident id|px-captcha|captcha/i

const WALLS: readonly (readonly [BotWallFinding, (seen: Seen) => boolean])[] = [
  [
    'bot_wall_cloudflare',
    ({ status, header, page, text }) =>
      header('cf-mitigated') === 'challenge' ||
      (status >= 400 && header('cf-mitigated') !== '') ||
      (status === 402 && header('crawler-price') !== '') ||
      (isRefusal(status) && (CLOUDFLARE_PAGE.test(page) || CLOUDFLARE_CODES.test(text))),
  ],
  [
    'bot_wall_aws',
    ({ status, header, page }) =>
      isChallenge(header('x-amzn-waf-action')) || (isRefusal(status) && AWS_PAGE.test(page)),
  ],
  [
    'bot_wall_vercel',
    ({ status, header, page }) =>
      isChallenge(header('x-vercel-mitigated')) ||
      (status >= 400 && header('x-vercel-mitigated') !== '') ||
      (isRefusal(status) && VERCEL_PAGE.test(page)),
  ],
  [
    'bot_wall_datadome',
    // `x-datadome: protected` stands on what it let pass as well.
    ({ status, header, text }) => status >= 400 && (header('x-dd-b') !== '' || DATADOME.test(text)),
  ],
  [
    'bot_wall_akamai',
    ({ status, header, page }) => header('sec-cp-challenge') !== '' || (status === 403 && AKAMAI_PAGE.test(page)),
  ],
  [
    'bot_wall',
    ({ status, header, page }) =>
      (status >= 400 && header('x-sucuri-block') !== '') || (status === 403 && OTHER_PAGES.test(page)),
  ],
]

/** Statuses at which walls refuse; what a page says at any other is the origin's. */
const isRefusal = (status: number): boolean => status === 403 || status === 429 || status === 503
