/** A `*` after a keyword or a dot that only columns have: `select *`, `returning *`, `distinct *`, `one.*`. */
const BEFORE = /(?:\b(?:select|distinct|all|returning)\s+|\.\s*)\*/i

/** A `*` without a following operand, so not a multiplication; `count(*)` has a bracket on both sides. */
const AFTER = /(?<!\(\s*)\*\s*(?:$|[,;)]|\b(?:from|into|where|order|limit|union|except|intersect)\b)/i

/**
 * Whether a statement selects all columns of something by `*`, which are fixed when it is planned. A multiplication and
 * `count(*)` do not count. If in doubt, true.
 */
export const hasColumnStar = (text: string): boolean => BEFORE.test(text) || AFTER.test(text)
