/** What a run has observed: which operations succeeded, and which refusals each of them gave. */
const answered = new Set<string>()
const refusals = new Set<string>()

const key = (operation: string, code: string) => `${operation} ${code}`

export const seen = {
  noteAnswer: (operation: string): void => void answered.add(operation),
  noteRefusal: (operation: string, code: string): void => void refusals.add(key(operation, code)),
  answer: (operation: string): boolean => answered.has(operation),
  refusal: (operation: string, code: string): boolean => refusals.has(key(operation, code)),
}
