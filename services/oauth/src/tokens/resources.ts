import type { Config } from '../config.ts'

/** The resource that stands for this whole service. */
export const wholeService = ({ BASE_URL }: Pick<Config, 'BASE_URL'>): string => new URL(BASE_URL).origin

/** The `resource` parameters of a request. */
type Resources = string | readonly string[] | undefined

/**
 * The resource that a token is for (RFC 8707): this whole service, or only its MCP endpoint. What several resources have
 * in common is the whole service, which is also meant if none is named.
 * @returns undefined if one is not ours
 */
export function resourceOf(asked: Resources, config: Pick<Config, 'BASE_URL'>): string | undefined {
  const whole = wholeService(config)
  const wanted = new Set([asked ?? whole].flat().map((one) => one.replace(/\/$/, '')))
  const isOurs = [...wanted].every((one) => one === whole || one === `${whole}/mcp`)
  if (!isOurs) return undefined
  return wanted.size === 1 ? [...wanted][0] : whole
}

/**
 * The resource of an access token, given that of its grant (RFC 8707 §2.2): a grant for the whole service covers each
 * of its endpoints, and nothing covers more than it is for.
 * @param asked all of the grant if absent
 * @returns undefined if the grant does not cover it
 */
export function narrowed(asked: Resources, granted: string, config: Pick<Config, 'BASE_URL'>): string | undefined {
  const wanted = asked === undefined ? granted : resourceOf(asked, config)
  return wanted === granted || granted === wholeService(config) ? wanted : undefined
}
