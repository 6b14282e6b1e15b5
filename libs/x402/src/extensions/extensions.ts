import { contains, isObject, own, sameJson } from '../json.ts'
import type { Extensions } from '../messages/payment-required.ts'
import { BUILDER_CODE, MAX_ECHOED_SERVICES } from './builder-code.ts'

export type EchoVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'extension_echo_mismatch'; readonly extension: string }

/** The data of an extension: its `info` where it has one, else the extension itself. */
export const extensionInfo = (extension: unknown): unknown =>
  isObject(extension) && Object.hasOwn(extension, 'info') ? extension.info : extension

/**
 * Checks that a payment's extensions keep what the server advertised: a client may add members to `info`, but not
 * change any. An extension that was not advertised is accepted, and so is a payment without extensions: whether one is
 * required is each extension's own rule.
 * @source x402 v2, extensions; @x402/core 2.27
 */
export function checkEcho(advertised: Extensions | undefined, echoed: Extensions | undefined): EchoVerdict {
  for (const [extension, value] of Object.entries(echoed ?? {})) {
    const served = advertised && own(advertised, extension)
    if (!holds(extension, extensionInfo(served), extensionInfo(value), served !== undefined)) {
      return { ok: false, reason: 'extension_echo_mismatch', extension }
    }
  }
  return { ok: true }
}

function holds(extension: string, served: unknown, echoed: unknown, isAdvertised: boolean): boolean {
  if (extension !== BUILDER_CODE) return !isAdvertised || contains(served, echoed)
  return ownsAppCode(served, echoed) && (!isAdvertised || keepsBuilderCodes(served, echoed))
}

/** `a` names the app that sells: a client may repeat it but not set it. */
function ownsAppCode(served: unknown, echoed: unknown): boolean {
  if (!isObject(echoed) || own(echoed, 'a') === undefined) return true
  return isObject(served) && sameJson(own(served, 'a'), own(echoed, 'a'))
}

/** A client may append service codes to `s`, up to the limit; for the rest the usual rule applies. */
function keepsBuilderCodes(served: unknown, echoed: unknown): boolean {
  if (!isObject(served) || !isObject(echoed)) return contains(served, echoed)
  const { s: servedCodes, ...servedRest } = served
  const { s: echoedCodes, ...echoedRest } = echoed
  const codes = list(echoedCodes)
  if (codes.length > MAX_ECHOED_SERVICES) return false
  return contains(servedRest, echoedRest) && list(servedCodes).every((code) => codes.includes(code))
}

const list = (codes: unknown): unknown[] => (codes === undefined ? [] : [codes].flat())
