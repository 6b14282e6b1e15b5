import type { ProbeFinding } from '@callboard/contract'
import { type Answer, firstValue, isPage } from './answer.ts'

export type BotWallFinding = Extract<ProbeFinding, `bot_wall${string}`>

/**
 * Returns which bot wall answered instead of the origin; undefined if the origin answered itself, even behind a wall
 * that let the request pass. An offer of the origin is read before this: no wall makes one.
 */
export const botWallOf = (answer: Answer): BotWallFinding | undefined =>
  WALLS.find(([, isItsAnswer]) => isItsAnswer(read(answer)))?.[0]

/** The parts of an answer by which walls are recognized. */
interface Seen {
  readonly status: number
  readonly header: (name: string) => string
  /** The beginning of a web page; empty for anything else. */
  readonly page: string
  /** The beginning of the body, of any type. */
  readonly text: string
}

const read = ({ status, headers, bodyText }: Answer): Seen => ({
  status,
  header: (name) => firstValue(headers[name]).toLowerCase(),
  page: isPage(headers) ? bodyText : '',
  text: bodyText,
})

/** Walls challenge browsers at any status: AWS WAF with 202, Vercel with 429. */
const isChallenge = (action: string): boolean => action === 'challenge' || action === 'captcha'

/** Cloudflare's plain-text refusals for clients that accept no page: by address, agent, country or rule. */
const CLOUDFLARE_CODES = /^error code: 10(0[5-9]|10|12|20)\b/i
const CLOUDFLARE_PAGE = /just a moment|attention required|cf-error-details|cf-chl-|challenge-platform/i

const AKAMAI_PAGE = /access denied.*(reference.{0,12}(#|&#35;)|errors\.edgesuite\.net)/is

const AWS_PAGE = /request blocked.*cloudfront|awswaf\.com/is

const VERCEL_PAGE = /vercel security checkpoint/i

/** The host of DataDome's captcha, which appears in its pages and its JSON. */
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
    // `x-datadome: protected` is also on responses that it let pass.
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

/** Statuses at which walls refuse; a page with any other status is the origin's own. */
const isRefusal = (status: number): boolean => status === 403 || status === 429 || status === 503
