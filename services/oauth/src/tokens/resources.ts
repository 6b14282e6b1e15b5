import type { Config } from '../config.ts'

/** The resource that stands for this whole service. */
export const wholeService = ({ BASE_URL }: Pick<Config, 'BASE_URL'>): string => new URL(BASE_URL).origin

/**
 * The resource that a token is for (RFC 8707): this whole service, or only its MCP endpoint.
 * @param asked the `resource` parameter; the whole service if absent
 * @returns undefined for a resource that is not ours
 */
export function resourceOf(asked: string | undefined, config: Pick<Config, 'BASE_URL'>): string | undefined {
  const whole = wholeService(config)
  const wanted = asked?.replace(/\/$/, '') ?? whole
  return wanted === whole || wanted === `${whole}/mcp` ? wanted : undefined
}

/**
 * The resource of an access token, given that of its grant (RFC 8707 §2.2): a grant for the whole service covers each
 * of its endpoints, and nothing covers more than it is for.
 * @param asked the `resource` parameter; all of the grant if absent
 * @returns undefined if the grant does not cover it
 */
export function narrowed(
  asked: string | undefined,
  granted: string,
  config: Pick<Config, 'BASE_URL'>,
): string | undefined {
  const wanted = asked === undefined ? granted : resourceOf(asked, config)
  return wanted === granted || granted === wholeService(config) ? wanted : undefined
}
