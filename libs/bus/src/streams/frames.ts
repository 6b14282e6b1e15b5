/** The kind of a stream's message, in either direction. */
export const KIND = 'cb-chunk'
/** The number of a chunk, or of a question whether chunks arrived. */
export const NUMBER = 'cb-number'
/** On a message with chunks: the stream ends with them. */
export const LAST = 'cb-last'
/** The request header of a reader that takes several chunks per message; the previous release does not send it. */
const TAKES = 'cb-takes'
export const TAKES_MANY: Readonly<Record<string, string>> = { [TAKES]: 'chunks' }
export const takesMany = (headers: Readonly<Record<string, string>>): boolean => headers[TAKES] === 'chunks'
/** On `open`, the subject on which the reader writes to its producer; on a fault, its kind. */
export const CONTROL = 'cb-control'
/** The most chunks in flight that the reader has not taken. */
export const WINDOW = 32
