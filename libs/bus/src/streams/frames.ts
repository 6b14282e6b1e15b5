/** What a message of a stream is, in either direction. */
export const KIND = 'cb-chunk'
/** Which of its kind it is: chunks are numbered, and so is what asks whether they came. */
export const NUMBER = 'cb-number'
/** Where the reader writes to its producer; of a fault, its kind. */
export const CONTROL = 'cb-control'
/** So many chunks may be under way that the reader has not taken. */
export const WINDOW = 32
