import { isObject } from '@callboard/x402'

/** A JSON object whose members are still to be looked at. */
export type Json = Readonly<Record<string, unknown>>

/** The value, where it is an object; an empty one otherwise. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** The objects of a list; none where it is no list. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The value, where it is text; an empty one otherwise. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The object that a text has as JSON; undefined where it has none. */
export function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The members that are given: an API's null and a missing member mean the same. */
export const given = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
