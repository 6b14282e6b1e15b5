import type { Config } from '../config.ts'

/** The base URL for OpenAI's clients; Anthropic's take it without `/v1`. */
export const routerBaseUrl = ({ BASE_URL }: Pick<Config, 'BASE_URL'>): string => new URL('/v1', BASE_URL).href
