import { fitting } from '@callboard/bus'

/**
 * The first items of a list, as many as one answer has room for, and how many more there are; nothing is said of none. Who
 * can act for an owner for a while can make their lists long, and a list that no answer holds would show none of it.
 */
export function shownPart<Item>(items: readonly Item[]): { readonly shown: Item[]; readonly more?: number } {
  const shown = fitting(items)
  const more = items.length - shown.length
  return more > 0 ? { shown, more } : { shown }
}
