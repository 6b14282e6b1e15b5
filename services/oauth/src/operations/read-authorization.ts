import type { oauth } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { readRequest } from '../authorization.ts'
import { targetOf } from '../domain/redirect-uri.ts'
import type { OauthHandler } from '../kit.ts'

export const readAuthorization: OauthHandler<typeof oauth.readAuthorization> = async ({ query }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const read = await readRequest(ctx, query)
  if (isRefusal(read)) return read
  const { client, redirectUri, asked, answer } = read
  if ('error' in asked) return { redirectTo: answer(asked) }
  return {
    request: {
      client: {
        id: client.id,
        name: client.metadata.client_name ?? null,
        documentHost: client.fetched_at && new URL(client.id).host,
      },
      redirect: targetOf(redirectUri),
      scopes: [...asked.scopes],
      audience: asked.audience,
    },
  }
}
