import { isRefusal, type Refusal } from '@callboard/values'

/** Returns an operation's answer. @throws Error with the refusal in words, where it refused */
export function granted<Result>(result: Result): Exclude<Result, { readonly refusal: string }> {
  if (isRefusal(result)) throw new Error(inWords(result))
  return result as Exclude<Result, { readonly refusal: string }>
}

const inWords = ({ refusal, field, message }: Refusal): string =>
  [`Refused: ${refusal}`, field && `for ${field}`, message && `(${message})`].filter(Boolean).join(' ')
