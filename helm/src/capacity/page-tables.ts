/** A table in Markdown, with numbers as given. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** A number with three significant digits and thousands separators. */
export function shown(value: number): string {
  if (value === 0) return '0'
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value
    .toPrecision(3)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** 168 numbers, with a row for each day and a column for each hour. */
export const byHour = (hours: readonly number[]): string =>
  table(
    ['', ...Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))],
    DAYS.map((day, at) => [day, ...hours.slice(24 * at, 24 * at + 24)]),
  )
