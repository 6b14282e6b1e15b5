import type { Config } from '../config.ts'

/** What OpenAI's clients take as their base; Anthropic's take it without `/v1`. */
export const routerBaseUrl = ({ BASE_URL }: Pick<Config, 'BASE_URL'>): string => new URL('/v1', BASE_URL).href
