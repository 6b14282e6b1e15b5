import { type ShownForm, shownTextFault } from '@callboard/values'
import { z } from 'zod'
import { ownWordsFault } from './own-words.ts'

/** Text that one party gives and others are shown: trimmed, and by the one rule of what is shown. */
export const shownText = (form: ShownForm) =>
  z
    .string()
    .trim()
    .check(({ value, issues }) => {
      const fault = shownTextFault(value, form)
      if (fault) issues.push({ code: 'custom', input: value, message: fault })
    })

/** A name that a third party gives itself, and that an owner reads before deciding on it: not one that looks like ours. */
export const claimedName = shownText('line').check(({ value, issues }) => {
  const fault = ownWordsFault(value)
  if (fault) issues.push({ code: 'custom', input: value, message: fault })
})
