import { type ShownForm, shownTextFault } from '@callboard/values'
import { z } from 'zod'
import { ownWordsFault } from './own-words.ts'

/**
 * Text from one party that others are shown: trimmed, and checked by the one rule for shown text. One that is too long is
 * not looked at any further: anyone may send as much as a body holds.
 */
export const shownText = (form: ShownForm, max: number) =>
  z
    .string()
    .trim()
    .max(max, { abort: true })
    .check(({ value, issues }) => {
      const fault = shownTextFault(value, form)
      if (fault) issues.push({ code: 'custom', input: value, message: fault })
    })

/** A third party's name for itself, which an owner reads before deciding on it: it must not look like ours. */
export const claimedName = (max: number) =>
  shownText('line', max).check(({ value, issues }) => {
    const fault = ownWordsFault(value)
    if (fault) issues.push({ code: 'custom', input: value, message: fault })
  })
