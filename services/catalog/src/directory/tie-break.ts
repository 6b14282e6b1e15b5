import { hash } from 'node:crypto'

const HEX_DIGITS = 2
const SPAN = 16 ** HEX_DIGITS

/**
 * Orders listings whose group, trust and freshness are equal: a number that rises with a time, which no owner can choose
 * as they choose a slug. Where many were imported at once, a hash decides, and not the alphabet of hosts and paths.
 * @param imported what was imported: its slug
 */
export const tieBreak = (atMs: number, imported?: string): number =>
  atMs * SPAN + (imported === undefined ? 0 : Number.parseInt(hash('sha256', imported).slice(0, HEX_DIGITS), 16))
