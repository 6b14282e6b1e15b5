import type { Config } from '../config.ts'

/** The resource that is all of this service. */
export const wholeService = ({ BASE_URL }: Pick<Config, 'BASE_URL'>): string => new URL(BASE_URL).origin

/**
 * The resource that a token is for (RFC 8707): the whole of this service, or its MCP endpoint alone.
 * @param asked the `resource` parameter; the whole service when absent
 * @returns undefined for a resource that is not ours
 */
export function resourceOf(asked: string | undefined, config: Pick<Config, 'BASE_URL'>): string | undefined {
  const whole = wholeService(config)
  const wanted = asked?.replace(/\/$/, '') ?? whole
  return wanted === whole || wanted === `${whole}/mcp` ? wanted : undefined
}

/**
 * The resource of an access token whose grant is for another or the same (RFC 8707 §2.2): a grant for the whole service
 * covers each of its endpoints, and nothing covers more than it is for.
 * @param asked the `resource` parameter; all of the grant when absent
 * @returns undefined for what the grant does not cover
 */
export function narrowed(
  asked: string | undefined,
  granted: string,
  config: Pick<Config, 'BASE_URL'>,
): string | undefined {
  const wanted = asked === undefined ? granted : resourceOf(asked, config)
  return wanted === granted || granted === wholeService(config) ? wanted : undefined
}
