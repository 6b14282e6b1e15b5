import { connect, type Socket } from 'node:net'

export interface PgTarget {
  readonly port: number
  readonly user: string
  readonly database: string
}

/** Rows as text; null stands for SQL null. */
export type PgRows = readonly (readonly (string | null)[])[]

/**
 * Runs one SQL text over the simple query protocol, on a loopback server that trusts us, and answers its rows.
 * Enough to make databases before any driver is there; services use their own driver.
 * @source PostgreSQL, Frontend/Backend Protocol 3.0, "Simple Query"
 */
export async function pgQuery(target: PgTarget, sql: string): Promise<PgRows> {
  const socket = connect({ host: '127.0.0.1', port: target.port })
  const rows: (string | null)[][] = []
  let phase: 'greeting' | 'asked' | 'done' = 'greeting'
  let refusal: Error | undefined
  try {
    socket.write(startup(target))
    for await (const { type, body } of messages(socket)) {
      if (type === 'D') rows.push(dataRow(body))
      if (type === 'E') refusal = new Error(`Postgres refused "${sql}": ${errorText(body)}`)
      if (type === 'R' && body.readInt32BE(0) !== 0) refusal = new Error('Postgres asks for a password on loopback.')
      if (type === 'Z' && phase === 'greeting') {
        phase = 'asked'
        socket.write(message('Q', `${sql}\0`))
      } else if (type === 'Z') {
        phase = 'done'
      }
      if (phase === 'done' || (refusal && phase === 'greeting')) break
    }
  } finally {
    socket.destroy()
  }
  if (refusal) throw refusal
  if (phase !== 'done') throw new Error(`Postgres on port ${target.port} hung up before it answered "${sql}".`)
  return rows
}

/** A name as SQL quotes it. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

function startup({ user, database }: PgTarget): Buffer {
  const text = Buffer.from(`user\0${user}\0database\0${database}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(text.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, text])
}

function message(type: string, text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

async function* messages(socket: Socket): AsyncGenerator<{ type: string; body: Buffer }> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 5) {
      const end = 1 + pending.readInt32BE(1)
      if (pending.length < end) break
      yield { type: String.fromCharCode(pending.readUInt8(0)), body: pending.subarray(5, end) }
      pending = pending.subarray(end)
    }
  }
}

function dataRow(body: Buffer): (string | null)[] {
  const row: (string | null)[] = []
  let at = 2
  for (let column = body.readInt16BE(0); column > 0; column--) {
    const length = body.readInt32BE(at)
    at += 4
    row.push(length < 0 ? null : body.toString('utf8', at, at + length))
    at += Math.max(length, 0)
  }
  return row
}

/** The message field (M) with its SQLSTATE (C). */
function errorText(body: Buffer): string {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  )
  return `${fields.get('M')} (${fields.get('C')})`
}
