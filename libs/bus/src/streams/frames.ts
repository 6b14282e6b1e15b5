/** What a message of a stream is, in either direction. */
export const KIND = 'cb-chunk'
/** Which of its kind it is: chunks are numbered, and so is what asks whether they came. */
export const NUMBER = 'cb-number'
/** Of a message with chunks: the stream ends with them. */
export const LAST = 'cb-last'
/** What a reader says with its request that takes several chunks in one message; one of a release before says nothing. */
const TAKES = 'cb-takes'
export const TAKES_MANY: Readonly<Record<string, string>> = { [TAKES]: 'chunks' }
export const takesMany = (headers: Readonly<Record<string, string>>): boolean => headers[TAKES] === 'chunks'
/** Where the reader writes to its producer; of a fault, its kind. */
export const CONTROL = 'cb-control'
/** So many chunks may be under way that the reader has not taken. */
export const WINDOW = 32
