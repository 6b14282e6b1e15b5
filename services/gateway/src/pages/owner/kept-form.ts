import { createHash } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { FastifyRequest } from 'fastify'
import type { OwnerRequest } from './owner.ts'

/** The time that a wallet has to sign; after it, the owner fills in the form again. */
const LIFE_S = (10 * MINUTE_MS) / SECOND_MS

const nameFor = ({ server }: FastifyRequest): string =>
  server.isSecureOrigin ? '__Host-callboard-form' : 'callboard-form'

const bindingOf = ({ caller }: OwnerRequest, path: string): string =>
  createHash('sha256').update(`${caller.owner} ${path}`).digest('base64url')

const options = ({ server }: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: server.isSecureOrigin }) as const

/**
 * Keeps what an owner filled in, in their own browser, while their wallet signs again. It is not in the address, so no
 * link can prefill a form, and it is shown only to the same owner on the same page. `path` is that page's.
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
