import { PAYMENT_HEADERS } from '@callboard/client'
import { Usage } from './exit-codes.ts'

/**
 * Refuses what cannot be sent, such as a GET with a body, or what must not be.
 * @throws Usage
 */
export function refuseUnsendable(url: string, init: RequestInit): void {
  const { username, password } = new URL(url)
  if (username || password) throw new Usage('The URL holds a user name or a password: send it as a header')
  const { headers } = requestOf(url, init)
  const taken = PAYMENT_HEADERS.find((name) => headers.has(name))
  if (taken) throw new Usage(`The header ${taken} carries the payment, which is made here.`)
}

function requestOf(url: string, init: RequestInit): Request {
  try {
    return new Request(url, init)
  } catch (error) {
    throw new Usage(`There is no such request: ${error instanceof Error ? error.message : error}`)
  }
}
