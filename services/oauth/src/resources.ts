import type { Config } from './config.ts'

/**
 * The resource that a token is for (RFC 8707): the whole of this service, or its MCP endpoint alone.
 * @param asked the `resource` parameter; the whole service when absent
 * @returns undefined for a resource that is not ours
 */
export function resourceOf(asked: string | undefined, config: Pick<Config, 'BASE_URL'>): string | undefined {
  const whole = new URL(config.BASE_URL).origin
  const wanted = asked?.replace(/\/$/, '') ?? whole
  return wanted === whole || wanted === `${whole}/mcp` ? wanted : undefined
}
