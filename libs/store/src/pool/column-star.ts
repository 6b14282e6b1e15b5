/** A `*` behind a word or a dot that only columns have: `select *`, `returning *`, `distinct *`, `one.*`. */
const BEFORE = /(?:\b(?:select|distinct|all|returning)\s+|\.\s*)\*/i

/** A `*` that no operand follows, as one does that multiplies; `count(*)` has a bracket on both sides. */
const AFTER = /(?<!\(\s*)\*\s*(?:$|[,;)]|\b(?:from|into|where|order|limit|union|except|intersect)\b)/i

/**
 * Whether a statement asks for all columns of something by `*`, whatever they are when it is planned. A `*` that multiplies
 * and that of `count(*)` do not. When in doubt, yes.
 */
export const hasColumnStar = (text: string): boolean => BEFORE.test(text) || AFTER.test(text)
