import { isObject, own } from '../json.ts'

/** How a service wants to be shown. Each member is present only if it follows the rules; a bad one affects no other. */
export interface ServiceMetadata {
  readonly serviceName?: string
  readonly tags?: string[]
  readonly iconUrl?: string
}

const MAX_NAME = 32
const MAX_TAGS = 5
const MAX_ICON_URL = 2048
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/
const CONTROL = /\p{Cc}/u
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const LOOPBACK = /^(localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)\.?$|\.localhost\.?$/

/**
 * Reads the `serviceName`, `tags` and `iconUrl` of an offer's `resource`, where they may be shown.
 * @source bazaar extension, soft-drop rules; `sanitizeResourceServiceMetadata` of @x402/extensions 2.27
 */
export function readServiceMetadata(resource: unknown): ServiceMetadata {
  if (!isObject(resource)) return {}
  const serviceName = shortText(own(resource, 'serviceName'))
  const tags = tagsOf(own(resource, 'tags'))
  const iconUrl = iconUrlOf(own(resource, 'iconUrl'))
  return {
    ...(serviceName === undefined ? {} : { serviceName }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
  }
}

const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_NAME && PRINTABLE_ASCII.test(value) ? value : undefined

/** The first five that can be shown; tags that differ only in case are the same. */
function tagsOf(value: unknown): string[] {
  const tags = new Map<string, string>()
  for (const entry of Array.isArray(value) ? value : []) {
    const tag = shortText(entry)
    if (tag !== undefined && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
    if (tags.size === MAX_TAGS) break
  }
  return [...tags.values()]
}

/** An https URL of a named public host, without credentials. The extension also allows http; pages cannot load it. */
function iconUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_ICON_URL || CONTROL.test(value)) return undefined
  const url = URL.parse(value)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  const { hostname } = url
  return hostname.startsWith('[') || IPV4.test(hostname) || LOOPBACK.test(hostname) ? undefined : value
}
