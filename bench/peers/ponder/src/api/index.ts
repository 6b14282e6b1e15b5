import { Hono } from 'hono'

/** Ponder requires an API; this one answers nothing. */
export default new Hono()
