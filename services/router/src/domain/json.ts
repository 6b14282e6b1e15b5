import { isObject } from '@callboard/x402'

/** A JSON object whose members are unchecked. */
export type Json = Readonly<Record<string, unknown>>

/** The value if it is an object, otherwise an empty object. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** The objects in a list; none if the value is not a list. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The value if it is text, otherwise empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses a text as a JSON object; undefined if it is not one. */
export function objectIn(text: string): Json | undefined {
  // An error takes a hundred times as long as this, and others decide how many texts are none.
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The members that are set: APIs treat null like a missing member. */
export const given = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
