/** The length in bytes of a request that did not fit into its message. */
export const BODY_BYTES = 'cb-body-bytes'
/** The first byte of the piece that the answering process asks for. */
export const PIECE_AT = 'cb-piece-at'
/** A large body is sent in pieces of this size, so that small messages of others pass between them. */
export const PIECE_BYTES = 256 * 1024
/** Besides its client's members a request carries a key or a sign-in, and a payment. */
export const ENVELOPE_BYTES = 64 * 1024
