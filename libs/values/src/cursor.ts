/** An opaque position in a list, as text that is safe in a query string. Made and read by libs/store. */
export type Cursor = string
