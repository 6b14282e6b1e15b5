import { createHash } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A wallet signs within this time, or the owner fills in the form again. */
const LIFE_S = (10 * MINUTE_MS) / SECOND_MS

interface About {
  /** The path of the page that holds the form. */
  readonly path: string
  readonly owner: string
}

const nameFor = ({ server }: FastifyRequest): string =>
  server.isSecureOrigin ? '__Host-callboard-form' : 'callboard-form'

const bindingOf = ({ path, owner }: About): string =>
  createHash('sha256').update(`${owner} ${path}`).digest('base64url')

const options = ({ server }: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: server.isSecureOrigin }) as const

/**
 * What an owner had filled in, in their own browser while their wallet signs again. It is in no address, so no link can
 * fill in a form for its reader, and it is shown to the same owner at the same page only.
 */
export const keptForm = {
  keep(request: FastifyRequest, reply: FastifyReply, about: About, fields: URLSearchParams): void {
    const text = `${bindingOf(about)}.${fields}`
    const cookie = request.server.serializeCookie(nameFor(request), text, { ...options(request), maxAge: LIFE_S })
    reply.header('set-cookie', cookie)
  },
  read(request: FastifyRequest, about: About): URLSearchParams | undefined {
    const text = request.cookies[nameFor(request)]
    const binding = `${bindingOf(about)}.`
    return text?.startsWith(binding) ? new URLSearchParams(text.slice(binding.length)) : undefined
  },
  forget(request: FastifyRequest, reply: FastifyReply): void {
    if (request.cookies[nameFor(request)] === undefined) return
    reply.header('set-cookie', request.server.serializeCookie(nameFor(request), '', { ...options(request), maxAge: 0 }))
  },
}
