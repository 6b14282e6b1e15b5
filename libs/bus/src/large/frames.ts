/** How long a request is that did not fit into its message, in bytes. */
export const BODY_BYTES = 'cb-body-bytes'
/** Which piece is asked for where the request is answered, by its first byte. */
export const PIECE_AT = 'cb-piece-at'
/** A large body travels in pieces of so many bytes: small messages of others pass between them. */
export const PIECE_BYTES = 256 * 1024
/** Beside the members that a client gives a request has a key or a sign-in, and a payment. */
export const ENVELOPE_BYTES = 64 * 1024
