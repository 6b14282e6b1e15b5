/** A moment; invalid where its offset is not told: `new Date` would take the machine's, and 5 for a month of 2001. */
export const momentOf = (text: string): Date =>
  new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN)

export const isHeight = (text: string): boolean => /^\d{1,15}$/.test(text)

/** Hours between imports and filters as `NAME=VALUE`, in any order; undefined where a word is neither. */
export function settingsOf(words: readonly string[]) {
  const [filters, others] = [words.filter(isFilter), words.filter((word) => !isFilter(word))]
  if (others.length > 1) return undefined
  return {
    filters: Object.fromEntries(filters.map((filter) => filter.split(/=(.*)/s, 2))),
    ...(others[0] === undefined ? {} : { intervalHours: Number(others[0]) }),
  }
}

const isFilter = (word: string): boolean => word.includes('=')
