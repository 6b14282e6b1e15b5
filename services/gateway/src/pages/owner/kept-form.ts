import { createHash } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { FastifyRequest } from 'fastify'
import type { OwnerRequest } from './owner.ts'

/** A wallet signs within this time, or the owner fills in the form again. */
const LIFE_S = (10 * MINUTE_MS) / SECOND_MS

const nameFor = ({ server }: FastifyRequest): string =>
  server.isSecureOrigin ? '__Host-callboard-form' : 'callboard-form'

const bindingOf = ({ caller }: OwnerRequest, path: string): string =>
  createHash('sha256').update(`${caller.owner} ${path}`).digest('base64url')

const options = ({ server }: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: server.isSecureOrigin }) as const

/**
 * What an owner had filled in, in their own browser while their wallet signs again. It is in no address, so no link can
 * fill in a form for its reader, and it is shown to the same owner at the same page only. `path` is that page's.
 */
export const keptForm = {
  keep(asking: OwnerRequest, path: string, fields: URLSearchParams): void {
    const { request, reply } = asking
    const text = `${bindingOf(asking, path)}.${fields}`
    const cookie = request.server.serializeCookie(nameFor(request), text, { ...options(request), maxAge: LIFE_S })
    reply.header('set-cookie', cookie)
  },
  read(asking: OwnerRequest, path: string): URLSearchParams | undefined {
    const text = asking.request.cookies[nameFor(asking.request)]
    const binding = `${bindingOf(asking, path)}.`
    return text?.startsWith(binding) ? new URLSearchParams(text.slice(binding.length)) : undefined
  },
  forget({ request, reply }: OwnerRequest): void {
    if (request.cookies[nameFor(request)] === undefined) return
    reply.header('set-cookie', request.server.serializeCookie(nameFor(request), '', { ...options(request), maxAge: 0 }))
  },
}
