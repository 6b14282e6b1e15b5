import { Hono } from 'hono'

/** Ponder wants an API; this one answers nothing. */
export default new Hono()
