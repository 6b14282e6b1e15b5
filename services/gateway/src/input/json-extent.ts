/** Members, objects and lists of a body. Each costs as much as hundreds of bytes of text; a prompt of 50,000 parts has 150,000. */
export const MOST_VALUES = 250_000
/** Members of the body itself, which is copied several times. */
export const MOST_MEMBERS = 1_000

const [QUOTE, BACKSLASH, COLON, OBJECT, LIST] = Buffer.from('"\\:{[')

/** Whether JSON text has more members, objects and lists than are read; told before it is parsed, which costs the most. */
export function hasTooManyValues(json: Buffer, most = MOST_VALUES): boolean {
  let left = most
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = endOfText(json, at + 1)
      if (at < 0) return false
    } else if (byte === COLON || byte === OBJECT || byte === LIST) {
      left -= 1
      if (left < 0) return true
    }
  }
  return false
}

/** Where a text ends; -1 if it does not. */
function endOfText(json: Buffer, from: number): number {
  let end = json.indexOf(QUOTE as number, from)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(QUOTE as number, end + 1)
  return end
}

function isEscaped(json: Buffer, at: number): boolean {
  let before = at
  while (json[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}
