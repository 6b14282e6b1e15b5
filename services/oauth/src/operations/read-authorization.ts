import type { oauth } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { isAllowed, readRequest } from '../authorization/read-request.ts'
import type { OauthHandler } from '../context.ts'
import { targetOf } from '../domain/redirect-uri.ts'

export const readAuthorization: OauthHandler<typeof oauth.readAuthorization> = async ({ query }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const read = await readRequest(ctx, query)
  if (isRefusal(read)) return read
  const { client, redirectUri, asked, answer } = read
  const redirect = targetOf(redirectUri)
  const allowedBefore = await isAllowed(ctx, ctx.caller.owner, client.id)
  if ('error' in asked) return { redirectTo: answer(asked), redirect, allowedBefore }
  const { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_DAYS, LINK_MAX_DAYS } = ctx.config
  const refreshes = client.metadata.grant_types.includes('refresh_token')
  return {
    request: {
      client: {
        id: client.id,
        name: client.metadata.client_name ?? null,
        documentHost: client.fetched_at && new URL(client.id).host,
      },
      redirect,
      scopes: [...asked.scopes],
      audience: asked.audience,
      lifetimes: {
        accessTokenSeconds: ACCESS_TOKEN_SECONDS,
        unusedDays: refreshes ? Math.min(REFRESH_TOKEN_DAYS, LINK_MAX_DAYS) : null,
        mostDays: refreshes ? LINK_MAX_DAYS : null,
      },
      allowedBefore,
    },
  }
}
