import { Scope } from '@callboard/contract'

/** Scopes as RFC 6749 §3.3 writes them. @returns undefined when one is unknown */
export function readScopes(text: string): readonly Scope[] | undefined {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))]
  const scopes = words.flatMap((word) => Scope.safeParse(word).data ?? [])
  return scopes.length === words.length ? scopes : undefined
}

export const isWithin = (asked: readonly Scope[], granted: readonly Scope[]): boolean =>
  asked.every((scope) => granted.includes(scope))
