import type { Json } from '../domain/json.ts'

/** A request for something that the upstream's API cannot express. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable'
  /** The member of the request that asks for it. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** What a request may not ask for: a check of each member's value. */
export type Unasked = Readonly<Record<string, (value: unknown) => boolean>>

/** Whether a member asks for anything at all. */
export const anything = (value: unknown): boolean => value !== undefined && value !== null && value !== false

/** @throws Untranslatable for the first member that asks for something inexpressible */
export function refuseUnasked(body: Json, unasked: Unasked): void {
  const field = Object.keys(unasked).find((name) => unasked[name]?.(body[name]))
  if (field) throw new Untranslatable(field, 'is not offered by any provider of this model')
}
